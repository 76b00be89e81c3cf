"""Learning progress of clusters of tasks (paper P30: the paper's future work)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import MODERATE, check_numbers
from lapis.bounds import COUNT, FRACTION, NOT_NEGATIVE, SHARE, Bound, check
from lapis.curriculum import noise
from lapis.curriculum.checks import COUNTED, MOST_COUNTS
from lapis.curriculum.large.centers import Centers
from lapis.curriculum.progress import learning_progress, reweight
from lapis.curriculum.sampling import sampling_weights
from lapis.curriculum.teacher import Teacher, mix_uniform

CLUSTERS = Bound(least=1, most=4096, whole=True)
MEMORY = Bound(least=1, most=1e12)


class ClusteredProgress(Teacher):
    """Samples the clusters of tasks whose success is changing, and evenly within a cluster.

    Tasks with like features form a cluster; where there are no more tasks than clusters, each task
    is one. A cluster has the two averages of the paper's rule (paper P1), which count attempts and
    not updates: a cluster that is seldom tried looks back further. Progress within the noise of so
    few attempts counts as zero; scores count as noisy as successes and failures.

    Args:
        task_count: Number of tasks.
        features: What is known of each task, shape (task, feature). Units do not matter: columns
            are scaled to equal spread. May be left out if there are no more tasks than clusters.
        cluster_count: Number of clusters, at most.
        memory: How far back both averages look [attempts at the cluster].
        reweight_threshold: As in `LearningProgress`.
        noise_shrinkage: Progress below that many standard deviations of its noise counts as zero;
            the more often a cluster was tried, the more of them it takes.
        optimism: Adds so many times what may be going on unnoticed (see `uncertainty`).
        exploration: Share of the probability that goes to the neighbors of clusters with progress:
            what is opened by learning lies next to what is being learned.
        neighbor_count: Neighbors of a cluster.
        floor: Share of the probability that is spread evenly over all tasks.
    """

    _learned: ClassVar[Mapping[str, Bound]] = {
        "fast_": SHARE,
        "slow_": SHARE,
        "factors_": SHARE,
        "attempts_": COUNTED,
    }

    def __init__(
        self,
        task_count: int,
        features: ArrayLike | None = None,
        *,
        cluster_count: int = 1024,
        memory: float = 200.0,
        reweight_threshold: float = 0.1,
        noise_shrinkage: float = 2.5,
        optimism: float = 1.0,
        exploration: float = 0.3,
        neighbor_count: int = 8,
        floor: float = 0.05,
    ) -> None:
        super().__init__(task_count)
        self.cluster_count = check("cluster_count", cluster_count, CLUSTERS)
        self.memory = check("memory", memory, MEMORY)
        self.reweight_threshold = check("reweight_threshold", reweight_threshold, FRACTION)
        self.noise_shrinkage = check("noise_shrinkage", noise_shrinkage, NOT_NEGATIVE)
        self.optimism = check("optimism", optimism, NOT_NEGATIVE)
        self.exploration = check("exploration", exploration, SHARE)
        self.neighbor_count = check("neighbor_count", neighbor_count, COUNT)
        self.floor = check("floor", floor, SHARE)
        if self.exploration + self.floor > 1.0:
            raise ValueError(
                f"exploration + floor is {self.exploration + self.floor:g}; together they must "
                "leave something for progress: at most 1"
            )
        self._centers: Centers | None = None
        self._neighbors: np.ndarray | None = None
        self.cluster = np.arange(self.task_count, dtype=np.int32)
        """The cluster of each task, shape (task,)."""
        if features is not None:
            self._group(_checked(features, self.task_count))
        elif self.task_count > self.cluster_count:
            raise ValueError(
                f"features are needed to group {self.task_count} tasks into {self.cluster_count} "
                "clusters: an array of shape (task, feature)"
            )
        self._size = np.bincount(self.cluster)
        count = self._size.size
        self.fast_, self.slow_ = np.zeros(count), np.zeros(count)
        self.attempts_ = np.zeros(count, np.int64)
        self._noise = noise.NoiseModel(count)
        self.factors_ = self._noise.factors_

    def progress(self) -> np.ndarray:
        """Learning progress of each cluster beyond its noise, shape (cluster,)."""
        fast, slow = self._noise.unbiased(self.fast_, self.slow_)
        success = self._noise.success(self.fast_)
        deviation = self._lifted(success, self._noise.deviation(success))
        progress = learning_progress(self._reweighted(fast), self._reweighted(slow))
        # Each further memory of attempts is one more chance to exceed the noise by luck: the
        # greatest of n normal numbers is about sqrt(2 log n).
        looks = 2.0 * np.log1p(self.attempts_ / self.memory)
        strength = np.sqrt(self.noise_shrinkage**2 + looks) if self.noise_shrinkage else 0.0
        return noise.shrink(progress, strength * deviation, 1.0)

    def uncertainty(self) -> np.ndarray:
        """What may be going on in each cluster for all that is known, shape (cluster,).

        Two parts, both standard deviations of reweighted success. That over the memory is greatest
        where a few attempts succeed and 0 where none does, and halves with the first `memory`
        attempts: a frontier that has just opened. A fifth of that given all attempts so far, which
        is great where there are few of them, makes sure that every cluster is tried.
        """
        _, slow = self._noise.unbiased(self.fast_, self.slow_)
        spread = np.sqrt(slow * (1.0 - slow) / (2.0 * self.memory + 1.0))
        opening = self._lifted(slow, spread) * (self.memory / (self.memory + self.attempts_))
        return opening + 0.2 * self._lifted(*noise.believed_success(slow, self.attempts_))

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        if not self.attempts_.any():
            return np.full(self.task_count, 1.0 / self.task_count)
        progress = self.progress()
        hopes = progress + self.optimism * self.uncertainty()
        chosen = sampling_weights(hopes[self.cluster])
        chosen /= chosen.sum()
        if self._neighbors is not None and self.exploration and progress.any():
            weight = np.bincount(self.cluster, chosen, self._size.size)
            weight = (weight * (progress > 0.0)) @ self._neighbors
            nearby = (weight / (weight.sum() * self._size))[self.cluster]
            chosen += self.exploration / (1.0 - self.floor) * (nearby - chosen)
        return mix_uniform(chosen, self.floor)

    def add_tasks(self, features: ArrayLike) -> None:
        """New tasks join the clusters that they are like; their numbers follow the last one.

        Args:
            features: What is known of each new task, shape (task, feature).
        """
        if self._centers is None:
            raise ValueError(
                "add_tasks needs clusters of described tasks: give features, of more tasks than "
                f"there are clusters ({self.cluster_count})"
            )
        rows = _checked(features, None, self._centers.places.shape[1])
        self.cluster = np.concatenate([self.cluster, self._centers.nearest(rows)])
        self.task_count = self.cluster.size
        self._size = np.bincount(self.cluster, minlength=self._size.size)
        recorded = np.zeros((2, self.task_count), np.int64)
        recorded[:, : self._recorded.shape[1]] = self._recorded
        self._recorded = recorded

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Loads a state from `state_dict` of a teacher of the same tasks and settings."""
        self._check_kind(state)
        factors = self._loaded("factors_", self.factors_, state, SHARE)
        if ((factors > 0.0) & (factors < noise.LEAST_FACTOR)).any():
            raise ValueError(
                f"state['factors_'] holds a factor below {noise.LEAST_FACTOR} that is not 0"
            )
        super().load_state_dict(state)
        self._noise.factors_ = self.factors_

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        tried = np.flatnonzero(attempts)
        cluster, count = self.cluster[tried], self._size.size
        tries = np.bincount(cluster, attempts[tried], count)
        won = np.bincount(cluster, successes[tried], count)
        # Attempts one by one would each move an average by 1 / memory; a batch moves it at once.
        rate = -np.expm1(tries * np.log1p(-1.0 / self.memory)) if self.memory > 1.0 else tries > 0
        rate = np.asarray(rate, np.float64)
        self.fast_ += rate * (won / np.maximum(tries, 1.0) - self.fast_)
        self.slow_ += rate * (self.fast_ - self.slow_)
        self._noise.update(rate, np.maximum(tries, 1.0))
        self.attempts_ = np.minimum(self.attempts_ + tries.astype(np.int64), MOST_COUNTS)

    def _group(self, features: np.ndarray) -> None:
        if self.task_count > self.cluster_count:
            self._centers = Centers(features, self.cluster_count)
            self.cluster = self._centers.nearest(features)
        self._neighbors = _neighbors(features, self.cluster, self.neighbor_count)

    def _reweighted(self, success: np.ndarray) -> np.ndarray:
        return reweight(success, self.reweight_threshold)

    def _lifted(self, success: np.ndarray, deviation: np.ndarray) -> np.ndarray:
        """Half of what success one deviation above and one below differ by after reweighting."""
        above = self._reweighted(np.minimum(success + deviation, 1.0))
        return 0.5 * (above - self._reweighted(np.maximum(success - deviation, 0.0)))


def _checked(features: ArrayLike, task_count: int | None, width: int | None = None) -> np.ndarray:
    array = check_numbers("features", features, MODERATE)
    count_fits = task_count is None or array.shape[:1] == (task_count,)
    if array.ndim != 2 or not array.size or not count_fits or width not in (None, array.shape[1]):
        rows = "task" if task_count is None else task_count
        columns = "feature" if width is None else width
        raise ValueError(f"features must have shape ({rows}, {columns}), not {array.shape}")
    return array


def _neighbors(features: np.ndarray, cluster: np.ndarray, count: int) -> np.ndarray | None:
    """Shares of the nearest clusters for each cluster, shape (cluster, cluster), rows sum to 1.

    All that are as near as the last one count, so the order of tasks decides nothing. None if
    there is only one cluster.
    """
    spread = features.std(axis=0)
    rows = features * np.divide(1.0, spread, where=spread > 1e-12, out=np.zeros_like(spread))
    size = np.bincount(cluster)
    if size.size == 1:
        return None
    center = np.stack([np.bincount(cluster, column) for column in rows.T], axis=1) / size[:, None]
    center -= center.mean(axis=0)
    square = np.square(center).sum(axis=1)
    distance = square[:, None] + square - 2.0 * center @ center.T
    np.fill_diagonal(distance, np.inf)
    nearest = min(count, size.size - 1) - 1
    last = np.partition(distance, nearest, axis=1)[:, nearest, None]
    near = distance <= last * (1.0 + 1e-9) + 1e-9
    return near / near.sum(axis=1, keepdims=True)

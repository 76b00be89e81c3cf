"""Learning progress of clusters of tasks (paper P30: the paper's future work)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.bounds import SHARE, Bound, check
from lapis.curriculum import noise
from lapis.curriculum.checks import COUNTED, MOST_COUNTS
from lapis.curriculum.large.centers import CENTERS, Centers
from lapis.curriculum.large.rule import LargeRule, checked_features, near_shares
from lapis.curriculum.sampling import sampling_weights
from lapis.curriculum.teacher import Teacher, mix_uniform


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
        rule: How progress becomes probability; the fields of `LargeRule`.
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
        **rule: Any,
    ) -> None:
        super().__init__(task_count)
        self.cluster_count = check("cluster_count", cluster_count, CENTERS)
        self.rule = LargeRule(**rule)
        self._centers: Centers | None = None
        self._neighbors: np.ndarray | None = None
        self.cluster = np.arange(self.task_count, dtype=np.int32)
        """The cluster of each task, shape (task,)."""
        if features is not None:
            self._group(checked_features(features, self.task_count))
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
        deviation = self._noise.deviation(success)
        return self.rule.beyond_noise(fast, slow, success, deviation, self.attempts_)

    def uncertainty(self) -> np.ndarray:
        """What may be going on unnoticed in each cluster, shape (cluster,)."""
        _, slow = self._noise.unbiased(self.fast_, self.slow_)
        return self.rule.uncertainty(slow, self.attempts_)

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        if not self.attempts_.any():
            return np.full(self.task_count, 1.0 / self.task_count)
        progress = self.progress()
        hopes = progress + self.rule.optimism * self.uncertainty()
        # Z-scores would magnify the rounding errors of hopes that are equal.
        chosen = sampling_weights(np.round(hopes, 9)[self.cluster])
        chosen /= chosen.sum()
        if self._neighbors is not None and progress.any():
            weight = np.bincount(self.cluster, chosen, self._size.size)
            weight = (weight * (progress > 0.0)) @ self._neighbors
            nearby = (weight / (weight.sum() * self._size))[self.cluster]
            chosen += self.rule.explored * (nearby - chosen)
        return mix_uniform(chosen, self.rule.floor)

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
        rows = checked_features(features, None, self._centers.places.shape[1])
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
        rate = -np.expm1(tries * np.log1p(-1.0 / self.rule.memory))
        self.fast_ += rate * (won / np.maximum(tries, 1.0) - self.fast_)
        self.slow_ += rate * (self.fast_ - self.slow_)
        self._noise.update(rate, np.maximum(tries, 1.0))
        self.attempts_ = np.minimum(self.attempts_ + tries.astype(np.int64), MOST_COUNTS)

    def _group(self, features: np.ndarray) -> None:
        if self.task_count > self.cluster_count:
            self._centers = Centers(features, self.cluster_count)
            self.cluster = self._centers.nearest(features)
        spread = features.std(axis=0)
        scale = np.divide(1.0, spread, where=spread > 1e-12, out=np.zeros_like(spread))
        size = np.bincount(self.cluster)[:, None]
        sums = [np.bincount(self.cluster, column) for column in (features * scale).T]
        self._neighbors = near_shares(np.stack(sums, axis=1) / size, self.rule.neighbor_count)

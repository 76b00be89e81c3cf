"""Learning progress as a function of what is known of a task (paper P31: future work)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.bounds import COUNT, SHARE, Bound, check
from lapis.curriculum import noise
from lapis.curriculum.checks import COUNTED
from lapis.curriculum.large.centers import CENTERS, Basis
from lapis.curriculum.large.rule import LargeRule, checked_features, near_shares
from lapis.curriculum.sampling import sampling_weights
from lapis.curriculum.teacher import Teacher, mix_uniform

KNOWN = Bound(above=0, most=1)
LEAST_SUCCESS = 1e-6
FIRST_SUCCESS = 0.02
"""Success at a task before anything is known."""
PRIOR_ATTEMPTS = 0.1
"""What the first success weighs, in attempts with a variance of 1."""


class FunctionProgress(Teacher):
    """Samples the tasks at which a function of success, fitted to all attempts, is changing.

    Success is a logistic regression on a few hundred basis functions of the features, each of
    which is greatest at a center and falls to 0 among the centers around it. Its coefficients have
    a fast and a slow copy, as the paper's rule has two averages of each task (paper P1). What the
    two differ by at a task is the task's progress. So a task that was never tried has progress if
    those like it have.

    Args:
        task_count: Number of tasks.
        features: What is known of each task, shape (task, feature); units do not matter.
            May be left out if there are no more tasks than centers.
        center_count: Number of basis functions, at most.
        near_count: Basis functions that are not 0 at a task.
        memory: How far back both copies look [attempts at tasks of a center].
        candidate_count: Tasks that are drawn evenly and judged before each update; the others have
            only what `floor` and `exploration` give them. With no more tasks all are judged.
        rule: How progress becomes probability; the fields of `LargeRule`.
    """

    _learned: ClassVar[Mapping[str, Bound]] = {
        "fast_": SHARE,
        "slow_": SHARE,
        "precision_": SHARE,
        "novelty_": KNOWN,
        "updates_": COUNTED,
    }

    def __init__(
        self,
        task_count: int,
        features: ArrayLike | None = None,
        *,
        center_count: int = 1024,
        near_count: int = 4,
        candidate_count: int = 4096,
        **rule: Any,
    ) -> None:
        super().__init__(task_count)
        self.rule = LargeRule(**rule)
        check("center_count", center_count, CENTERS)
        self.candidate_count = check("candidate_count", candidate_count, COUNT)
        if features is None:
            if self.task_count > center_count:
                raise ValueError(
                    f"features are needed for {self.task_count} tasks and {center_count} centers: "
                    "an array of shape (task, feature)"
                )
            features = np.eye(self.task_count)  # All are equally unlike each other.
        rows = checked_features(features, self.task_count)
        self.basis = Basis(rows, center_count, near_count)
        self._near, self._share = self.basis(rows)
        self._cluster = self._near[:, 0]
        count = len(self.basis.places)
        self._size = np.bincount(self._cluster, minlength=count)
        self._neighbors = near_shares(self.basis.places, self.rule.neighbor_count)
        self.fast_, self.slow_ = np.full((2, count), FIRST_SUCCESS)
        self.precision_ = np.zeros(count)
        self.novelty_ = np.ones(count)
        self.updates_ = np.zeros(1, np.int64)

    def success(self, features: ArrayLike) -> np.ndarray:
        """Success now at described tasks, tried or not, shape (row,)."""
        near, share = self.basis(checked_features(features, None, self.basis.width))
        return _at(self.fast_, near, share)

    def progress(self, features: ArrayLike) -> np.ndarray:
        """Progress beyond its noise at described tasks, tried or not, shape (row,)."""
        near, share = self.basis(checked_features(features, None, self.basis.width))
        return self._judge(near, share)[0]

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        if (self.novelty_ == 1.0).all():
            return np.full(self.task_count, 1.0 / self.task_count)
        rows = self._candidates()
        progress, uncertainty = self._judge(self._near[rows], self._share[rows])
        # Z-scores would magnify the rounding errors of hopes that are equal.
        weight = sampling_weights(np.round(progress + self.rule.optimism * uncertainty, 9))
        weight /= weight.sum()
        chosen = np.zeros(self.task_count)
        chosen[rows] = weight
        if self._neighbors is not None and progress.any():
            own = np.bincount(self._cluster[rows], weight * (progress > 0.0), self._size.size)
            nearby = own @ self._neighbors * (self._size > 0)
            nearby /= nearby.sum() * np.maximum(self._size, 1)
            chosen += self.rule.explored * (nearby[self._cluster] - chosen)
        return mix_uniform(chosen, self.rule.floor)

    def _candidates(self) -> np.ndarray:
        if self.task_count <= self.candidate_count:
            return np.arange(self.task_count)
        rng = np.random.default_rng([int(self.updates_[0]), self.task_count])
        # One in each of as many equal stretches: none twice, and no sorting.
        start = np.arange(self.candidate_count) * (self.task_count / self.candidate_count)
        width = self.task_count // self.candidate_count
        return start.astype(np.int64) + rng.integers(0, width, self.candidate_count)

    def _judge(self, near: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Progress beyond its noise, and what may be going on unnoticed, at each row."""
        fast, slow = _at(self.fast_, near, share), _at(self.slow_, near, share)
        novelty = (self.novelty_[near] * share).sum(axis=1)
        attempts = self.rule.memory * (1.0 / novelty - 1.0)
        success, _ = noise.believed_success(slow, attempts)
        # Two averages of `memory` attempts differ by chance as the mean of 4 memories does; while
        # there are fewer attempts than that, as the mean of those.
        count = np.minimum(4.0 * self.rule.memory, np.maximum(attempts, 1.0))
        deviation = np.sqrt(success * (1.0 - success) / count)
        progress = self.rule.beyond_noise(fast, slow, success, deviation, attempts)
        return progress, self.rule.uncertainty(slow, attempts)

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        self.updates_ = self.updates_ + 1
        tried = np.flatnonzero(attempts)
        if not tried.size:
            return
        near, share, tries = self._near[tried], self._share[tried], attempts[tried]
        success = _at(self.fast_, near, share)
        count, place = self.fast_.size, near.ravel()

        def per_center(values: np.ndarray) -> np.ndarray:
            return np.bincount(place, (values[:, None] * share).ravel(), count)

        spread = np.maximum(success * (1.0 - success), 0.01)
        tried_near = per_center(tries)
        keep = np.exp(tried_near * np.log1p(-1.0 / self.rule.memory))
        # Shares sum to 1, so the diagonal bounds the curvature: no step overshoots.
        curvature = self.precision_ * self.rule.memory * keep + per_center(tries * spread)
        step = per_center(successes[tried] - tries * success) / (curvature + PRIOR_ATTEMPTS)
        fast = _logit(self.fast_) + step
        novelty = 1.0 / (1.0 / self.novelty_ + tried_near / self.rule.memory)
        # Divided by the weight of all that the slow copy has seen: nothing is left of its start.
        seen = -np.expm1(
            self.rule.memory * (1.0 / novelty - 1.0) * np.log1p(-1.0 / self.rule.memory)
        )
        slow = _logit(self.slow_)
        slow += np.minimum((1.0 - keep) / np.maximum(seen, 1e-12), 1.0) * (fast - slow)
        moved = tried_near > 0.0
        self.fast_ = np.where(moved, _success(fast), self.fast_)
        self.slow_ = np.where(moved, _success(slow), self.slow_)
        self.precision_ = np.minimum(curvature / self.rule.memory, 1.0)
        self.novelty_ = novelty


def _at(success: np.ndarray, near: np.ndarray, share: np.ndarray) -> np.ndarray:
    """The function with these values at the centers, at each row: logits add up."""
    return _success((_logit(success)[near] * share).sum(axis=1))


def _logit(success: np.ndarray) -> np.ndarray:
    success = np.clip(success, LEAST_SUCCESS, 1.0 - LEAST_SUCCESS)
    return np.log(success / (1.0 - success))


def _success(logit: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-np.clip(logit, -20.0, 20.0)))

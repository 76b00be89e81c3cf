"""Absolute progress between two halves of a window (Baranes and Oudeyer 2013)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import MODERATE, check_numbers
from lapis.bounds import SHARE, Bound
from lapis.curriculum.checks import COUNTED, check_counts
from lapis.curriculum.teacher import MOST_WINDOW, Teacher, mix_uniform, window_length
from lapis.registry import TeacherSettings


class HalfWindow(Teacher):
    """Samples tasks in proportion to how far the newer half of their scores is from the older.

    Baranes and Oudeyer 2013 (SAGG-RIAC, its interest value) measure regions of goals by it: the
    absolute difference between the competence in the newer and in the older half of its last
    goals. They draw 70 % of the goals in proportion to interest, 20 % at random and 10 % near
    failed goals inside an interesting region; single tasks have no inside, so the 10 % fall to
    the first kind. Portelas et al. 2019 coined absolute learning progress (ALP) for such measures.

    Args:
        task_count: Number of tasks.
        settings: Fields of `HalfWindowConfig`.
    """

    _learned: ClassVar[Mapping[str, Bound]] = {
        "progress_": Bound(least=0, most=1 + 1e-9),  # sums of rounded numbers
        "score_": SHARE,
        "count_": COUNTED,
    }

    def __init__(self, task_count: int, **settings: Any) -> None:
        super().__init__(task_count)
        self.settings = HalfWindowConfig(**settings)
        self.progress_ = np.zeros(self.task_count)
        self.score_ = np.zeros((self.task_count, 2 * self.settings.half_window))
        self.count_ = np.zeros(self.task_count, np.int64)

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        total = self.progress_.sum()
        if total == 0.0:
            return np.full(self.task_count, 1.0 / self.task_count)
        return mix_uniform(self.progress_ / total, self.settings.floor)

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        tried = np.flatnonzero(attempts)
        slot = self.count_[tried] % (2 * self.settings.half_window)
        self.score_[tried, slot] = successes[tried] / attempts[tried]
        self.count_[tried] += 1
        self.progress_[tried] = _progress(self.score_[tried], self.count_[tried])


@dataclass(frozen=True, kw_only=True)
class HalfWindowConfig(TeacherSettings):
    """Goals by the difference between two halves of their recent scores."""

    half_window: Annotated[int, Bound(least=1, most=MOST_WINDOW, whole=True)] = 10
    """Scores (mean outcomes of an update) kept for each goal in each half. Until both are full, the
    existing scores are split in half, and the older half gets the odd one. A goal with fewer than
    two scores has no progress yet."""
    floor: Annotated[float, SHARE] = 0.2
    """Share of the probability that is spread evenly over all goals. New goals are found only
    through it."""

    def build(self, task_count: int) -> HalfWindow:
        """A teacher of `task_count` tasks."""
        return HalfWindow(task_count, **vars(self))

    @classmethod
    def matched(cls, *, time_scale: float, **shared: Any) -> Self:
        """Scores of as many updates as averages of this time scale look back."""
        half = window_length(time_scale) // 2
        return super().matched(time_scale=time_scale, **shared, half_window=half)


def half_window_progress(score: ArrayLike, count: ArrayLike) -> np.ndarray:
    """|mean of the newer half - mean of the older half| of each row's scores.

    Args:
        score: Ring buffers, shape (row, slot): the n-th score of a row is in slot n % slots.
        count: Scores ever put into each row, shape (row,).
    """
    score = check_numbers("score", score, MODERATE)
    if score.ndim != 2 or not score.size:
        raise ValueError(f"score must have shape (row, slot), not {score.shape}")
    return _progress(score, check_counts("count", count, len(score)))


def _progress(score: np.ndarray, count: np.ndarray) -> np.ndarray:
    slots = score.shape[1]
    kept = np.minimum(count, slots)
    newer_count = kept // 2
    older_count = kept - newer_count
    # 0 for the newest score; what has never been written is older than all that is kept.
    age = (count[:, None] - 1 - np.arange(slots)) % slots
    # Relative to the first slot, so that equal scores have a progress of 0 exactly.
    relative = score - score[:, :1]
    newer = np.einsum("rs,rs->r", relative, age < newer_count[:, None], dtype=np.float64)
    kept_sum = np.einsum("rs,rs->r", relative, age < kept[:, None], dtype=np.float64)
    older = kept_sum - newer
    difference = newer / np.maximum(newer_count, 1) - older / np.maximum(older_count, 1)
    return np.where(newer_count > 0, np.abs(difference), 0.0)

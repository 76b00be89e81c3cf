"""A fixed band of success probabilities: the rule that the paper argues against (section 2.2)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.curriculum.checks import check_at_least, check_fraction
from lapis.curriculum.teacher import Teacher, follow_success, mix_uniform


class SuccessBand(Teacher):
    """Samples the tasks that are neither too hard nor too easy: success in [low, high].

    Tasks between two fixed thresholds is how POET admits environments (Wang et al. 2019, the
    minimal criterion) and how automatic domain randomization widens its ranges (OpenAI 2019,
    thresholds t_L and t_H). Both judge a score; here it is the success average.

    Args:
        task_count: Number of tasks.
        low: Success below which a task is too hard.
        high: Success above which a task is too easy.
        time_scale: Time scale of the success average [updates], which starts at 0.
        floor: Least total share of the probability that is spread uniformly over all tasks. With
            0 no task outside the band is measured again while there is one inside.
    """

    _learnt: ClassVar[tuple[str, ...]] = ("success_",)

    def __init__(
        self,
        task_count: int,
        *,
        low: float = 0.1,
        high: float = 0.9,
        time_scale: float = 1250.0,
        floor: float = 0.1,
    ) -> None:
        super().__init__(task_count)
        self.low, self.high = _check_band(low, high)
        self.time_scale = check_at_least("time_scale", time_scale, 1.0)
        self.floor = check_fraction("floor", floor, closed=True)
        self.success_ = np.zeros(self.task_count)

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        return mix_uniform(band_probabilities(self.success_, self.low, self.high), self.floor)

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        follow_success(self.success_, successes, attempts, self.time_scale)


def band_probabilities(success: ArrayLike, low: float, high: float) -> np.ndarray:
    """Uniform over the tasks with low <= success <= high; over all tasks if there is none."""
    low, high = _check_band(low, high)
    success = np.asarray(success, dtype=np.float64)
    inside = (success >= low) & (success <= high)
    if not inside.any():
        inside = np.ones_like(inside)
    return inside / np.count_nonzero(inside)


def _check_band(low: float, high: float) -> tuple[float, float]:
    low = check_fraction("low", low, closed=True)
    high = check_fraction("high", high, closed=True)
    if low >= high:
        raise ValueError(f"low must be below high = {high}, not {low}")
    return low, high

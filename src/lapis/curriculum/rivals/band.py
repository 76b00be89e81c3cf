"""A fixed band of success probabilities: the rule that the paper argues against (section 2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.bounds import SHARE, check, require
from lapis.curriculum.teacher import TIME_SCALE, Teacher, follow_success, mix_uniform
from lapis.registry import TeacherSettings


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

    _learned: ClassVar[tuple[str, ...]] = ("success_",)

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
        self.time_scale = check("time_scale", time_scale, TIME_SCALE)
        self.floor = check("floor", floor, SHARE)
        self.success_ = np.zeros(self.task_count)

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        return mix_uniform(band_probabilities(self.success_, self.low, self.high), self.floor)

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        follow_success(self.success_, successes, attempts, self.time_scale)


@dataclass(frozen=True, kw_only=True)
class SuccessBandConfig(TeacherSettings):
    """Goals that are neither too hard nor too easy."""

    low: Annotated[float, SHARE] = 0.1
    """Success below which a goal is too hard."""
    high: Annotated[float, SHARE] = 0.9
    """Success above which a goal is too easy."""
    time_scale: Annotated[float, TIME_SCALE] = 1250.0
    """Time scale of the success average [updates]."""
    floor: Annotated[float, SHARE] = 0.1
    """Share of the probability that is spread evenly over all goals."""

    def build(self, task_count: int) -> SuccessBand:
        """A teacher of so many tasks."""
        return SuccessBand(task_count, **vars(self))


def band_probabilities(success: ArrayLike, low: float, high: float) -> np.ndarray:
    """Uniform over the tasks with low <= success <= high; over all tasks if there is none."""
    low, high = _check_band(low, high)
    success = np.asarray(success, dtype=np.float64)
    inside = (success >= low) & (success <= high)
    if not inside.any():
        inside = np.ones_like(inside)
    return inside / np.count_nonzero(inside)


def _check_band(low: float, high: float) -> tuple[float, float]:
    low = check("low", low, SHARE)
    high = check("high", high, SHARE)
    require(low < high, "low", low, f"below high = {high}")
    return low, high

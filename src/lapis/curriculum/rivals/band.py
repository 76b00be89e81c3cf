"""A fixed band of success probabilities: the rule that the paper argues against (section 2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import check_per_task
from lapis.bounds import SHARE, Bound, require
from lapis.curriculum.teacher import TIME_SCALE, Teacher, follow_success, mix_uniform
from lapis.registry import TeacherSettings


class SuccessBand(Teacher):
    """Samples the tasks that are neither too hard nor too easy: success in [low, high].

    POET admits environments by two such thresholds (Wang et al. 2019, the minimal criterion), and
    automatic domain randomization widens its ranges by them (OpenAI 2019, thresholds t_L and t_H).
    Both judge a score; here it is the success average.

    Args:
        task_count: Number of tasks.
        settings: Fields of `SuccessBandConfig`.
    """

    _learned: ClassVar[Mapping[str, Bound]] = {"success_": SHARE}

    def __init__(self, task_count: int, **settings: Any) -> None:
        super().__init__(task_count)
        self.settings = SuccessBandConfig(**settings)
        self.success_ = np.zeros(self.task_count)

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        band = band_probabilities(self.success_, self.settings.low, self.settings.high)
        return mix_uniform(band, self.settings.floor)

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        follow_success(self.success_, successes, attempts, self.settings.time_scale)


@dataclass(frozen=True, kw_only=True)
class SuccessBandConfig(TeacherSettings):
    """Goals that are neither too hard nor too easy."""

    low: Annotated[float, SHARE] = 0.1
    """Success below which a goal is too hard."""
    high: Annotated[float, SHARE] = 0.9
    """Success above which a goal is too easy."""
    time_scale: Annotated[float, TIME_SCALE] = 1250.0
    """Time scale of the success average [updates], which starts at 0."""
    floor: Annotated[float, SHARE] = 0.1
    """Share of the probability that is spread evenly over all goals. With 0, no goal outside the
    band is measured again while there is one inside."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.low < self.high, "low", self.low, f"below high = {self.high}")

    def build(self, task_count: int) -> SuccessBand:
        """A teacher of `task_count` tasks."""
        return SuccessBand(task_count, **vars(self))


def band_probabilities(success: ArrayLike, low: float, high: float) -> np.ndarray:
    """Uniform over the tasks with low <= success <= high; over all tasks if there is none."""
    SuccessBandConfig(low=low, high=high)  # checks them
    success = check_per_task("success", success, SHARE)
    inside = (success >= low) & (success <= high)
    if not inside.any():
        inside = np.ones_like(inside)
    return inside / np.count_nonzero(inside)

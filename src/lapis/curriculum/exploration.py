"""The exploration set of the dynamic bonus (paper P8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import check_numbers, check_shape
from lapis.bounds import FRACTION, SHARE, Bound, Checked, check
from lapis.curriculum.teacher import TIME_SCALE, Tracker, follow_success


class ExplorationSet(Tracker):
    """The tasks that still pay an exploration bonus: those with a success below the threshold.

    A task leaves the set when its success average reaches the threshold, and returns when the
    average falls below it again. At the start all tasks are in the set.

    Args:
        task_count: Number of tasks.
        threshold: Success probability below which a task is a member.
        time_scale: Time scale of the success average [updates].
    """

    _learned: ClassVar[Mapping[str, Bound]] = {"success_": SHARE}

    def __init__(self, task_count: int, threshold: float = 0.1, time_scale: float = 1250.0) -> None:
        super().__init__(task_count)
        self.threshold = check("threshold", threshold, FRACTION)
        self.time_scale = check("time_scale", time_scale, TIME_SCALE)
        self.success_ = np.zeros(self.task_count)

    def start_at(self, success: ArrayLike) -> None:
        """The success averages begin at `success`, shape (task,), instead of 0."""
        values = check_numbers("success", success, SHARE)
        check_shape("success", values, (self.task_count,))
        self.success_ = values.copy()

    def members(self) -> np.ndarray:
        """Whether each task is in the set now, bool, shape (task,)."""
        return self.success_ < self.threshold

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        follow_success(self.success_, successes, attempts, self.time_scale)


@dataclass(frozen=True, kw_only=True)
class ExplorationConfig(Checked):
    """Which goals still pay a dynamic bonus (paper P8)."""

    threshold: Annotated[float, FRACTION] = 0.1
    """Success probability below which a goal is in the exploration set."""
    time_scale: Annotated[float, TIME_SCALE] = 1250.0
    """Time scale of the success average [updates], which also decides what counts as discovered."""

    def build(self, task_count: int) -> ExplorationSet:
        """The set, with all goals in it."""
        return ExplorationSet(task_count, **vars(self))

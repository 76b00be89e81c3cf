"""The exploration set of the dynamic bonus (paper P8)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from lapis.curriculum.checks import check_at_least, check_fraction
from lapis.curriculum.teacher import Tracker, follow_success


class ExplorationSet(Tracker):
    """The tasks that still pay an exploration bonus: those with a success below the threshold.

    A task leaves the set when its success average rises to the threshold and comes back when it
    falls below again. All tasks start inside.

    Args:
        task_count: Number of tasks.
        threshold: Success probability below which a task is a member.
        time_scale: Time scale of the success average [updates].
    """

    _learnt: ClassVar[tuple[str, ...]] = ("success_",)

    def __init__(self, task_count: int, threshold: float = 0.1, time_scale: float = 1250.0) -> None:
        super().__init__(task_count)
        self.threshold = check_fraction("threshold", threshold)
        self.time_scale = check_at_least("time_scale", time_scale, 1.0)
        self.success_ = np.zeros(self.task_count)

    def members(self) -> np.ndarray:
        """Whether each task is in the set now, bool, shape (task,)."""
        return self.success_ < self.threshold

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        follow_success(self.success_, successes, attempts, self.time_scale)

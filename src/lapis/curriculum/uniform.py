"""All tasks with equal probability: the baseline (paper P5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapis.curriculum.teacher import Teacher
from lapis.registry import TeacherSettings


class Uniform(Teacher):
    """Always samples every task with the same probability."""

    def probabilities(self) -> np.ndarray:
        """1 / task_count for each task, shape (task,)."""
        return np.full(self.task_count, 1.0 / self.task_count)

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        pass


@dataclass(frozen=True, kw_only=True)
class UniformConfig(TeacherSettings):
    """All goals equally often."""

    def build(self, task_count: int) -> Uniform:
        """A teacher of `task_count` tasks."""
        return Uniform(task_count)

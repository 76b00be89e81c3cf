"""The best curriculum when the graph is known: a yardstick for the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from lapis.bounds import FRACTION, SHARE, Bound, check
from lapis.curriculum.simulation.graph import TaskGraph
from lapis.curriculum.teacher import TIME_SCALE, Teacher, follow_success


class Frontier(Teacher):
    """Samples the tasks that are not mastered yet and whose prerequisites all are.

    It is told the graph, which no real teacher is. Once all is mastered it samples uniformly.

    Args:
        graph: The tasks.
        mastered: Measured success from which a task counts as mastered.
        time_scale: Time scale of the success average [updates].
    """

    _learned: ClassVar[Mapping[str, Bound]] = {"success_": SHARE}

    def __init__(self, graph: TaskGraph, mastered: float = 0.1, time_scale: float = 20.0) -> None:
        super().__init__(graph.task_count)
        self.mastered = check("mastered", mastered, FRACTION)
        self.time_scale = check("time_scale", time_scale, TIME_SCALE)
        self.success_ = np.zeros(self.task_count)
        self._prerequisites = graph.padded_prerequisites()

    def probabilities(self) -> np.ndarray:
        """Equal for the tasks at the frontier, 0 elsewhere, shape (task,), sum 1."""
        known = self.success_ >= self.mastered
        ready = np.append(known, True)[self._prerequisites].all(axis=0)
        # While a first prerequisite is being forgotten the frontier falls back to it.
        chosen = ready & ~known
        if not chosen.any():
            chosen = np.ones(self.task_count, dtype=bool)
        return chosen / chosen.sum()

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        follow_success(self.success_, successes, attempts, self.time_scale)

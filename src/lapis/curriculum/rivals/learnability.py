"""Sampling For Learnability (Rutherford et al. 2024): the tasks solved about half of the time."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.curriculum.checks import check_at_least, check_fraction, check_whole
from lapis.curriculum.teacher import Teacher, follow_success, mix_uniform


class Learnability(Teacher):
    """Samples the tasks with the greatest p (1 - p), and all tasks for the rest of the time.

    Rutherford et al. 2024 ("No Regrets", the section and algorithm "Sampling For Learnability")
    estimate the success p of many random levels by separate rollouts, keep the K with the greatest
    p (1 - p), and draw a share rho of the training levels uniformly from them, the others from all
    levels. Here p is the success average of the attempts that training makes anyway: it costs no
    extra rollouts, and it lags.

    Args:
        task_count: Number of tasks.
        top_count: The K tasks to prefer, 1 to task_count; None for a tenth of the tasks (at least
            1). The authors keep 100 of 5,000 or 1,000 of 25,000 levels.
        time_scale: Time scale of the success average [updates], which starts at 0.
        floor: Share of the probability that is spread uniformly over all tasks: the authors'
            1 - rho, which is 0.5 in their configurations.
    """

    _learnt: ClassVar[tuple[str, ...]] = ("success_",)

    def __init__(
        self,
        task_count: int,
        *,
        top_count: int | None = None,
        time_scale: float = 1250.0,
        floor: float = 0.5,
    ) -> None:
        super().__init__(task_count)
        if top_count is None:
            top_count = max(1, self.task_count // 10)
        self.top_count = _check_top_count(top_count, self.task_count)
        self.time_scale = check_at_least("time_scale", time_scale, 1.0)
        self.floor = check_fraction("floor", floor, closed=True)
        self.success_ = np.zeros(self.task_count)

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        top = top_probabilities(learnability(self.success_), self.top_count)
        return mix_uniform(top, self.floor)

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        follow_success(self.success_, successes, attempts, self.time_scale)


def learnability(success: ArrayLike) -> np.ndarray:
    """Variance of a task's outcome, p (1 - p): 0 if never or always solved, 1/4 at most."""
    p = np.asarray(success, dtype=np.float64)
    return p * (1.0 - p)


def top_probabilities(score: ArrayLike, count: int) -> np.ndarray:
    """Uniform over the `count` tasks with the greatest score.

    Tasks that tie for the last places share them, so that the order of the tasks does not matter.
    """
    score = np.asarray(score, dtype=np.float64)
    count = _check_top_count(count, score.size)
    last = np.partition(score, score.size - count)[score.size - count]
    above, tied = score > last, score == last
    places = (count - np.count_nonzero(above)) / np.count_nonzero(tied)
    return (above + places * tied) / count


def _check_top_count(count: int, task_count: int) -> int:
    count = check_whole("top_count", count, 1)
    if count > task_count:
        raise ValueError(f"top_count must be at most task_count = {task_count}, not {count}")
    return count

"""Sampling For Learnability (Rutherford et al. 2024): the tasks solved about half of the time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import FINITE, check_numbers, check_per_task
from lapis.bounds import COUNT, SHARE, Bound, check
from lapis.curriculum.teacher import TIME_SCALE, Teacher, follow_success, mix_uniform
from lapis.registry import TeacherSettings


class Learnability(Teacher):
    """Samples the tasks with the greatest p (1 - p), and all tasks for the rest of the time.

    Rutherford et al. 2024 ("No Regrets", the section and algorithm "Sampling For Learnability")
    estimate the success p of many random levels by separate rollouts, keep the K with the greatest
    p (1 - p), and draw a share rho of the training levels uniformly from them, the others from all
    levels. Here p is the success average of the attempts that training makes anyway: it needs no
    extra rollouts, but it lags.

    Args:
        task_count: Number of tasks.
        settings: Fields of `LearnabilityConfig`; `top_count` is at most `task_count`.
    """

    _learned: ClassVar[Mapping[str, Bound]] = {"success_": SHARE}

    def __init__(self, task_count: int, **settings: Any) -> None:
        super().__init__(task_count)
        self.settings = LearnabilityConfig(**settings)
        top_count = self.settings.top_count
        if top_count is None:
            top_count = max(1, self.task_count // 10)
        self.top_count = _check_top_count(top_count, self.task_count)
        self.success_ = np.zeros(self.task_count)

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        top = top_probabilities(learnability(self.success_), self.top_count)
        return mix_uniform(top, self.settings.floor)

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        follow_success(self.success_, successes, attempts, self.settings.time_scale)


@dataclass(frozen=True, kw_only=True)
class LearnabilityConfig(TeacherSettings):
    """The goals that are obtained about half of the time."""

    top_count: Annotated[int, COUNT] | None = None
    """How many goals are preferred; None: a tenth of them, at least 1. The authors keep 100 of
    5,000 or 1,000 of 25,000 levels."""
    time_scale: Annotated[float, TIME_SCALE] = 1250.0
    """Time scale of the success average [updates], which starts at 0."""
    floor: Annotated[float, SHARE] = 0.5
    """Share of the probability that is spread evenly over all goals: the authors' 1 - rho."""

    def build(self, task_count: int) -> Learnability:
        """A teacher of `task_count` tasks."""
        return Learnability(task_count, **vars(self))


def learnability(success: ArrayLike) -> np.ndarray:
    """Variance of a task's outcome, p (1 - p): 0 if never or always solved, 1/4 at most."""
    p = check_numbers("success", success, SHARE)
    return p * (1.0 - p)


def top_probabilities(score: ArrayLike, count: int) -> np.ndarray:
    """Uniform over the `count` tasks with the greatest score.

    Tasks that tie for the last places share them, so that the order of the tasks does not matter.
    """
    score = check_per_task("score", score, FINITE)
    count = _check_top_count(count, score.size)
    last = np.partition(score, score.size - count)[score.size - count]
    above, tied = score > last, score == last
    places = (count - np.count_nonzero(above)) / np.count_nonzero(tied)
    return (above + places * tied) / count


def _check_top_count(count: int, task_count: int) -> int:
    return check("top_count", count, Bound(least=1, most=task_count, whole=True))

"""Teacher-Student Curriculum Learning (Matiisen et al. 2017), its "Window" algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import MODERATE, check_numbers, check_per_task, check_shape
from lapis.bounds import NOT_NEGATIVE, SHARE, Bound, check
from lapis.curriculum.checks import COUNTED
from lapis.curriculum.teacher import MOST_WINDOW, Teacher, mix_uniform, window_length
from lapis.registry import TeacherSettings

WINDOW = Bound(least=2, most=MOST_WINDOW, whole=True)
"""A line takes two points."""


class RegressionSlope(Teacher):
    """Samples the task whose recent scores have the steepest regression line, up or down.

    Each task keeps its last `window` scores (the mean outcome of an update) and when they were
    made (the index of the update). The absolute slope of the least-squares line through them is
    the task's progress. A task with fewer than two scores has slope 1, as in the authors' code:
    no success can change faster, so that new tasks come first.

    Matiisen et al. 2017, section 3: the Window algorithm, with epsilon-greedy choice or a
    Boltzmann distribution.

    Args:
        task_count: Number of tasks.
        settings: Fields of `RegressionSlopeConfig`.
    """

    _learned: ClassVar[Mapping[str, Bound]] = {
        **dict.fromkeys(("slope_", "score_"), SHARE),
        **dict.fromkeys(("score_update_", "count_", "update_"), COUNTED),
    }

    def __init__(self, task_count: int, **settings: Any) -> None:
        super().__init__(task_count)
        self.settings = RegressionSlopeConfig(**settings)
        shape = (self.task_count, self.settings.window)
        self.slope_ = np.ones(self.task_count)
        self.score_ = np.zeros(shape)
        self.score_update_ = np.zeros(shape, np.int64)
        self.count_ = np.zeros(self.task_count, np.int64)
        self.update_ = np.zeros(1, np.int64)

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        probabilities = boltzmann_probabilities(self.slope_, self.settings.temperature)
        return mix_uniform(probabilities, self.settings.floor)

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        tried = np.flatnonzero(attempts)
        slot = self.count_[tried] % self.settings.window
        self.score_[tried, slot] = successes[tried] / attempts[tried]
        self.score_update_[tried, slot] = self.update_
        self.count_[tried] += 1
        count = self.count_[tried]
        slope = _slope(
            self.score_update_[tried] - self.update_,
            self.score_[tried],
            np.arange(self.settings.window) < count[:, None],  # slots fill in order
        )
        self.slope_[tried] = np.where(count >= 2, np.abs(slope), 1.0)
        self.update_ += 1


@dataclass(frozen=True, kw_only=True)
class RegressionSlopeConfig(TeacherSettings):
    """The goal with the steepest line through its recent scores."""

    window: Annotated[int, WINDOW] = 10
    """Scores kept for each goal; the authors keep 10."""
    temperature: Annotated[float, NOT_NEGATIVE] = 0.0
    """0: only the steepest (ties share); above 0: in proportion to exp(slope / temperature). The
    authors' code has 0.0004."""
    floor: Annotated[float, SHARE] = 0.1
    """Share of the probability that is spread evenly over all goals: the authors' epsilon. They
    use none with a temperature."""

    def build(self, task_count: int) -> RegressionSlope:
        """A teacher of `task_count` tasks."""
        return RegressionSlope(task_count, **vars(self))

    @classmethod
    def matched(cls, *, time_scale: float, **shared: Any) -> Self:
        """Scores of as many updates as averages of this time scale look back."""
        window = window_length(time_scale)
        return super().matched(time_scale=time_scale, **shared, window=window)


def regression_slope(time: ArrayLike, score: ArrayLike, known: ArrayLike) -> np.ndarray:
    """Slope of the least-squares line through the known (time, score) points of each row.

    sum (t - mean t) (s - s0) / sum (t - mean t)^2 with any constant s0. It is the row's first
    score here, so that equal scores have slope 0 exactly. Rows with fewer than two times have 0.

    Args:
        time: When each score was made, shape (row, slot).
        score: The scores, shape (row, slot).
        known: Which slots hold a point, shape (row, slot); if any does, the first one does.
    """
    score = check_numbers("score", score, MODERATE)
    if score.ndim != 2 or not score.size:
        raise ValueError(f"score must have shape (row, slot), not {score.shape}")
    time = check_numbers("time", time, MODERATE)
    known = check_numbers("known", known, SHARE)
    check_shape("time", time, score.shape)
    check_shape("known", known, score.shape)
    return _slope(time, score, known)


def _slope(time: np.ndarray, score: np.ndarray, known: np.ndarray) -> np.ndarray:
    known = known.astype(np.float64, copy=False)
    time = time.astype(np.float64, copy=False)
    point_count = np.maximum(known.sum(axis=1), 1.0)
    mean_time = np.einsum("rs,rs->r", time, known) / point_count
    deviation = (time - mean_time[:, None]) * known
    rise = np.einsum("rs,rs->r", deviation, score - score[:, :1])
    spread = np.einsum("rs,rs->r", deviation, deviation)
    return np.divide(rise, spread, where=spread > 0.0, out=np.zeros_like(rise))


def boltzmann_probabilities(value: ArrayLike, temperature: float) -> np.ndarray:
    """exp(value / temperature), normalized; at 0 the limit, which tied maxima share."""
    value = check_per_task("value", value, MODERATE)
    below = value - value.max()
    if check("temperature", temperature, NOT_NEGATIVE) == 0.0:
        weight = (below == 0.0).astype(np.float64)
    else:
        with np.errstate(over="ignore"):  # -infinity is right: its exponential is 0
            weight = np.exp(below / temperature)
    return weight / weight.sum()

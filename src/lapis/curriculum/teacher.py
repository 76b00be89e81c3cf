"""What every curriculum shares: counting outcomes, sampling tasks, saving and loading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import as_array, check_numbers, check_shape
from lapis.bounds import SHARE, Bound, check, shown
from lapis.curriculum.checks import COUNTED, TASKS
from lapis.curriculum.outcomes import (
    add_scores,
    check_score,
    check_squares,
    check_sums,
    loaded_scores,
    saved_scores,
)

TIME_SCALE = Bound(least=1, most=1e12)
"""Of averages [updates]. Longer ones would not move at all within the precision of float64."""
DRAWS = Bound(least=0, most=10**9, whole=True)
MOST_WINDOW = 10**6
"""Scores of a task that a teacher keeps, at most."""


class Tracker:
    """Learns from the outcomes of attempts: two vectors of counts per update and nothing else.

    A subclass writes `_learn`, which gets checked counts and must not change or keep them (they
    may be the caller's own arrays), and lists the arrays that it learns in `_learned`.
    """

    _learned: ClassVar[Mapping[str, Bound]] = {}
    """The attributes that hold what is learned (their names end in an underscore), and the bounds
    of their numbers, which loaded states must keep."""

    def __init__(self, task_count: int) -> None:
        self.task_count = check("task_count", task_count, TASKS)
        self._recorded = np.zeros((2, self.task_count), np.int64)
        self._has_records = False
        self._scores: list[tuple[int, float]] = []  # recorded ones that are neither 0 nor 1
        self._graded: np.ndarray | None = None  # for `_learn`, see `update`

    def update(
        self,
        successes: ArrayLike | None = None,
        attempts: ArrayLike | None = None,
        squares: ArrayLike | None = None,
    ) -> None:
        """Learns from the counts per task since the last update, and from what `record` buffered.

        Args:
            successes: Attempts that succeeded, shape (task,): whole numbers or booleans. Or the
                sum of the scores of all attempts, each from 0 to 1.
            attempts: Attempts that ended, shape (task,). A task without attempts learns nothing
                from this update (paper P1): it counts neither as failed nor as solved.
            squares: Sum of the squared scores, shape (task,). It tells `noise_shrinkage` how much
                scores vary; without it they are taken to vary as much as successes.
        """
        if (successes is None) != (attempts is None):
            raise ValueError("update needs both successes and attempts, or neither after record()")
        if successes is None and squares is not None:
            raise ValueError("update takes squares together with successes and attempts only")
        succeeded, tried = self._recorded
        squared = None
        if successes is not None:
            succeeded, tried = check_sums(successes, attempts, self.task_count)
            if squares is not None:
                squared = check_squares(squares, succeeded, self.task_count)
            if self._has_records:
                succeeded, tried = succeeded + self._recorded[0], tried + self._recorded[1]
                squared = None if squared is None else squared + self._recorded[0]
        succeeded, tried, squared = add_scores(succeeded, tried, squared, self._scores)
        # The sum of s (1 - s): 0 for successes and failures.
        self._graded = None if squared is None else np.maximum(succeeded - squared, 0.0)
        self._learn(succeeded, tried)
        if self._has_records:
            self._recorded[:] = 0
            self._scores = []
            self._has_records = False

    def record(self, task: int, success: float) -> None:
        """Buffers one attempt's outcome, True, False or a score from 0 to 1, until `update`."""
        task = check("task", task, Bound(least=0, below=self.task_count, whole=True))
        score = check_score("success", success)
        if score in (0.0, 1.0):
            self._recorded[0, task] += int(score)
        else:
            self._scores.append((task, score))
        self._recorded[1, task] += 1
        self._has_records = True

    def state_dict(self) -> dict[str, Any]:
        """Everything learned so far; a teacher that loads it continues bit for bit."""
        arrays = {name: getattr(self, name).copy() for name in self._learned}
        scores = {"recorded_scores": saved_scores(self._scores)} if self._scores else {}
        return {
            "class": type(self).__name__,
            "task_count": self.task_count,
            "recorded": self._recorded.copy(),
            **scores,
            **arrays,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Loads a state from `state_dict` of the same class and number of tasks.

        Raises:
            ValueError: It is of another kind, or could not come from learning. Then nothing has
                changed.
        """
        self._check_kind(state)
        recorded = self._loaded("recorded", self._recorded, state, COUNTED)
        saved = state.get("recorded_scores", np.zeros((0, 2)))  # only there if there were some
        scores = loaded_scores("state['recorded_scores']", saved, self.task_count)
        graded = np.bincount([task for task, _ in scores], minlength=self.task_count)
        if (recorded[0] + graded > recorded[1]).any():
            raise ValueError("state['recorded'] has a task with more successes than attempts")
        loaded = {"_recorded": recorded}
        for name, bound in self._learned.items():
            loaded[name] = self._loaded(name, getattr(self, name), state, bound)
        self._scores = scores
        for name, array in loaded.items():
            setattr(self, name, array)
        self._has_records = bool(self._recorded.any())

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        raise NotImplementedError

    def _check_kind(self, state: Mapping[str, Any]) -> None:
        if not isinstance(state, Mapping):
            raise ValueError(f"state must come from state_dict(), not {shown(state)}")
        # Files may hold them as arrays without axes.
        kind, count = (
            value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
            for value in (state.get("class"), state.get("task_count"))
        )
        if not isinstance(kind, str) or kind != type(self).__name__:
            raise ValueError(f"state is of class {shown(kind)}; this is a {type(self).__name__}")
        if not isinstance(count, int | np.integer) or count != self.task_count:
            raise ValueError(f"state has task_count {shown(count)}; this has {self.task_count}")

    @staticmethod
    def _loaded(
        name: str, current: np.ndarray, state: Mapping[str, Any], bound: Bound
    ) -> np.ndarray:
        if name not in state:
            raise ValueError(f"state lacks {name!r}; was it saved with other options?")
        array = as_array(f"state[{name!r}]", state[name])
        if array.shape != current.shape or array.dtype.kind != current.dtype.kind:
            raise ValueError(
                f"state[{name!r}] is {array.dtype} of shape {array.shape}; "
                f"expected {current.dtype} of shape {current.shape}"
            )
        check_numbers(f"state[{name!r}]", array, bound)
        return array.astype(current.dtype, copy=True)


class Teacher(Tracker):
    """A tracker that chooses tasks: a subclass also writes `probabilities`."""

    def start_at(self, success: ArrayLike) -> None:
        """Begins with each task's success in another run, shape (task,).

        Teachers without an average of it begin as usual.
        """

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        raise NotImplementedError

    def sample(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draws `count` tasks independently, int64, shape (count,)."""
        count = check("count", count, DRAWS)
        if not isinstance(rng, np.random.Generator):
            raise ValueError(f"rng must be a numpy.random.Generator, not {shown(rng)}")
        probabilities = check_numbers("probabilities()", self.probabilities(), SHARE)
        check_shape("probabilities()", probabilities, (self.task_count,))
        return draw(probabilities, count, rng)


def draw(probabilities: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Draws `count` indices independently, int64, shape (count,).

    Inverts the cumulative distribution at uniform numbers. A table of what the inverse is at the
    left edge of equal cells answers most of them at once; only a number whose cell holds a border
    between two tasks needs a search. The result is the same as if all were searched, but faster.
    """
    upper = np.cumsum(probabilities)
    upper /= upper[-1]  # the last becomes exactly 1, which rng.random() never reaches
    number = rng.random(count)
    if probabilities.size > 8 * count:  # too few draws to make the table worth its while
        return upper.searchsorted(number, side="right")
    cell_count = 1 << (2 * max(count, probabilities.size)).bit_length()  # exact in products
    last = np.ceil(upper * cell_count).astype(np.int64)
    cells = last.copy()
    cells[1:] -= last[:-1]
    left = np.repeat(np.arange(probabilities.size), cells)
    index = left[(number * cell_count).astype(np.int64)]
    unsure = np.flatnonzero(upper[index] <= number)
    index[unsure] = upper.searchsorted(number[unsure], side="right")
    return index


def mix_uniform(probabilities: np.ndarray, share: float) -> np.ndarray:
    """Spreads `share` of the probability evenly over all tasks and keeps the rest as it was."""
    if share == 0.0:
        return probabilities
    return (1.0 - share) * probabilities + share / probabilities.size


def follow_success(
    average: np.ndarray, successes: np.ndarray, attempts: np.ndarray, time_scale: float
) -> np.ndarray:
    """Moves `average` in place towards each tried task's mean outcome (paper P1).

    average += (mean - average) / time_scale where attempts > 0; returns the rate of each task,
    1 / time_scale or 0.
    """
    # DEVIATION: a task without attempts keeps its average, so its time scale counts tried updates.
    rate = (attempts > 0) / time_scale
    # In place: for millions of tasks, new memory takes longer than the arithmetic.
    step = successes / np.maximum(attempts, 1)
    step -= average
    step *= rate
    average += step
    return rate


def window_length(time_scale: float) -> int:
    """Scores in a window that looks back as far as averages of this time scale: 4 time scales.

    The difference of the fast and the slow average weighs the change of success of k updates ago
    with (k / time_scale) exp(-k / time_scale), so what it measures happened 2 time scales ago on
    average. What two halves of a window, or a line through it, measure happened half a window ago
    on average. With 4 time scales both are equally late; their noise as an estimate of the change
    per update is then alike too (variances 1/4 : 1/4 : 3/16 of p (1 - p) / (n time_scale^3)).
    """
    return 2 * round(2.0 * check("time_scale", time_scale, TIME_SCALE))

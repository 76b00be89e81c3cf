"""Outcomes of attempts, counted per task: successes and failures, or scores from 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import MODERATE, as_array, check_numbers, check_shape
from lapis.bounds import SHARE, Bound, check, shown
from lapis.curriculum.checks import TASKS, check_counts

Totals = tuple[np.ndarray, np.ndarray, np.ndarray | None]
"""Of an update: sums of outcomes, attempts, and sums of squares (None: all are 0 or 1)."""


class OutcomeCounts:
    """Counts attempts and outcomes per task, until a curriculum is updated with them.

    An outcome is True, False or a score from 0 to 1. None and NaN mean that nothing was attempted.
    Sums of scores are exact: they are rounded only once, whatever the order, so that the counts of
    many workers add up to what one worker would have counted.

    Args:
        task_count: Number of tasks.
    """

    def __init__(self, task_count: int) -> None:
        self.task_count = check("task_count", task_count, TASKS)
        self._task = Bound(least=0, below=self.task_count, whole=True)
        self.clear()

    def clear(self) -> None:
        """Forgets everything."""
        self._whole = np.zeros((2, self.task_count), np.int64)
        self._graded: list[tuple[int, float]] = []

    def add(self, task: Any, outcome: Any) -> None:
        """Counts one attempt; None or NaN, as task or as outcome, does not count as an attempt."""
        if _is_missing(outcome) or _is_missing(task):
            return
        task = check("task", _as_whole(task), self._task)
        score = check_score("outcome", outcome)
        self._whole[1, task] += 1
        if score in (0.0, 1.0):
            self._whole[0, task] += int(score)
        else:
            self._graded.append((task, score))

    def add_many(self, tasks: Iterable[Any], outcomes: Iterable[Any]) -> None:
        """Counts attempts, one for each pair; pairs with a None or a NaN do not count."""
        for task, outcome in zip(tasks, outcomes, strict=True):
            self.add(task, outcome)

    def add_info(self, info: Mapping[str, Any]) -> None:
        """Counts what one step of an environment reports, if that has both keys."""
        self.add(info.get("task"), info.get("task_succeeded"))

    def merge(self, other: OutcomeCounts) -> None:
        """Adds all that another worker has counted."""
        if other.task_count != self.task_count:
            raise ValueError(f"other has {other.task_count} tasks; this has {self.task_count}")
        self._whole += other._whole
        self._graded += other._graded

    def totals(self) -> Totals:
        """What `Teacher.update` takes: sums of outcomes, attempts, sums of squared outcomes."""
        return add_scores(self._whole[0].copy(), self._whole[1].copy(), None, self._graded)

    def teach(self, curriculum: Any) -> np.ndarray:
        """Updates the curriculum with everything counted so far, and resets the counts.

        Returns:
            The curriculum's probabilities from now on, shape (task,).
        """
        curriculum.update(*self.totals())
        self.clear()
        return curriculum.probabilities()


def check_score(name: str, value: Any) -> float:
    """A score from 0 to 1; True is 1 and False is 0."""
    array = as_array(name, value)
    if array.shape != () or not 0.0 <= array <= 1.0:
        raise ValueError(f"{name} must be True, False or a score from 0 to 1, not {shown(value)}")
    return float(array)


def check_sums(successes: Any, attempts: Any, task_count: int) -> tuple[np.ndarray, np.ndarray]:
    """Sums of outcomes and numbers of attempts per task, no sum above its number.

    Whole sums come back as int64, others as float64.
    """
    tried = check_counts("attempts", attempts, task_count)
    sums = as_array("successes", successes)
    is_whole = sums.dtype.kind != "f" or bool((sums == np.floor(sums)).all())
    if is_whole or sums.shape != (task_count,) or not np.isfinite(sums).all() or sums.min() < 0:
        sums = check_counts("successes", sums, task_count)  # which says what is wrong, if anything
    else:
        sums = sums.astype(np.float64)
    too_many = sums > tried
    if too_many.any():
        task = int(too_many.argmax())
        raise ValueError(
            f"successes must not exceed attempts; task {task} has "
            f"{sums[task]} successes in {tried[task]} attempts"
        )
    return sums, tried


def check_squares(squares: Any, sums: np.ndarray, task_count: int) -> np.ndarray:
    """Sums of squared scores, each between 0 and the sum of the scores."""
    array = as_array("squares", squares).astype(np.float64)
    check_shape("squares", array, (task_count,))
    # No square of a number from 0 to 1 exceeds it; two sums may be rounded in different ways.
    wrong = ~((array >= 0.0) & (array <= sums * (1.0 + 1e-9)))
    if wrong.any():
        task = int(wrong.argmax())
        raise ValueError(
            f"squares[{task}] is {array[task]}; with outcomes from 0 to 1 it lies between 0 and "
            f"successes[{task}] = {sums[task]}"
        )
    return array


def add_scores(
    sums: np.ndarray,
    attempts: np.ndarray,
    squares: np.ndarray | None,
    scores: list[tuple[int, float]],
) -> Totals:
    """Adds single scores to the sums, exactly; their attempts are counted already."""
    if not scores:
        return sums, attempts, squares
    of_task: dict[int, list[float]] = {}
    for task, score in scores:
        of_task.setdefault(task, []).append(score)
    squares = (sums if squares is None else squares).astype(np.float64)
    sums = sums.astype(np.float64)
    for task, own in of_task.items():
        squares[task] = math.fsum([squares[task], *(score * score for score in own)])
        sums[task] = math.fsum([sums[task], *own])
    return sums, attempts, squares


def scores_of_returns(returns: ArrayLike, low: ArrayLike, high: ArrayLike) -> np.ndarray:
    """Turns returns into scores: 0 up to `low`, 1 from `high` on, and linear in between.

    Fix both bounds before training (for example at the return of a random policy and at that of a
    solved task): bounds that move with the data would look like progress. NaN stays NaN.

    Args:
        returns: Of any shape.
        low: Returns that score 0; a number, or numbers that broadcast, as one for each task.
        high: Returns that score 1, above `low`.
    """
    low, high = check_numbers("low", low, MODERATE), check_numbers("high", high, MODERATE)
    values = as_array("returns", returns).astype(np.float64)
    try:
        np.broadcast_shapes(values.shape, low.shape, high.shape)
    except ValueError as error:
        shapes = f"{values.shape}, {low.shape} and {high.shape}"
        raise ValueError(
            f"returns, low and high have shapes {shapes}, which do not fit together"
        ) from error
    if not (low < high).all():
        raise ValueError(f"low is {low}, high is {high}; low must be below high")
    return np.clip((values - low) / (high - low), 0.0, 1.0)


def saved_scores(scores: list[tuple[int, float]]) -> np.ndarray:
    """As an array of shape (score, 2), which `loaded_scores` reads."""
    return np.array(scores, np.float64).reshape(-1, 2)


def loaded_scores(name: str, saved: Any, task_count: int) -> list[tuple[int, float]]:
    """What `saved_scores` was given.

    Raises:
        ValueError: It holds no scores of tasks that there are.
    """
    array = as_array(name, saved)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"{name} is {array.dtype} of shape {array.shape}; expected (score, 2)")
    task = Bound(least=0, below=task_count, whole=True)
    return [
        (
            check(f"a task of {name}", _as_whole(own), task),
            check(f"a score of {name}", score, SHARE),
        )
        for own, score in array.astype(np.float64)
    ]


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    array = as_array("outcome", value)
    return array.shape == () and array.dtype.kind == "f" and bool(np.isnan(array))


def _as_whole(task: Any) -> Any:
    """A whole number that went through an array of floats, as an int."""
    array = as_array("task", task)
    is_whole = array.shape == () and array.dtype.kind == "f" and float(array).is_integer()
    return int(array) if is_whole else task

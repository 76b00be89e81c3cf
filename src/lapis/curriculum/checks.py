"""Checks of user input; each error names the argument, the value and what is allowed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

MOST_COUNTS = 2**53
"""Up to here float64 holds every whole number, so no count is rounded."""


def check_counts(name: str, values: Any, task_count: int) -> np.ndarray:
    """Counts per task as int64, shape (task,), from anything that `np.asarray` takes.

    An int64 array comes back itself, not a copy.
    """
    array = _per_task(name, values, task_count, "whole numbers")
    kind = array.dtype.kind
    # A NaN makes both comparisons false; booleans are counts already.
    if kind != "b" and not (array.min() >= 0 and array.max() <= MOST_COUNTS):
        _refuse(name, array, ~((array >= 0) & (array <= MOST_COUNTS)))
    counts = array.astype(np.int64, copy=False)
    if kind == "f" and not np.array_equal(counts, array):
        _refuse(name, array, counts != array)
    return counts


def check_per_task(
    name: str, values: Any, task_count: int, *, least: float, below: float = math.inf
) -> np.ndarray:
    """One finite number per task with least <= number < below, as float64."""
    numbers = _per_task(name, values, task_count, "numbers").astype(np.float64)
    wrong = ~(np.isfinite(numbers) & (numbers >= least) & (numbers < below))
    if wrong.any():
        task = int(wrong.argmax())
        allowed = f"{least:g} <= x < {below:g}"
        raise ValueError(f"{name}[{task}] is {numbers[task]}; allowed are {allowed}")
    return numbers


def check_probabilities(name: str, values: Any) -> np.ndarray:
    """Numbers from 0 to 1, of any shape, as float64."""
    array = np.asarray(values, dtype=np.float64)
    # A NaN makes both comparisons false.
    if array.size and not (array.min() >= 0.0 and array.max() <= 1.0):
        bad = array[~((array >= 0.0) & (array <= 1.0))][0]
        raise ValueError(f"{name} must lie in [0, 1]; it holds {bad}")
    return array


def _per_task(name: str, values: Any, task_count: int, kind: str) -> np.ndarray:
    array = _array(name, values)
    if array.shape != (task_count,):
        raise ValueError(f"{name} must have shape ({task_count},), not {array.shape}")
    if array.dtype.kind not in "iubf":
        raise ValueError(f"{name} must hold {kind}, not {array.dtype} as {array[0]!r}")
    return array


def _array(name: str, values: Any) -> np.ndarray:
    try:
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:
        # Ragged lists, tensors on a GPU, tensors that require a gradient.
        raise ValueError(f"{name} cannot be read as a NumPy array: {error}") from error


def _refuse(name: str, array: np.ndarray, wrong: np.ndarray) -> None:
    task = int(wrong.argmax())
    raise ValueError(f"{name}[{task}] is {array[task]}; allowed are whole numbers from 0 to 2**53")

"""Checks of user input; each error names the argument, the value and what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapis.arrays import as_array, check_shape
from lapis.bounds import Bound

MOST_COUNTS = 2**53
"""Up to here float64 holds every whole number, so no count is rounded."""
TASKS = Bound(least=1, most=10**9, whole=True)
COUNTED = Bound(least=0, most=MOST_COUNTS, whole=True)


def check_counts(name: str, values: Any, task_count: int) -> np.ndarray:
    """Counts per task as int64, shape (task,), from anything that `np.asarray` takes.

    An int64 array comes back itself, not a copy.
    """
    array = as_array(name, values)
    check_shape(name, array, (task_count,))
    kind = array.dtype.kind
    if kind == "f":
        array = array.astype(np.float64, copy=False)
    # A NaN makes both comparisons false; booleans are counts already.
    if array.size and kind != "b" and not (array.min() >= 0 and array.max() <= MOST_COUNTS):
        _refuse(name, array, ~((array >= 0) & (array <= MOST_COUNTS)))
    counts = array.astype(np.int64, copy=False)
    if kind == "f" and not np.array_equal(counts, array):
        _refuse(name, array, counts != array)
    return counts


def _refuse(name: str, array: np.ndarray, wrong: np.ndarray) -> None:
    task = int(wrong.argmax())
    raise ValueError(f"{name}[{task}] is {array[task]}; allowed are whole numbers from 0 to 2**53")

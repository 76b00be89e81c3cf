"""Checks of what users pass in; each error names the argument, the value and what is allowed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def check_task_count(task_count: int) -> int:
    """A whole number of at least 1."""
    if isinstance(task_count, bool) or not isinstance(task_count, int | np.integer):
        raise ValueError(f"task_count must be a whole number, not {task_count!r}")
    if task_count < 1:
        raise ValueError(f"task_count must be at least 1, not {task_count}")
    return int(task_count)


def check_fraction(name: str, value: float, *, closed: bool = False) -> float:
    """A number strictly between 0 and 1, or with `closed` one of 0 to 1 inclusive."""
    number = _number(name, value)
    if closed and not 0.0 <= number <= 1.0:
        raise ValueError(f"{name} must lie in [0, 1], not {value!r}")
    if not closed and not 0.0 < number < 1.0:
        raise ValueError(f"{name} must lie strictly between 0 and 1, not {value!r}")
    return number


def check_at_least(name: str, value: float, least: float) -> float:
    """A finite number of at least `least`."""
    number = _number(name, value)
    if number < least:
        raise ValueError(f"{name} must be at least {least:g}, not {value!r}")
    return number


def check_whole(name: str, value: int, least: int) -> int:
    """A whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
    return int(value)


def check_choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    """One of the allowed words."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}")
    return value


def check_counts(name: str, values: Any, task_count: int) -> np.ndarray:
    """Counts per task as int64, shape (task,), from anything that `np.asarray` takes."""
    array = np.asarray(values)
    if array.shape != (task_count,):
        raise ValueError(f"{name} must have shape ({task_count},), not {array.shape}")
    if array.dtype.kind == "f":
        # min() propagates NaN and shows both infinities' signs, so these two tests see everything.
        if not np.isfinite(array).all() or (array != np.floor(array)).any():
            bad = array[~(np.isfinite(array) & (array == np.floor(array)))][0]
            raise ValueError(f"{name} must hold whole numbers; it holds {bad}")
    elif array.dtype.kind not in "iub":
        raise ValueError(f"{name} must hold whole numbers, not {array.dtype}")
    counts = array.astype(np.int64)
    least = counts.min()
    if least < 0:
        task = int(counts.argmin())
        raise ValueError(f"{name} must not be negative; {name}[{task}] is {least}")
    return counts


def check_outcomes(successes: Any, attempts: Any, task_count: int) -> tuple[np.ndarray, np.ndarray]:
    """Successes and attempts per task, no task with more successes than attempts."""
    successes = check_counts("successes", successes, task_count)
    attempts = check_counts("attempts", attempts, task_count)
    too_many = successes > attempts
    if too_many.any():
        task = int(too_many.argmax())
        raise ValueError(
            f"successes must not exceed attempts; task {task} has "
            f"{successes[task]} successes in {attempts[task]} attempts"
        )
    return successes, attempts


def check_per_task(
    name: str, values: Any, task_count: int, *, least: float, below: float = math.inf
) -> np.ndarray:
    """One finite number per task with least <= number < below, as float64."""
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (task_count,):
        raise ValueError(f"{name} must have shape ({task_count},), not {array.shape}")
    wrong = ~(np.isfinite(array) & (array >= least) & (array < below))
    if wrong.any():
        task = int(wrong.argmax())
        raise ValueError(f"{name}[{task}] is {array[task]}; allowed are {least:g} <= x < {below:g}")
    return array.copy()


def _number(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise ValueError(f"{name} must be a number, not {value!r}")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite, not {value!r}")
    return float(value)

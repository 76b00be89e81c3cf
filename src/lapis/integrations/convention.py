"""What a curriculum needs from an environment: one method, and two entries of `info`."""

from __future__ import annotations

from typing import Any, Protocol, TypedDict, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["TaskEnvironment", "TaskInfo", "check_task_probabilities"]


@runtime_checkable
class TaskEnvironment(Protocol):
    """An environment that draws its tasks with given probabilities.

    The step in which an attempt ends reports both keys of `TaskInfo` in its `info`. In all other
    steps at least one of them is missing, None or NaN. An attempt is often an episode, but may also
    be a part of one.
    """

    def set_task_probabilities(self, probabilities: np.ndarray) -> None:
        """Draws tasks with these probabilities, shape (task,), from the next one on."""
        ...


class TaskInfo(TypedDict, total=False):
    """How an attempt ended: entries of a step's `info`."""

    task: int
    """Number of the task that was attempted."""
    task_succeeded: float
    """True, False, or a score from 0 to 1."""


def check_task_probabilities(probabilities: ArrayLike, task_count: int) -> np.ndarray:
    """The probabilities as float64, for environments that write `set_task_probabilities`.

    Raises:
        ValueError: They are not one number per task, from 0 to 1, with the sum 1.
    """
    array: Any = np.asarray(probabilities, np.float64)
    if array.shape != (task_count,):
        raise ValueError(f"probabilities must have shape ({task_count},), not {array.shape}")
    # A NaN makes both comparisons false.
    if not (array.min() >= 0.0 and abs(array.sum() - 1.0) <= 1e-6):
        raise ValueError(f"probabilities must be at least 0 and sum to 1; they are {array}")
    return array

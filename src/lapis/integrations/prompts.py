"""The rows of a data set by their task."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

__all__ = ["PromptGroups"]


class PromptGroups:
    """Which rows belong to each task.

    Args:
        values: Each row's task: whole numbers from 0, or names of any kind, which are numbered in
            their sorted order.
        task_count: Number of the curriculum's tasks; each needs at least one row.
    """

    def __init__(self, values: Sequence[Hashable], task_count: int) -> None:
        values = list(values)
        numbered = all(isinstance(value, int | np.integer) for value in values)
        names = range(task_count) if numbered else sorted(set(values), key=str)
        self.names = tuple(names)
        self.row_count = len(values)
        self._number = {name: number for number, name in enumerate(self.names)}
        if len(self.names) != task_count:
            raise ValueError(
                f"the data set has {len(self.names)} tasks, but the curriculum {task_count}"
            )
        numbers = np.array([self.number(value) for value in values], np.int64)
        self._rows = [np.flatnonzero(numbers == task) for task in range(task_count)]
        for name, rows in zip(self.names, self._rows, strict=True):
            if rows.size == 0:
                raise ValueError(f"the data set has no row of task {name!r}")

    def number(self, value: Hashable) -> int:
        """The number of the task that a row's value stands for."""
        if value not in self._number:
            raise ValueError(f"a row's task is {value!r}; it must be one of {self.names}")
        return self._number[value]

    def draw(self, task: int, rng: np.random.Generator) -> int:
        """A row of this task."""
        return int(rng.choice(self._rows[task]))

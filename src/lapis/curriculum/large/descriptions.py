"""Descriptions of tasks: numbers within bounds and choices, drawn, mutated and recombined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import MODERATE, check_numbers
from lapis.bounds import Bound, Checked

BOUNDS = Bound(least=-1e9, most=1e9)


@dataclass(frozen=True, kw_only=True)
class Range(Checked):
    """A number of a description that can be anything from `low` to `high`."""

    low: Annotated[float, BOUNDS]
    """Least."""
    high: Annotated[float, BOUNDS]
    """Greatest."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.low < self.high:
            raise ValueError(f"low is {self.low}; it must be below high, which is {self.high}")


@dataclass(frozen=True, kw_only=True)
class Choice(Checked):
    """One of `count` things without an order, as a whole number from 0 on."""

    count: Annotated[int, Bound(least=2, most=1000, whole=True)]
    """How many there are."""


class Descriptions:
    """All descriptions of tasks: rows of numbers, each a `Range` or a `Choice`.

    Args:
        parts: What each number of a description can be.
    """

    def __init__(self, parts: Sequence[Range | Choice]) -> None:
        if not parts or not all(isinstance(part, Range | Choice) for part in parts):
            raise ValueError(f"parts must be at least one Range or Choice, not {parts!r:.60}")
        self.parts = tuple(parts)
        self._low = np.array([each.low if isinstance(each, Range) else 0.0 for each in parts])
        self._high = np.array(
            [each.high if isinstance(each, Range) else each.count for each in parts], float
        )
        self._is_choice = np.array([isinstance(each, Choice) for each in parts])

    @property
    def width(self) -> int:
        """Numbers of a description."""
        return len(self.parts)

    def draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draws evenly from all descriptions, float64, shape (task, number)."""
        rows = self._low + (self._high - self._low) * rng.random((count, self.width))
        return np.where(self._is_choice, np.floor(rows), rows)

    def mutate(self, rows: np.ndarray, rng: np.random.Generator, step: float) -> np.ndarray:
        """Rows with one number changed in each, and each other one by a chance of 1 in `width`.

        A number within bounds moves by a normal draw of deviation `step`, in units of its range,
        and is reflected at its bounds. A choice becomes one of the others.
        """
        changes = rng.random(rows.shape) < 1.0 / self.width
        certain = rng.integers(self.width, size=len(rows))
        changes[np.arange(len(rows)), certain] = True
        width = self._high - self._low
        moved = rows - self._low + step * width * rng.normal(size=rows.shape)
        moved = np.abs(moved % (2.0 * width) - width)  # Reflected, and upside down.
        others = (rows + 1.0 + np.floor((width - 1.0) * rng.random(rows.shape))) % width
        return np.where(changes, np.where(self._is_choice, others, self._low + width - moved), rows)

    def recombine(
        self, first: np.ndarray, second: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Rows whose numbers come from either parent, each by the toss of a coin."""
        return np.where(rng.random(first.shape) < 0.5, first, second)

    def features(self, rows: np.ndarray) -> np.ndarray:
        """Rows for a function of tasks: ranges from 0 to 1, choices one-hot."""
        columns = []
        for index, part in enumerate(self.parts):
            column = rows[:, index]
            if isinstance(part, Choice):
                columns += [(column == each).astype(float) for each in range(part.count)]
            else:
                columns.append((column - part.low) / (part.high - part.low))
        return np.stack(columns, axis=1)

    def checked(self, tasks: ArrayLike) -> np.ndarray:
        """`tasks` as float64 of shape (task, number); refuses what describes no task."""
        rows = check_numbers("tasks", tasks, MODERATE)
        if rows.ndim != 2 or rows.shape[1] != self.width:
            raise ValueError(f"tasks must have shape (task, {self.width}), not {rows.shape}")
        below = np.where(self._is_choice, self._high - 1.0, self._high)
        wrong = (rows < self._low) | (rows > below) | (self._is_choice & (rows % 1.0 != 0.0))
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            raise ValueError(
                f"tasks[{row}, {column}] is {rows[row, column]}; allowed is {self.parts[column]}"
            )
        return rows

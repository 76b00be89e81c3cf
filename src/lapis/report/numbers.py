"""Numbers and labels in little room."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.optimize import isotonic_regression

__all__ = ["round_up", "short_number", "shorten", "spread"]


def short_number(value: float) -> str:
    """A number in few characters: 0.025, 1,500, 20k or 3.52M."""
    for limit, divisor, suffix in ((1e9, 1e9, "B"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if abs(value) >= limit:
            return f"{value / divisor:.3g}{suffix}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def shorten(name: str, limit: int = 28) -> str:
    """The name, cut to so many characters where it has more."""
    return name if len(name) <= limit else name[: limit - 3].rstrip() + "..."


def round_up(value: float) -> float:
    """The next of 1, 2, 5 times a power of ten; 1 for what is not above 0."""
    if not value > 0.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return float(next(power * each for each in (1, 2, 5, 10) if value <= power * each * 1.000001))


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """Positions moved apart, by as little as possible, until neighbors are `gap` apart.

    The order stays. What must move does so by the least sum of squares.
    """
    if not positions:
        return []
    order = np.argsort(positions, kind="stable")
    room = gap * np.arange(len(order))
    moved = np.empty(len(order))
    # With the room before each taken away, they need only not fall.
    moved[order] = isotonic_regression(np.asarray(positions)[order] - room).x + room
    return moved.tolist()

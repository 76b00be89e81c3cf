"""How large to draw: as large as this machine can while pictures follow each other smoothly."""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Sequence

SIDES: tuple[int, ...] = (64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512)
"""Pixels along a side to choose from; the page scales all of them to the same size."""
BUDGET = 0.025
"""Time to draw a picture [s]: half of what 20 in a second leave. The browser has the rest."""
GROWS_BELOW = 0.7
"""Share of the budget that a larger picture may be expected to take; else sizes would flicker."""
REMEMBERED = 9
"""Pictures by whose median the size is chosen: one that was held up changes nothing."""


class Resolution:
    """Chooses the side of the next picture, small ones first, from the time of the last ones."""

    def __init__(self, sides: Sequence[int] = SIDES) -> None:
        self._sides = tuple(sides)
        self._place = len(self._sides) // 2
        self._times: deque[float] = deque(maxlen=REMEMBERED)

    @property
    def side(self) -> int:
        """Pixels along a side of the next picture."""
        return self._sides[self._place]

    def took(self, seconds: float) -> None:
        """Takes in how long a picture of the current side took."""
        self._times.append(seconds)
        if len(self._times) < REMEMBERED:
            return
        # Every pixel is a ray of its own: the time goes with their number.
        per_pixel = statistics.median(self._times) / self.side**2
        expected = [per_pixel * side**2 for side in self._sides]
        place = self._place
        while place > 0 and expected[place] > BUDGET:
            place -= 1
        if place == self._place and place + 1 < len(self._sides):
            place += expected[place + 1] <= GROWS_BELOW * BUDGET
        if place != self._place:
            self._place = place
            self._times.clear()

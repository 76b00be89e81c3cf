"""What clusters and functions share: how knowledge about success becomes samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import MODERATE, check_numbers
from lapis.bounds import COUNT, FRACTION, NOT_NEGATIVE, SHARE, Bound, Checked
from lapis.curriculum.noise import ROUNDING
from lapis.curriculum.progress import reweight

MEMORY = Bound(above=1, most=1e9)
LEVELS = Bound(least=1, most=8, whole=True)
NEAR_GAIN = 4.0
"""A quarter of the neighbors having risen by all makes a group as likely open as can be."""
HOPE_POWER = 2.5
"""The greater, the more samples the highest hopes get."""
MOST_SHARES = 100.0
"""No group gets more samples than so many groups would get if all got the same."""


@dataclass(frozen=True, kw_only=True)
class LargeRule(Checked):
    """How success becomes probability where most tasks are never tried twice."""

    memory: Annotated[float, MEMORY] = 50.0
    """How far back the shortest averages look [attempts]; the next ones look back 4 times as far
    each."""
    level_count: Annotated[int, LEVELS] = 4
    """Memories."""
    reweight_threshold: Annotated[float, FRACTION] = 0.1
    """As in `LearningProgress`."""
    confidence: Annotated[float, NOT_NEGATIVE] = 1.0
    """How many standard deviations of its noise the true slope may be from the measured one."""
    prior: Annotated[float, FRACTION] = 0.15
    """The fastest change thought possible [reweighted success per memory]."""
    background: Annotated[float, SHARE] = 0.1
    """How likely it is that a group without any success can be learned now, while nothing has
    improved yet."""
    least_background: Annotated[float, SHARE] = 0.05
    """The same for groups far from everything that has improved, once something has."""
    neighbor_count: Annotated[int, COUNT] = 8
    """Neighbors of a group: learning something opens what lies next to it."""
    floor: Annotated[float, SHARE] = 0.02
    """Share of the probability that is spread evenly over all tasks."""

    def hopes(
        self,
        bounds: tuple[np.ndarray, np.ndarray],
        success: np.ndarray,
        successes: np.ndarray,
        near_rise: np.ndarray,
    ) -> np.ndarray:
        """The progress that each group may make at best, shape (group,), never negative.

        The product of three: the steepest slope that fits what was measured; what is left to be
        gained; and how likely the group can be learned at all, which is certain where attempts
        succeed, and otherwise depends on how far its neighbors have risen.
        """
        low, high = bounds
        near = np.minimum(NEAR_GAIN * near_rise, 1.0)
        far = self.background * (1.0 - near.max()) + self.least_background
        open_ = np.maximum(np.maximum(successes / (successes + 1.0), near), min(far, 1.0))
        return np.maximum(-low, high) * (1.0 - self.reweighted(success)) * open_

    def weights(self, hopes: np.ndarray) -> np.ndarray:
        """Shares of the samples: hopes to the power of 2.5, so that many small ones do not win.

        None is above `MOST_SHARES` even shares. So with many groups, a single high hope, which may
        be noise, does not take most samples of an update.
        """
        most = hopes.max()
        if most <= ROUNDING:
            return np.full(hopes.size, 1.0 / hopes.size)
        powers = (hopes / most) ** HOPE_POWER
        return capped(powers / powers.sum(), MOST_SHARES / hopes.size)

    def reweighted(self, success: np.ndarray) -> np.ndarray:
        """Success after the paper's reweighting (paper P3)."""
        return reweight(success, self.reweight_threshold)

    def lifted(self, success: np.ndarray, deviation: np.ndarray) -> np.ndarray:
        """Half of what success one deviation above and one below differ by after reweighting."""
        above = self.reweighted(np.minimum(success + deviation, 1.0))
        return 0.5 * (above - self.reweighted(np.maximum(success - deviation, 0.0)))


def capped(shares: np.ndarray, most: float) -> np.ndarray:
    """Shares of sum 1, none above `most`; what is cut off goes to the others in proportion."""
    is_full = np.zeros(shares.size, bool)
    while True:
        others = np.where(is_full, 0.0, shares)
        if not others.any():
            # Nothing else has a share: what is cut off is spread evenly.
            others = np.where(is_full, 0.0, 1.0)
        room = max(1.0 - most * np.count_nonzero(is_full), 0.0)
        others = room * (others / others.sum())
        is_over = others > most
        if not is_over.any():
            return np.where(is_full, most, others)
        is_full |= is_over


def checked_features(
    features: ArrayLike, task_count: int | None, width: int | None = None
) -> np.ndarray:
    """Features of shape (task, feature); `task_count` rows of `width` columns where given."""
    array = check_numbers("features", features, MODERATE)
    count_fits = task_count is None or array.shape[:1] == (task_count,)
    if array.ndim != 2 or not array.size or not count_fits or width not in (None, array.shape[1]):
        rows = "task" if task_count is None else task_count
        columns = "feature" if width is None else width
        raise ValueError(f"features must have shape ({rows}, {columns}), not {array.shape}")
    return array


def near_shares(places: np.ndarray, count: int) -> np.ndarray | None:
    """Equal shares of the nearest others for each place, shape (place, place), rows sum to 1.

    All that are as near as the last one count, so the order of places decides nothing. None if
    there is only one place.
    """
    if len(places) == 1:
        return None
    places = np.asarray(places, np.float64) - places.mean(axis=0)
    square = np.square(places).sum(axis=1)
    distance = square[:, None] + square - 2.0 * places @ places.T
    np.fill_diagonal(distance, np.inf)
    nearest = min(count, len(places) - 1) - 1
    last = np.partition(distance, nearest, axis=1)[:, nearest, None]
    near = distance <= last * (1.0 + 1e-9) + 1e-9
    return near / near.sum(axis=1, keepdims=True)

"""What clusters and functions share: from two averages of success to what deserves samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import MODERATE, check_numbers
from lapis.bounds import COUNT, FRACTION, NOT_NEGATIVE, SHARE, Bound, Checked
from lapis.curriculum import noise
from lapis.curriculum.progress import learning_progress, reweight

MEMORY = Bound(above=1, most=1e12)


@dataclass(frozen=True, kw_only=True)
class LargeRule(Checked):
    """How progress becomes probability where most tasks are never tried twice."""

    memory: Annotated[float, MEMORY] = 200.0
    """How far back both averages look [attempts]."""
    reweight_threshold: Annotated[float, FRACTION] = 0.1
    """As in `LearningProgress`."""
    noise_shrinkage: Annotated[float, NOT_NEGATIVE] = 2.5
    """Progress below that many standard deviations of its noise counts as zero; the more attempts
    there were, the more of them it takes."""
    optimism: Annotated[float, NOT_NEGATIVE] = 1.0
    """Adds so many times what may be going on unnoticed (see `uncertainty`)."""
    exploration: Annotated[float, SHARE] = 0.3
    """Share of the probability that goes to the neighbors of what has progress: what is opened by
    learning lies next to what is being learned."""
    neighbor_count: Annotated[int, COUNT] = 8
    """Neighbors of a cluster or center."""
    floor: Annotated[float, SHARE] = 0.05
    """Share of the probability that is spread evenly over all tasks."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.exploration + self.floor > 1.0:
            raise ValueError(
                f"exploration + floor is {self.exploration + self.floor:g}; it must be at most 1, "
                "so that they leave something for progress"
            )

    @property
    def explored(self) -> float:
        """The share of exploration in what the floor leaves."""
        return self.exploration / (1.0 - self.floor) if self.floor < 1.0 else 0.0

    def beyond_noise(
        self,
        fast: np.ndarray,
        slow: np.ndarray,
        success: np.ndarray,
        deviation: np.ndarray,
        attempts: np.ndarray,
    ) -> np.ndarray:
        """Reweighted progress without its noise.

        `deviation` is that of fast - slow at a constant `success`.
        """
        progress = learning_progress(self.reweighted(fast), self.reweighted(slow))
        # Each further memory of attempts is one more chance to exceed the noise by luck: the
        # greatest of n normal numbers is about sqrt(2 log n).
        looks = 2.0 * np.log1p(attempts / self.memory)
        strength = np.sqrt(self.noise_shrinkage**2 + looks) if self.noise_shrinkage else 0.0
        return noise.shrink(progress, strength * self.lifted(success, deviation), 1.0)

    def uncertainty(self, slow: np.ndarray, attempts: np.ndarray) -> np.ndarray:
        """What may be going on for all that is known.

        Two parts, both standard deviations of reweighted success. That over the memory is greatest
        where a few attempts succeed and 0 where none does, and halves with the first `memory`
        attempts: a frontier that has just opened. A fifth of that given all attempts so far, which
        is great where there are few of them, makes sure that all is tried.
        """
        spread = np.sqrt(slow * (1.0 - slow) / (2.0 * self.memory + 1.0))
        opening = self.lifted(slow, spread) * (self.memory / (self.memory + attempts))
        return opening + 0.2 * self.lifted(*noise.believed_success(slow, attempts))

    def reweighted(self, success: np.ndarray) -> np.ndarray:
        """Success after the paper's reweighting (paper P3)."""
        return reweight(success, self.reweight_threshold)

    def lifted(self, success: np.ndarray, deviation: np.ndarray) -> np.ndarray:
        """Half of what success one deviation above and one below differ by after reweighting."""
        above = self.reweighted(np.minimum(success + deviation, 1.0))
        return 0.5 * (above - self.reweighted(np.maximum(success - deviation, 0.0)))


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

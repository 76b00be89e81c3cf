"""Clusters of described tasks: each task belongs to the nearest of a few centers."""

from __future__ import annotations

import numpy as np

from lapis.bounds import Bound
from lapis.curriculum.large.partition import cells

CENTERS = Bound(least=1, most=4096, whole=True)
"""How near any two of them are is kept for all pairs."""

SAMPLE_PER_CENTER = 32
"""Rows per center, at most, of which the centers are the means."""
ROUNDS = 8
"""After so many rounds of Lloyd's algorithm from a tree's cells, centers hardly move."""
_PART = 1024


class Centers:
    """Centers of the rows of `features`, by k-means (Lloyd 1982); none is without a row.

    It starts from the cells of a balanced tree, so no chance decides where rows are few, and the
    order of rows decides nothing. With many rows per center it looks at a random sample of them.

    Args:
        features: What is known of each row, shape (row, feature). Columns are scaled to equal
            spread; a constant column decides nothing.
        count: Number of centers, at most.
        weight: How much each feature counts, shape (feature,); None: all the same.
    """

    def __init__(self, features: np.ndarray, count: int, weight: np.ndarray | None = None) -> None:
        # Sorted, so that the order of rows does not even decide how sums are rounded.
        ordered = np.sort(features, axis=0) if len(features) <= _PART else features
        self.mean, spread = ordered.mean(axis=0), ordered.std(axis=0)
        self.scale = np.divide(1.0, spread, where=spread > 1e-12, out=np.zeros_like(spread))
        self.unit_scale = self.scale
        """What makes the spread of each feature 1, before its weight, shape (feature,)."""
        if weight is not None:
            self.scale = self.scale * weight
        rows = self.scaled(features)
        if len(rows) > SAMPLE_PER_CENTER * count:
            rng = np.random.default_rng(0)
            rows = rows[np.sort(rng.choice(len(rows), SAMPLE_PER_CENTER * count, replace=False))]
        depth = (count - 1).bit_length()
        cell = cells(rows, depth)
        # A tree has a power of two of cells: where that is too many, the least are left out.
        size = np.bincount(cell, minlength=2**depth)
        kept = np.sort(np.argsort(-size, kind="stable")[: min(count, np.count_nonzero(size))])
        self.places = _means(rows, cell, 2**depth, np.zeros((2**depth, rows.shape[1])))[kept]
        """The centers, in units of the spread of each feature, shape (center, feature)."""
        for _ in range(ROUNDS):
            self.places = _means(rows, self._nearest(rows), len(self.places), self.places)
        nearest = self.nearest(features)
        # Centers to which no row is nearest would be clusters without tasks.
        used, self.of_rows = np.unique(nearest, return_inverse=True)
        """The nearest center of each row of `features`, shape (row,)."""
        self.places = self.places[used]

    def nearest(self, features: np.ndarray) -> np.ndarray:
        """The nearest center of each row, int64, shape (row,)."""
        return self._nearest(self.scaled(features))

    def _nearest(self, rows: np.ndarray) -> np.ndarray:
        # In single precision and small parts, which stay in the cache: four times as fast.
        found = np.empty(len(rows), np.int64)
        half = (0.5 * np.square(self.places).sum(axis=1)).astype(np.float32)
        across = np.ascontiguousarray(self.places.T.astype(np.float32))
        for start in range(0, len(rows), _PART):
            part = slice(start, start + _PART)
            found[part] = (half - rows[part].astype(np.float32) @ across).argmin(axis=1)
        return found

    def scaled(self, features: np.ndarray) -> np.ndarray:
        """Rows in units of the spread of each feature."""
        return (features - self.mean) * self.scale


def _means(rows: np.ndarray, group: np.ndarray, count: int, otherwise: np.ndarray) -> np.ndarray:
    """The mean row of each group; a group without rows keeps what it has."""
    size = np.bincount(group, minlength=count)
    sums = np.stack([np.bincount(group, column, count) for column in rows.T], axis=1)
    means = sums / np.maximum(size, 1)[:, None]
    return np.where(size[:, None] > 0, means, otherwise)


class Basis:
    """Basis functions of the features: 1 in sum, each greatest at a center.

    At a row only the nearest centers count: one at distance d has the weight (1 - d^2 / r^2)^2, r
    being the distance of the first center that does not count. So nothing jumps between rows.

    Args:
        centers: Where they are greatest.
        near_count: Centers that count at a row.
    """

    def __init__(self, centers: Centers, near_count: int) -> None:
        self._centers = centers
        self.places = centers.places
        self._near_count = min(near_count, len(self.places))
        # The nearest centers of a row are among the nearest ones of its nearest center.
        listed = min(2 * near_count + 4, len(self.places))
        square = np.square(self.places).sum(axis=1)
        distance = square[:, None] + square - 2.0 * self.places @ self.places.T
        self._listed = np.argsort(distance, axis=1, kind="stable")[:, :listed].astype(np.int32)

    def __call__(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Centers near each row, the nearest first, and their weights, shape (row, near)."""
        near = np.empty((len(features), self._near_count), np.int32)
        share = np.empty((len(features), self._near_count), np.float64)
        for start in range(0, len(features), _PART):
            part = slice(start, start + _PART)
            near[part], share[part] = self._of(features[part])
        return near, share

    def _of(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = self._centers.scaled(features)
        listed = self._listed[self._centers.nearest(features)]
        distance = np.square(rows[:, None] - self.places[listed]).sum(axis=2)
        order = np.argsort(distance, axis=1, kind="stable")[:, : self._near_count + 1]
        distance = np.take_along_axis(distance, order, axis=1)
        near = np.take_along_axis(listed, order, axis=1)[:, : self._near_count]
        # With all centers near there is no first that does not count: twice the farthest.
        has_next = distance.shape[1] > self._near_count
        reach = distance[:, -1:] if has_next else 2.0 * distance[:, -1:]
        weight = np.square(1.0 - distance[:, : self._near_count] / np.maximum(reach, 1e-12))
        weight[:, 0] = np.maximum(weight[:, 0], 1e-6)
        return near, weight / weight.sum(axis=1, keepdims=True)

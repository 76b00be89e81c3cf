"""Clusters of described tasks: each task belongs to the nearest of a few centers."""

from __future__ import annotations

import numpy as np

from lapis.curriculum.large.partition import Forest

SAMPLE_PER_CENTER = 32
"""Rows per center, at most, of which the centers are the means."""
ROUNDS = 8
"""After so many rounds of Lloyd's algorithm from a tree's cells, centers hardly move."""
_PART = 8192


class Centers:
    """Centers of the rows of `features`, by k-means (Lloyd 1982); none is without a row.

    It starts from the cells of a balanced tree, so no chance decides where rows are few, and the
    order of rows decides nothing. With many rows per center it looks at a random sample of them.

    Args:
        features: What is known of each row, shape (row, feature). Columns are scaled to equal
            spread; a constant column decides nothing.
        count: Number of centers, at most.
    """

    def __init__(self, features: np.ndarray, count: int) -> None:
        depth = (count - 1).bit_length()
        tree = Forest(features, tree_count=1, depth=depth, seed=0)
        self.mean, self.scale = tree.center, tree.scale
        rng = np.random.default_rng(0)
        sample = features
        if len(features) > SAMPLE_PER_CENTER * count:
            sample = features[rng.choice(len(features), SAMPLE_PER_CENTER * count, replace=False)]
        # A tree has a power of two of cells: where that is too many, the least are left out.
        cell = tree.locate(sample)[0]
        size = np.bincount(cell, minlength=2**depth)
        kept = np.sort(np.argsort(-size, kind="stable")[: min(count, np.count_nonzero(size))])
        rows = self._scaled(sample)
        self.places = _means(rows, cell, 2**depth, np.zeros((2**depth, rows.shape[1])))[kept]
        """The centers, in units of the spread of each feature, shape (center, feature)."""
        for _ in range(ROUNDS):
            self.places = _means(rows, self._nearest(rows), len(self.places), self.places)
        # Centers to which no row is nearest would be clusters without tasks.
        self.places = self.places[np.unique(self.nearest(features))]

    def nearest(self, features: np.ndarray) -> np.ndarray:
        """The nearest center of each row, int32, shape (row,)."""
        return self._nearest(self._scaled(features))

    def _nearest(self, rows: np.ndarray) -> np.ndarray:
        found = np.empty(len(rows), np.int32)
        half = 0.5 * np.square(self.places).sum(axis=1)
        for start in range(0, len(rows), _PART):
            part = slice(start, start + _PART)
            found[part] = (half - rows[part] @ self.places.T).argmin(axis=1)
        return found

    def _scaled(self, features: np.ndarray) -> np.ndarray:
        return ((features - self.mean) * self.scale).astype(np.float32)


def _means(rows: np.ndarray, group: np.ndarray, count: int, otherwise: np.ndarray) -> np.ndarray:
    """The mean row of each group; a group without rows keeps what it has."""
    size = np.bincount(group, minlength=count)
    sums = np.stack([np.bincount(group, column, count) for column in rows.T], axis=1)
    means = sums / np.maximum(size, 1)[:, None]
    return np.where(size[:, None] > 0, means, otherwise).astype(np.float32)

"""Described tasks sorted into cells of like ones: balanced trees over their features."""

from __future__ import annotations

import itertools

import numpy as np

SAMPLE_PER_CELL = 64
"""Tasks per cell, at most, by whose medians the trees are grown."""


class Forest:
    """Binary trees over the rows of `features`; each leaf, a cell, gets about as many rows.

    A row goes left where its projection on a direction is at most the median of the node's rows.
    With one tree the direction is that in which the node's rows vary most, so the cells are
    compact. With several trees all nodes of a level share a random direction, so that what two
    rows have in common is the share of the trees in which they share a cell: random binning
    features (Rahimi and Recht 2007), fitted to the data.

    Args:
        features: What is known of each row, shape (row, feature). Columns are scaled to equal
            spread; a constant column decides nothing.
        tree_count: Number of trees.
        depth: Levels of splits: 2^depth cells per tree.
        seed: Decides the random directions.
    """

    def __init__(self, features: np.ndarray, tree_count: int, depth: int, seed: int) -> None:
        self.tree_count, self.depth = tree_count, depth
        # Sorted, so that the order of rows does not even decide how sums are rounded.
        ordered = np.sort(features, axis=0)
        self.center, spread = ordered.mean(axis=0), ordered.std(axis=0)
        self.scale = np.divide(1.0, spread, where=spread > 1e-12, out=np.zeros_like(spread))
        rng = np.random.default_rng(seed)
        width = features.shape[1]
        self.shared = rng.normal(size=(tree_count, depth, width)) if tree_count > 1 else None
        self.directions = np.zeros((2**depth, width)) if tree_count == 1 else None
        # Heap order: node 1 is the root, the children of node i are 2 i and 2 i + 1.
        self.thresholds = np.full((tree_count, 2**depth), np.inf)
        most = SAMPLE_PER_CELL << depth
        if len(features) > most:
            features = features[np.sort(rng.choice(len(features), most, replace=False))]
        rows = self._scaled(features)
        for tree in range(tree_count):
            self._grow(tree, rows)

    def locate(self, features: np.ndarray) -> np.ndarray:
        """The cell of each row in each tree, int32, shape (tree, row)."""
        cells = np.empty((self.tree_count, len(features)), np.int32)
        for start in range(0, len(features), 65_536):
            part = slice(start, start + 65_536)
            rows = self._scaled(features[part])
            for tree in range(self.tree_count):
                node = np.ones(len(rows), np.int64)
                for level in range(self.depth):
                    value = self._project(rows, tree, level, node)
                    node = 2 * node + (value > self.thresholds[tree, node])
                cells[tree, part] = node - 2**self.depth
        return cells

    def _grow(self, tree: int, rows: np.ndarray) -> None:
        node = np.ones(len(rows), np.int64)
        for level in range(self.depth):
            if self.directions is not None:
                self._find_directions(rows, node, level)
            value = self._project(rows, tree, level, node)
            order = np.lexsort((value, node))
            first = np.searchsorted(node[order], np.arange(2**level, 2 ** (level + 1) + 1))
            size = np.diff(first)
            full = np.flatnonzero(size > 1)
            middle = first[full] + size[full] // 2
            ranked = value[order]
            self.thresholds[tree, 2**level + full] = 0.5 * (ranked[middle - 1] + ranked[middle])
            node = 2 * node + (value > self.thresholds[tree, node])

    def _find_directions(self, rows: np.ndarray, node: np.ndarray, level: int) -> None:
        """The first principal direction of the rows of each node of a level."""
        assert self.directions is not None
        order = np.argsort(node, kind="stable")
        first = np.searchsorted(node[order], np.arange(2**level, 2 ** (level + 1) + 1))
        for index, (start, end) in enumerate(itertools.pairwise(first)):
            if end - start > 1:
                own = rows[order[start:end]]
                own = own - own.mean(axis=0)
                self.directions[2**level + index] = np.linalg.eigh(own.T @ own)[1][:, -1]

    def _project(self, rows: np.ndarray, tree: int, level: int, node: np.ndarray) -> np.ndarray:
        if self.shared is not None:
            return rows @ self.shared[tree, level]
        assert self.directions is not None
        return np.einsum("rf,rf->r", rows, self.directions[node])

    def _scaled(self, features: np.ndarray) -> np.ndarray:
        return (features - self.center) * self.scale

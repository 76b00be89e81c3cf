"""Rows sorted into cells of like ones: a balanced tree of halves."""

from __future__ import annotations

import itertools

import numpy as np


def cells(rows: np.ndarray, depth: int) -> np.ndarray:
    """The cell of each row, from 0 to 2^depth - 1, shape (row,).

    A cell is halved at the median of its rows along the direction in which they vary most, so
    cells are compact and have about as many rows each. Equal rows stay together.
    """
    node = np.zeros(len(rows), np.int64)
    for level in range(depth):
        order = np.argsort(node, kind="stable")
        first = np.searchsorted(node[order], np.arange(2**level + 1))
        above = np.zeros(len(rows), np.int64)
        for start, end in itertools.pairwise(first):
            own = order[start:end]
            if own.size > 1:
                # Not a product of matrices, which rounds equal rows in different ways.
                value = (rows[own] * _widest(rows[own])).sum(axis=1)
                middle = own.size // 2
                ranked = np.partition(value, (middle - 1, middle))
                above[own] = value > 0.5 * (ranked[middle - 1] + ranked[middle])
        node = 2 * node + above
    return node


def _widest(rows: np.ndarray) -> np.ndarray:
    """The first principal direction of the rows."""
    rows = rows - rows.mean(axis=0)
    return np.linalg.eigh(rows.T @ rows)[1][:, -1]

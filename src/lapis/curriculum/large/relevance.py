"""How much each feature has to do with success, by the outcomes inside of groups."""

from __future__ import annotations

import numpy as np

LEAST_TASKS = 6
"""Groups with fewer tried tasks say nothing about what success depends on."""
LEAST_WEIGHT = 0.1
"""Smaller weights differ by noise only, which is no reason to group tasks anew."""


def relevance(rows: np.ndarray, group: np.ndarray, success: np.ndarray, count: int) -> np.ndarray:
    """Weights of features, the greatest 1: how steeply success depends on each.

    Inside of each group the tasks' success is regressed on each feature. A slope is squared, and
    what noise adds to the square is taken off. The weight is the root of the mean over the groups
    plus one standard error: a feature loses weight only when the data say that it means little.
    Each task counts once, however often it was tried: tasks differ for other reasons too.

    Args:
        rows: Features of each task, in units of their spread, shape (task, feature).
        group: The group of each task.
        success: Share of each task's attempts that succeeded.
        count: Number of groups.
    """
    size = np.bincount(group, minlength=count)
    mean = np.bincount(group, success, count) / np.maximum(size, 1)
    variance = np.bincount(group, success**2, count) / np.maximum(size, 1) - mean**2
    told = (size >= LEAST_TASKS) & (variance > 1e-9)
    if not told.any():
        return np.ones(rows.shape[1])
    size, mean, variance = size[told], mean[told], variance[told]
    weight = np.zeros(rows.shape[1])
    for feature, column in enumerate(rows.T):
        middle = np.bincount(group, column, count)[told] / size
        square = np.bincount(group, column**2, count)[told] / size - middle**2
        product = np.bincount(group, success * column, count)[told] / size - middle * mean
        varies = square > 1e-9
        if not varies.any():
            continue
        slope = product[varies] / square[varies]
        noise = variance[varies] / ((size[varies] - 2) * square[varies])
        certainty = 1.0 / (noise**2 + 1e-2)
        steep = ((slope**2 - noise) * certainty).sum() / certainty.sum()
        error = np.sqrt(2.0 * np.square(noise * certainty).sum()) / certainty.sum()
        weight[feature] = np.sqrt(max(steep, 0.0) + error)
    # Rounded, so that the order of sums does not move the groups.
    weight = np.round(weight / max(weight.max(), 1e-12), 3)
    return np.maximum(weight, LEAST_WEIGHT)

"""From progress to sampling weights (paper P4; section 2.2, appendix C)."""

from __future__ import annotations

import functools
import math
import statistics

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import FINITE, as_array, check_numbers
from lapis.bounds import FRACTION, Bound, check


def sampling_weights(
    progress: ArrayLike, *, center_quantile: float = 0.9, slope: float | None = None
) -> np.ndarray:
    """Sigmoid of the z-scored progress, up to a common factor (paper P4, appendix C).

    The sigmoid saturates, so that no task takes everything. Equal progress everywhere gives equal
    weights. The result is positive and finite for any finite progress.

    Args:
        progress: Learning progress, shape (task,).
        center_quantile: Quantile of the normal distribution on which the sigmoid is centered.
        slope: Slope of the sigmoid; None solves it for 90 % of the weight on 20 % of the tasks.
    """
    progress, least, most = _check_progress(progress)
    center = _normal_quantile(check("center_quantile", center_quantile, FRACTION))
    if slope is None:
        slope = sigmoid_slope(center_quantile=center_quantile)
    slope = float(check("slope", slope, Bound(least=0, most=MOST_SLOPE)))
    if most == least:
        return np.ones_like(progress)
    # The z-score does not depend on the unit: with 1 for the largest number neither the sum of
    # very large progress overflows nor do the squares of very small progress vanish.
    unit = max(most, -least)
    deviation = progress / unit
    mean = float(deviation.sum()) / deviation.size
    deviation -= mean
    spread = math.sqrt(float(deviation @ deviation) / deviation.size)
    # With x = slope (z - center) and c = min(largest x, 0) the weight is 1 / (e^(c - x) + e^c),
    # which is sigmoid(x) e^-c: where all sigmoids would vanish, the largest weight stays 1.
    common = min(slope * ((most / unit - mean) / spread - center), 0.0)
    weights = deviation
    weights *= -slope / spread
    weights += slope * center + common
    np.minimum(weights, _MOST_EXPONENT, out=weights)
    np.exp(weights, out=weights)
    weights += math.exp(common)
    return np.divide(1.0, weights, out=weights)


def proportional_weights(progress: ArrayLike) -> np.ndarray:
    """Progress itself, up to a common factor: what the sigmoid of `sampling_weights` replaces.

    Nothing saturates here: a task with twice the progress has twice the weight, however much that
    is. No progress anywhere gives equal weights.

    Args:
        progress: Learning progress, shape (task,), finite and never negative.
    """
    progress, least, most = _check_progress(progress)
    if least < 0.0:
        raise ValueError(f"progress must not be negative; it holds {least}")
    if most == 0.0:
        return np.ones_like(progress)
    return progress / most


def sigmoid_slope(share: float = 0.9, of: float = 0.2, center_quantile: float = 0.9) -> float:
    """The slope with which Gaussian progress puts `share` of the weight on the top `of` (paper P4).

    DEVIATION: the text wants 90 % of the weight on 20 % of the tasks and names the center but no
    slope; this solves for it (about 4.12).
    """
    share = check("share", share, FRACTION)
    of = check("of", of, FRACTION)
    center_quantile = check("center_quantile", center_quantile, FRACTION)
    if share <= of:
        raise ValueError(f"share must exceed of = {of}; {share} would prefer nothing")
    # An infinitely steep sigmoid is a step at the center: its top `of` holds at most this share.
    most = min(1.0, of / (1.0 - center_quantile))
    if share >= most:
        raise ValueError(
            f"share = {share} on the top {of} cannot be reached with center_quantile = "
            f"{center_quantile}: below {most:g} is possible"
        )
    return _solve_slope(share, of, center_quantile)


MOST_SLOPE = 1e6
"""A sigmoid this steep is a step to within a millionth of a standard deviation."""


def _check_progress(progress: ArrayLike) -> tuple[np.ndarray, float, float]:
    """Finite progress of shape (task,), its least and its greatest."""
    progress = as_array("progress", progress).astype(np.float64, copy=False)
    if progress.ndim != 1 or not progress.size:
        raise ValueError(f"progress must have shape (task,), not {progress.shape}")
    least, most = float(progress.min()), float(progress.max())
    if not (math.isfinite(least) and math.isfinite(most)):  # a NaN anywhere makes both a NaN
        check_numbers("progress", progress, FINITE)
    return progress, least, most


_MOST_EXPONENT = 700.0  # e^700 and e^-700 are about the last powers within float64


@functools.cache
def _solve_slope(share: float, of: float, center_quantile: float) -> float:
    """Bisection: the share on the top grows with the slope."""
    low, high = 0.0, 1.0
    while _top_share(high, of, center_quantile) < share:
        low, high = high, 2.0 * high
        if high > MOST_SLOPE:
            raise ValueError(
                f"share = {share} on the top {of} needs a slope above {MOST_SLOPE:g} with "
                f"center_quantile = {center_quantile}: choose a smaller share"
            )
    for _ in range(60):
        middle = 0.5 * (low + high)
        if _top_share(middle, of, center_quantile) < share:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _top_share(slope: float, of: float, center_quantile: float) -> float:
    """Share of the weight on the top `of` of a normal distribution.

    Gauss-Legendre panels: half a standard deviation wide, and narrower around the center, where
    a steep sigmoid changes within 1 / slope.
    """
    border = _normal_quantile(1.0 - of)
    center = _normal_quantile(center_quantile)
    near = 2.0 ** np.arange(-1, 7) / slope
    edges = np.concatenate([np.linspace(-12.0, 12.0, 49), center - near, center + near])
    edges = np.unique(np.clip([*edges, border, center], -12.0, 12.0))
    node, node_weight = _gauss_legendre()
    half = 0.5 * np.diff(edges)[:, None]
    z = edges[:-1, None] + half * (1.0 + node)
    exponent = np.clip(-slope * (z - center), -_MOST_EXPONENT, _MOST_EXPONENT)
    weight = half * node_weight * np.exp(-0.5 * z * z) / (1.0 + np.exp(exponent))
    return float(weight[edges[:-1] >= border].sum() / weight.sum())


@functools.cache
def _gauss_legendre() -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(16)


@functools.cache
def _normal_quantile(quantile: float) -> float:
    return statistics.NormalDist().inv_cdf(quantile)

"""How far apart two snapshots of a success curve should lie (paper P6; appendix A).

Learning progress is the slope of a success curve. Estimated from the mean of n samples now and the
mean of n samples an interval ago, it is too noisy if the interval is short and out of date if it is
long; in between lies a best interval.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from lapis.bounds import COUNT, NOT_NEGATIVE, Bound, check

Curve = Callable[[np.ndarray], np.ndarray]
"""Success probability at each time; takes and returns arrays of one shape."""


def snapshot_error(
    interval: ArrayLike, variance: float, sample_count: int, curvature: float
) -> np.ndarray:
    """Expected square error of the two-snapshot estimate of the slope, for short intervals.

    2 variance / (n interval^2) + curvature^2 interval^2 / 4: the first term is the variance of the
    estimate, the second the square of its bias.

    Args:
        interval: Time between the snapshots, positive, any shape.
        variance: Variance of one sample, averaged over the two snapshots.
        sample_count: Samples n per snapshot.
        curvature: Second derivative of the success curve.
    """
    interval = _intervals(interval)
    variance = check("variance", variance, NOT_NEGATIVE)
    sample_count = check("sample_count", sample_count, COUNT)
    noise = 2.0 * variance / (sample_count * np.square(interval))
    bias = 0.5 * check("curvature", curvature, Bound()) * interval
    return noise + np.square(bias)


def optimal_interval(variance: float, sample_count: int, curvature: float) -> float:
    """The interval with the least `snapshot_error`: (8 variance / (n curvature^2))^(1/4).

    A straight line (curvature 0) has no best interval: the longer, the better.
    """
    variance = check("variance", variance, NOT_NEGATIVE)
    sample_count = check("sample_count", sample_count, COUNT)
    if check("curvature", curvature, Bound()) == 0.0:
        raise ValueError("curvature must not be 0: a straight line has no best interval")
    return (8.0 * variance / (sample_count * curvature**2)) ** 0.25


def measured_snapshot_error(
    curve: Curve,
    slope: float,
    interval: ArrayLike,
    sample_count: int,
    rng: np.random.Generator,
    *,
    time: float = 0.0,
    repeat_count: int = 10_000,
) -> np.ndarray:
    """Mean square error of the two-snapshot estimate at `time`, by drawing binomial snapshots.

    `slope` is the true one of the curve at `time`, when the later snapshot is taken. There are
    `repeat_count` independent estimates per interval.
    """
    interval = _intervals(interval)
    sample_count = check("sample_count", sample_count, COUNT)
    shape = (check("repeat_count", repeat_count, COUNT), *interval.shape)
    now = rng.binomial(sample_count, curve(np.full(interval.shape, time)), shape)
    before = rng.binomial(sample_count, curve(time - interval), shape)
    estimate = (now - before) / (sample_count * interval)
    return np.square(estimate - slope).mean(axis=0)


def _intervals(interval: ArrayLike) -> np.ndarray:
    array = np.asarray(interval, dtype=np.float64)
    wrong = ~(np.isfinite(array) & (array > 0.0))
    if wrong.any():
        raise ValueError(f"interval must be positive and finite, not {array[wrong][0]}")
    return array

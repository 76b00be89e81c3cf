"""How far apart two snapshots of a success curve should be (paper P6; appendix A).

Learning progress is the slope of a success curve. Estimated from the mean of n samples now and the
mean of n samples an interval ago, it is too noisy if the interval is short and out of date if it is
long; in between lies a best interval.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import check_numbers, check_shape
from lapis.bounds import SHARE, Bound, check, require, shown

# Far beyond what a success curve has; powers and products of such numbers stay finite.
INTERVAL = Bound(least=1e-50, most=1e50)
VARIANCE = Bound(least=0, most=1e50)
SLOPE = Bound(least=-1e50, most=1e50)
SAMPLES = Bound(least=1, most=2**53, whole=True)
REPEATS = Bound(least=1, most=10**8, whole=True)

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
    interval = check_numbers("interval", interval, INTERVAL)
    variance = check("variance", variance, VARIANCE)
    sample_count = check("sample_count", sample_count, SAMPLES)
    noise = 2.0 * variance / (sample_count * np.square(interval))
    bias = 0.5 * check("curvature", curvature, SLOPE) * interval
    return noise + np.square(bias)


def optimal_interval(variance: float, sample_count: int, curvature: float) -> float:
    """The interval with the least `snapshot_error`: (8 variance / (n curvature^2))^(1/4).

    A straight line (curvature 0) has no best interval: the longer, the better.
    """
    variance = check("variance", variance, VARIANCE)
    sample_count = check("sample_count", sample_count, SAMPLES)
    curvature = check("curvature", curvature, SLOPE)
    if abs(curvature) < INTERVAL.least:
        raise ValueError(
            f"curvature is {curvature}; it must not be 0: a straight line has no best interval"
        )
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
    interval = check_numbers("interval", interval, INTERVAL)
    slope, time = check("slope", slope, SLOPE), check("time", time, SLOPE)
    sample_count = check("sample_count", sample_count, SAMPLES)
    shape = (check("repeat_count", repeat_count, REPEATS), *interval.shape)
    require(callable(curve), "curve", curve, "a function of time")
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, not {shown(rng)}")
    now = rng.binomial(sample_count, _success(curve, np.full(interval.shape, time)), shape)
    before = rng.binomial(sample_count, _success(curve, time - interval), shape)
    estimate = (now - before) / (sample_count * interval)
    return np.square(estimate - slope).mean(axis=0)


def _success(curve: Curve, time: np.ndarray) -> np.ndarray:
    success = check_numbers("curve(time)", curve(time), SHARE)
    check_shape("curve(time)", success, time.shape)
    return success

"""Statistics of runs: pure functions of arrays.

With several runs, the first axis of a sample is the seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from scipy.integrate import trapezoid

from lapis.arrays import MODERATE, as_array, check_numbers, check_shape
from lapis.bounds import FRACTION, SHARE, Bound, check

__all__ = [
    "area_under_curve",
    "bootstrap_interval",
    "discovered_count",
    "drop_from_maximum",
    "first_crossing",
    "holm_p_values",
    "improvement",
    "interquartile_difference",
    "interquartile_mean",
    "learning_order",
    "rank_sum_p_value",
    "value_at",
]

RESAMPLE_COUNT = 2000
"""Resamples of a bootstrap: enough for the ends of a 95 % interval to two digits."""
BOOTSTRAP_SEED = 0


def discovered_count(success: np.ndarray, threshold: float) -> np.ndarray:
    """How many goals, the last axis, have a success probability above `threshold` (paper P23).

    Not-a-number (a goal that was never attempted) is not above anything.
    """
    success = _with_axes("success", success, 1)
    return np.count_nonzero(success > check("threshold", threshold, Bound()), axis=-1)


def bootstrap_interval(
    *samples: ArrayLike, statistic: Callable[..., np.ndarray] = np.mean, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Low and high end of the percentile interval of a statistic, always from the same resamples.

    The seeds of each sample, shape (seed, ...), are resampled separately; everything else stays
    together. The statistic takes samples and an `axis`. The ends have shape (...). They are
    not-a-number where a sample has one seed: a single run says nothing about the spread.

    Raises:
        ValueError: A sample has no seeds.
    """
    level = check("level", level, FRACTION)
    arrays = [as_array("sample", sample).astype(np.float64) for sample in samples]
    for array in arrays:
        if array.ndim == 0 or array.size == 0:
            raise ValueError(f"a sample has shape {array.shape}; it must hold at least one seed")
    if any(len(array) < 2 for array in arrays):
        unknown = np.full(arrays[0].shape[1:], np.nan)
        return unknown, unknown.copy()
    found = stats.bootstrap(
        arrays,
        statistic,
        axis=0,
        confidence_level=level,
        n_resamples=RESAMPLE_COUNT,
        method="percentile",
        rng=np.random.default_rng(BOOTSTRAP_SEED),
    ).confidence_interval
    return found.low, found.high


def interquartile_mean(values: ArrayLike, axis: int = -1) -> np.ndarray:
    """Mean of the middle half: a quarter of the values, rounded down, is left out at each end.

    A single failed or lucky run does not move it, and it varies less than the median; Agarwal et
    al. (2021, "rliable") recommend it for few runs. Up to three values: their mean.
    """
    array = _with_axes("values", values, 1).astype(np.float64)
    return np.asarray(stats.trim_mean(array, 0.25, axis=axis))


def interquartile_difference(first: np.ndarray, second: np.ndarray, axis: int = -1) -> np.ndarray:
    """How much larger the interquartile mean of `first` is."""
    first, second = _with_axes("first", first, 1), _with_axes("second", second, 1)
    return interquartile_mean(first, axis) - interquartile_mean(second, axis)


def improvement(better: np.ndarray, worse: np.ndarray, axis: int = -1) -> np.ndarray:
    """Chance that a run drawn from `better` has more than one drawn from `worse`.

    Ties count one half: the statistic of Mann and Whitney divided by the number of pairs.
    """
    assert axis == -1, "seeds must be on the last axis"
    better, worse = _with_axes("better", better, 1), _with_axes("worse", worse, 1)
    pairs = better[..., :, None] - worse[..., None, :]
    return np.mean((pairs > 0) + 0.5 * (pairs == 0), axis=(-2, -1))


def rank_sum_p_value(first: np.ndarray, second: np.ndarray) -> float:
    """Exact two-sided p-value of Mann and Whitney's rank-sum test, ties included.

    The share of all ways to divide the values between the two sides in which the rank sum is at
    least as far from its mean; SciPy's exact method does not support ties. Unlike a bootstrap it is
    honest with few seeds: three against three cannot get below 0.1.
    """
    x, y = (
        np.ravel(check_numbers(name, sample, MODERATE))
        for name, sample in (("first", first), ("second", second))
    )
    if not x.size or not y.size:
        raise ValueError(f"first has {x.size} values and second {y.size}; both must have some")
    # Twice the mean rank of equal values, so that ranks are whole numbers.
    ranks = np.rint(2 * stats.rankdata(np.concatenate([x, y]))).astype(int)
    ways = np.zeros((x.size + 1, int(ranks.sum()) + 1))
    ways[0, 0] = 1.0  # ways[k, s]: choices of k values so far whose ranks add up to s
    for rank in ranks:
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    distance = np.abs(np.arange(ways.shape[1]) - x.size * ranks.mean())
    observed = distance[ranks[: x.size].sum()]
    return float(ways[-1, distance >= observed - 1e-9].sum() / ways[-1].sum())


def holm_p_values(p_values: ArrayLike) -> np.ndarray:
    """P-values with Holm's correction for their number: the chance of any false alarm.

    The smallest of k is multiplied by k, the next by k - 1 and so on; none gets smaller than
    one before it, none larger than 1.
    """
    p_values = np.ravel(check_numbers("p_values", p_values, SHARE))
    order = np.argsort(p_values, kind="stable")
    steps = p_values[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


def area_under_curve(position: np.ndarray, values: np.ndarray) -> float:
    """Mean height of the curve between its ends, by trapezoids: the area over the width."""
    position, values = _curve(position, check_numbers("values", values, MODERATE))
    check_shape("values", values, position.shape)
    if not position[0] < position[-1]:
        raise ValueError(f"position must rise; it goes from {position[0]} to {position[-1]}")
    return float(trapezoid(values, position) / (position[-1] - position[0]))


def first_crossing(position: np.ndarray, values: np.ndarray, level: float) -> float:
    """The first position at which the curve is at or above `level`; infinity if it never is."""
    position, values = _curve(position, values)
    reached = np.flatnonzero(values >= check("level", level, Bound()))
    return float(position[reached[0]]) if reached.size else math.inf


def value_at(position: np.ndarray, values: np.ndarray, query: ArrayLike) -> np.ndarray:
    """The newest value at or before each queried position, or else the first value.

    Positions rise, shape (point,); values have shape (point, ...).
    """
    position, values = _curve(position, values)
    query = as_array("query", query)
    if np.isnan(query).any():
        raise ValueError("query must hold positions, or infinity for the newest, and no NaN")
    index = np.searchsorted(position, query, side="right") - 1
    return values[np.maximum(index, 0)]


def drop_from_maximum(values: np.ndarray) -> np.ndarray:
    """How far the curve, along the last axis, lies below its highest value so far (paper P29)."""
    values = _with_axes("values", values, 1)
    return np.maximum.accumulate(values, axis=-1) - values


def learning_order(success: np.ndarray, threshold: float) -> np.ndarray:
    """Indices of goals in the order in which they first rise above `threshold`, mean over seeds.

    A goal that a seed never learns counts as learned after its last update. Ties, such as goals
    that no seed learns, are ordered by final success, then by index. `success` has shape (seed,
    update, goal).
    """
    success = _with_axes("success", success, 3)
    above = success > check("threshold", threshold, Bound())
    first = np.where(above.any(axis=1), above.argmax(axis=1), above.shape[1])
    final = np.nan_to_num(success[:, -1]).mean(axis=0)
    return np.lexsort((-final, first.mean(axis=0)))


def _with_axes(name: str, values: ArrayLike, least: int) -> np.ndarray:
    """Finite numbers, or not-a-number where something is not known, with so many axes or more."""
    array = as_array(name, values)
    array = array.astype(np.int64) if array.dtype == np.bool_ else array
    if array.ndim < least or not array.size:
        raise ValueError(f"{name} must have {least} axes and some values, not shape {array.shape}")
    if np.isinf(array).any():
        raise ValueError(f"{name} must hold finite numbers, or NaN for what is not known")
    return array


def _curve(position: ArrayLike, values: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Finite positions, shape (point,), and values, shape (point, ...)."""
    where = check_numbers("position", position, Bound())
    heights = _with_axes("values", values, 1)
    check_shape("position", where, heights.shape[:1])
    return where, heights

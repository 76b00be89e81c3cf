"""Arrays from callers: read in one place, and refused with their name."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapis.bounds import Bound, shown

__all__ = ["FINITE", "MODERATE", "as_array", "check_per_task", "check_numbers", "check_shape"]

FINITE = Bound()
MODERATE = Bound(least=-1e100, most=1e100)
"""Squares, products and sums of such numbers stay finite."""
_MOST_AXES = 16
"""NumPy's functions differ in how many they take."""
_MASKED = {np.ma.MaskedArray, np.ma.core.MaskedConstant}


def as_array(name: str, values: Any) -> np.ndarray:
    """Real numbers or booleans of any shape, from anything that `np.asarray` takes.

    Raises:
        ValueError: It is something else, or a masked array: a masked value is not a number, and the
            value under the mask is not meant to be used.
    """
    parts = map(type, values) if isinstance(values, list | tuple) else [type(values)]
    if not _MASKED.isdisjoint(parts):
        raise ValueError(
            f"{name} is a masked array; fill in the masked values, for example with .filled(0)"
        )
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        # Ragged lists, tensors on a GPU, tensors that require a gradient.
        raise ValueError(f"{name} cannot be read as a NumPy array: {error}") from error
    if array.dtype.kind not in "biuf":
        example = f" as {shown(array.item(0))}" if array.size else ""
        raise ValueError(f"{name} must hold real numbers, not {array.dtype}{example}")
    if array.ndim > _MOST_AXES:
        raise ValueError(f"{name} has {array.ndim} axes; it must have {_MOST_AXES} or fewer")
    return array


def check_numbers(name: str, values: Any, bound: Bound) -> np.ndarray:
    """Numbers within a bound, of any shape, as float64; an array of float64 is not copied."""
    array = as_array(name, values).astype(np.float64, copy=False)
    # The least and the greatest stand for all, and a NaN anywhere makes both a NaN.
    if array.size and not (bound.allows(array.min()) and bound.allows(array.max())):
        place = next(
            place for place in np.ndindex(array.shape) if not bound.allows(float(array[place]))
        )
        raise ValueError(f"{name}{list(place) or ''} is {array[place]}; it must be {bound}")
    return array


def check_per_task(name: str, values: Any, bound: Bound) -> np.ndarray:
    """A number within a bound for each of one or more tasks, as float64."""
    array = check_numbers(name, values, bound)
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{name} must have shape (task,), not {array.shape}")
    return array


def check_shape(name: str, array: np.ndarray, shape: tuple[int, ...]) -> None:
    """Refuses an array of another shape."""
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, not {array.shape}")

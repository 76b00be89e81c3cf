"""Reading of the JSON files under `data/` and making of read-only arrays."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray


def load(name: str) -> dict[str, Any]:
    """The content of `data/{name}.json`."""
    return json.loads(files("lapis.minecraft").joinpath(f"data/{name}.json").read_text("ascii"))


def read_only(values: ArrayLike, dtype: DTypeLike = np.int32) -> NDArray[Any]:
    """An array of `values` that cannot be written."""
    array = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array


def padded(rows: list[list[Any]], fill: float, dtype: DTypeLike = np.int32) -> NDArray[Any]:
    """A read-only matrix of `rows`, each continued with `fill` to the length of the longest."""
    width = max(len(row) for row in rows)
    return read_only([row + [fill] * (width - len(row)) for row in rows], dtype)

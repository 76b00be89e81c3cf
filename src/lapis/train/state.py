"""Nested state <-> tensors and JSON: what a checkpoint can hold, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor


def flatten(nested: Mapping[str, Any]) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Takes nested dicts apart into named tensors and JSON values.

    Args:
        nested: Dicts with text keys; leaves are tensors, NumPy arrays, or values that JSON keeps
            exactly (None, bool, int, float, str and lists of them).

    Returns:
        Tensors by their path ('game/world/inventory'), and a dict with the other leaves by path
        and the paths of those tensors that were NumPy arrays. Empty dicts leave no trace.
    """
    tensors: dict[str, Tensor] = {}
    values: dict[str, Any] = {}
    arrays: list[str] = []
    for path, leaf in _leaves(nested, ""):
        if isinstance(leaf, Tensor):
            tensors[path] = leaf.detach().clone()
        elif isinstance(leaf, np.ndarray):
            tensors[path] = torch.from_numpy(leaf.copy())
            arrays.append(path)
        else:
            values[path] = _json_value(path, leaf)
    return tensors, {"values": values, "arrays": arrays}


def unflatten(tensors: Mapping[str, Tensor], state: Mapping[str, Any]) -> dict[str, Any]:
    """Puts together again what `flatten` took apart."""
    arrays = set(state["arrays"])
    nested: dict[str, Any] = {}
    leaves = {
        path: tensor.cpu().numpy().copy() if path in arrays else tensor
        for path, tensor in tensors.items()
    }
    for path, leaf in {**leaves, **state["values"]}.items():
        *folders, name = path.split("/")
        place = nested
        for folder in folders:
            place = place.setdefault(folder, {})
        place[name] = leaf
    return nested


def _leaves(nested: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in nested.items():
        if not isinstance(key, str) or "/" in key:
            raise ValueError(f"state key {prefix}{key!r}: keys must be text without '/'")
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}/")
        else:
            yield prefix + key, value


def _json_value(path: str, leaf: Any) -> Any:
    if isinstance(leaf, list | tuple):
        return [_json_value(path, item) for item in leaf]
    if leaf is not None and type(leaf) not in (bool, int, float, str):
        raise ValueError(
            f"state {path!r} is a {type(leaf).__name__}; tensors, NumPy arrays, numbers, text and "
            "lists of them can be saved"
        )
    return leaf

"""Between games, whose tensors have a row per world, and Gymnasium's spaces and arrays."""

# W = worlds, A = choices of all components of an action, C = components of an action

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from torch import Tensor

from lapis.arrays import as_array
from lapis.bounds import shown
from lapis.simonsays.protocol import SimonSays


def observation_space(game: SimonSays, float_bounds: tuple[float, float]) -> spaces.Dict:
    """Of one world; real numbers lie within `float_bounds`."""
    parts: dict[str, spaces.Space] = {
        "goal": spaces.Discrete(len(game.goals)),
        "exploration_set": spaces.MultiBinary(len(game.goals)),
    }
    for name, value in game.world.observation.items():
        dtype = array(value[:1]).dtype
        low, high = float_bounds
        if dtype.kind != "f":
            low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        parts[name] = spaces.Box(low, high, tuple(value.shape[1:]), dtype.type)
    return spaces.Dict(parts)


def action_space(game: SimonSays) -> spaces.Space:
    """Of one world."""
    if len(game.action_sizes) == 1:
        return spaces.Discrete(game.action_sizes[0])
    return spaces.MultiDiscrete(list(game.action_sizes))


def checked(action: Any, space: spaces.Space) -> np.ndarray:
    """The action as int64; ValueError where it is not in the space."""
    try:
        values = as_array("action", action)
    except ValueError as error:
        raise ValueError(f"action must be in {space}, not {shown(action)}") from error
    if values.dtype.kind not in "iu" or not space.contains(values.astype(np.int64)):
        raise ValueError(f"action must be in {space}, not {shown(action)}")
    return values.astype(np.int64)


def allowed(action_WC: np.ndarray, mask_WA: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
    """Whether every component of a row's action is allowed, bool, shape (world,)."""
    first_C = np.cumsum([0, *sizes[:-1]])
    allowed_WC = np.take_along_axis(mask_WA, action_WC + first_C, axis=1)
    return np.logical_and.reduce(allowed_WC, axis=1)


def any_allowed(game: SimonSays) -> np.ndarray:
    """The first allowed choice of each component, int64, shape (world, component)."""
    parts = game.action_mask.split(game.action_sizes, dim=1)
    return np.stack([array(part).argmax(axis=1) for part in parts], axis=1)


def array(tensor: Tensor) -> np.ndarray:
    """A copy on the host."""
    return tensor.cpu().numpy().copy()

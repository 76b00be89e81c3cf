"""What a checkpoint holds: nested state as tensors and JSON, with or without the worlds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lapis.runs import RunError
from lapis.simonsays import SimonSays

__all__ = ["begin_anew", "flatten", "joined", "rank_count", "rows", "unflatten", "without_worlds"]

KEPT = ("episode", "episode_W", "exploration_set")
"""Tensors of a game and its world in checkpoints without worlds: episodes begun, by either name, so
that none is played twice, and what pays."""
OF_GOALS = "exploration_set"
"""The one of them that is not by world."""


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
    """Reverses `flatten`."""
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
            if not isinstance(place, dict):
                break
        if not isinstance(place, dict) or name in place:
            raise ValueError(f"state {path!r} is in the way of another one, or lies in it")
        place[name] = leaf
    return nested


def without_worlds(state: dict[str, Any]) -> dict[str, Any]:
    """A game's `state_dict` without the worlds and the unfinished tasks.

    A voxel world takes 410 kB, the weights and moments of a small network 16 MB.
    """
    return {
        part: {name: value for name, value in state[part].items() if name in KEPT}
        for part in ("tensors", "world")
    }


def joined(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """The states of all ranks, joined for one checkpoint.

    The state of a single rank is left as it is. With several, `ranks` has the part of each, and
    `game` has what `without_worlds` keeps of all worlds, for another number of ranks.

    Raises:
        RunError: The weights of two ranks, by their digests, differ.
    """
    if len(parts) == 1:
        return parts[0]
    digests = [part.pop("digest") for part in parts]
    for rank, digest in enumerate(digests):
        if digest != digests[0]:
            raise RunError(
                f"the weights of ranks 0 and {rank} differ, so they do not train the same policy; "
                "resume from the last checkpoint, on machines of one kind"
            )
    games = [without_worlds(part["game"]) for part in parts]
    return {
        "game": {
            part: {
                name: value if name == OF_GOALS else torch.cat([g[part][name] for g in games])
                for name, value in games[0][part].items()
            }
            for part in games[0]
        },
        "ranks": {str(rank): part for rank, part in enumerate(parts)},
    }


def rank_count(tensors: Mapping[str, Tensor]) -> int:
    """How many ranks saved a checkpoint with these tensors."""
    return len({name.split("/")[1] for name in tensors if name.startswith("ranks/")}) or 1


def rows(saved: dict[str, Any], worlds: range) -> dict[str, Any]:
    """Those of some worlds, of what `without_worlds` gave of all."""
    return {
        part: {
            name: value if name == OF_GOALS else value[worlds.start : worlds.stop]
            for name, value in tensors.items()
        }
        for part, tensors in saved.items()
    }


def begin_anew(game: SimonSays, saved: dict[str, Any]) -> None:
    """Puts every world at the start of the episode after the last one known to `without_worlds`.

    Inventories are empty. Unfinished tasks do not count, nor does anything that the game has
    counted since its counts were last taken.
    """
    # DEVIATION: nothing is inherited from the episodes that a checkpoint leaves out (paper P12).
    state = game.state_dict()
    for part in ("tensors", "world"):
        own = {name for name in state[part] if name in KEPT}
        given = saved.get(part, {})
        if own != set(given):
            raise ValueError(f"saved[{part!r}] has {sorted(given)}, not {sorted(own)}")
        state[part] |= {name: torch.as_tensor(given[name]) for name in own}
    game.load_state_dict(state)
    game.start()
    game.take_counts()
    if game.config.pairs:
        game.take_goal_counts()


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

"""Small checkpoints, without the worlds: a resumed run begins new episodes.

A voxel world takes 410 kB, the weights and moments of a small network 16 MB. What is kept of the
worlds is how many episodes each has had, so that no episode is played twice.
"""

from __future__ import annotations

from typing import Any

import torch

from lapis.simonsays import SimonSays

__all__ = ["begin_anew", "without_worlds"]

KEPT = ("episode", "episode_W", "exploration_set")
"""Tensors of a game and its world that are kept: episodes begun, by either name, and what pays."""


def without_worlds(state: dict[str, Any]) -> dict[str, Any]:
    """A game's `state_dict` but for the worlds and the tasks under way."""
    return {
        part: {name: value for name, value in state[part].items() if name in KEPT}
        for part in ("tensors", "world")
    }


def begin_anew(game: SimonSays, saved: dict[str, Any]) -> None:
    """Every world is at the start of the episode after the last that `without_worlds` knows of.

    Inventories are empty, and tasks that were under way do not count.
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

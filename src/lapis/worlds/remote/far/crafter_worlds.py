"""Crafter (Hafner, 2021) as worlds: its items and its 22 achievements are what can be asked for.

A count of an achievement is how often it was done in the episode, so that each can be asked for
again and again without a reset. Needs `pip install crafter`, on the far side alone.
"""

from __future__ import annotations

import sys
from typing import Any, Dict, List

import numpy as np

from lapis.worlds.remote.far.gym_worlds import GymWorlds

try:
    import crafter  # pyright: ignore[reportMissingImports]
    from crafter import constants  # pyright: ignore[reportMissingImports]
except ModuleNotFoundError as error:
    if error.name != "crafter":
        raise
    raise ModuleNotFoundError(
        "Crafter's worlds need crafter, which is not installed in "
        f"{sys.executable}; get it with: pip install crafter",
        name=error.name,
    ) from error

VITALS = ("health", "food", "drink", "energy")
HELD = tuple(name for name in constants.items if name not in VITALS)
ACHIEVEMENTS = tuple(constants.achievements)


class CrafterWorlds(GymWorlds):
    """A batch of Crafter's worlds, seen as its frames of 64 x 64 pixels."""

    def __init__(
        self, world_count: int, *, seed: int = 0, first_world: int = 0, length: int = 10_000
    ) -> None:
        """Makes the worlds; episodes are cut after `length` steps, as in Crafter."""
        super().__init__(
            lambda: CrafterEnv(length),
            world_count,
            items=HELD + ACHIEVEMENTS,
            read_items=lambda env: {**env.player.inventory, **env.player.achievements},
            action_sizes=(len(constants.actions),),
            read_mask=allowed,
            give_items=_give,
            seed=seed,
            first_world=first_world,
        )


class CrafterEnv(crafter.Env):
    """Crafter with Gymnasium's reset and step, and the same play in every process."""

    def __init__(self, length: int) -> None:
        super().__init__(length=length)

    @property
    def player(self) -> Any:
        """Who plays."""
        return self._player

    def reset(self, *, seed: int, options: Any = None) -> Any:
        """Starts the episode that the seed names."""
        self._seed, self._episode = seed, 0
        return super().reset(), {}

    def step(self, action: int) -> Any:
        """Plays an action."""
        frame, reward, over, info = super().step(action)
        died = self._player.health <= 0
        return frame, reward, died, over and not died, info

    def close(self) -> None:
        """Nothing is open."""

    def _balance_chunk(self, chunk: Any, objs: Any) -> None:
        # Crafter draws from a set, whose order is that of addresses in memory.
        super()._balance_chunk(chunk, sorted(objs, key=lambda each: tuple(each.pos)))


def allowed(env: CrafterEnv) -> List[bool]:
    """Placing and making are allowed where they work; all else always is."""
    player = env.player
    target = (player.pos[0] + player.facing[0], player.pos[1] + player.facing[1])
    material, thing = player.world[target]
    nearby, _ = player.world.nearby(player.pos, 1)
    mask = []
    for action in constants.actions:
        kind, _, name = action.partition("_")
        if kind == "place":
            rule = constants.place[name]
            works = _has(player, rule["uses"]) and not thing and material in rule["where"]
        elif kind == "make":
            rule = constants.make[name]
            works = _has(player, rule["uses"]) and all(each in nearby for each in rule["nearby"])
        else:
            works = True
        mask.append(works and (kind not in ("place", "make") or not player.sleeping))
    return mask


def _has(player: Any, needs: Dict[str, int]) -> bool:
    return all(player.inventory[name] >= count for name, count in needs.items())


def _give(env: CrafterEnv, items: Dict[str, int]) -> np.ndarray:
    for name, count in items.items():
        counts = env.player.achievements if name in ACHIEVEMENTS else env.player.inventory
        counts[name] = count
    return env.render()

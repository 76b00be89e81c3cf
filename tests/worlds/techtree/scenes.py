"""Hand-made situations in the tech-tree world: set, play by name, read."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import torch

from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.tools import TOOLS
from lapis.worlds.techtree import ACTION, ACTIONS, TechTreeConfig, TechTreeWorld
from lapis.worlds.techtree.actions import Reach

# A scale of its own, so that hand-computed numbers do not hang on the defaults.
QUIET = TechTreeConfig(
    attack_ticks=16,
    handling_ticks=4,
    smelt_batch=1,
    tunnel_blocks_seen=80,
    cave_blocks_seen=400,
    biome_change=0.0,
    cave_entry=0.0,
    caves_by_depth=0.0,
    cave_slope=0.0,
    fall=0.0,
    lava=0.0,
    monster=0.0,
)
"""Nothing but the player's own doing happens."""

TOOL = {name: index for index, name in enumerate(TOOLS)}


def quiet(**changes: Any) -> TechTreeConfig:
    return dataclasses.replace(QUIET, **changes)


class Scene:
    """A batch whose worlds are all set alike; tests read the first, statistics read all."""

    def __init__(
        self,
        *,
        inventory: dict[str, int] | None = None,
        reach: dict[str, int] | None = None,
        hand: str | None = None,
        wear: dict[str, int] | None = None,
        config: TechTreeConfig = QUIET,
        world_count: int = 1,
        seed: int = 0,
        device: str = "cpu",
        **state: int,
    ):
        self.world = TechTreeWorld(world_count, seed=seed, device=device, config=config)
        self.set(inventory=inventory, reach=reach or {}, hand=hand, wear=wear, **state)

    def set(
        self,
        *,
        inventory: dict[str, int] | None = None,
        reach: dict[str, int] | None = None,
        hand: str | None = None,
        wear: dict[str, int] | None = None,
        **state: int,
    ) -> None:
        """Sets what is named; `reach` replaces all that is in reach."""
        now = self.world.state
        for name, count in (inventory or {}).items():
            now.inventory[:, ITEM[name]] = count
        if reach is not None:
            now.reach.zero_()
            for name, count in reach.items():
                now.reach[:, Reach[name.upper()]] = count
        if hand is not None:
            now.hand.fill_(TOOL[hand])
        for name, uses in (wear or {}).items():
            now.wear[:, TOOL[name]] = uses
        for name, value in state.items():
            getattr(now, name).fill_(value)
        # Looks anew: observation and mask follow from the state.
        self.world.load_state_dict(self.world.state_dict())

    def play(self, *names: str) -> int:
        """Plays actions one after another, each of them allowed; returns the ticks they took."""
        ticks = 0
        for name in names:
            assert self.allows(name), f"{name} is not allowed"
            self.world.step(self.action(name))
            self.world.check()
            ticks += self.get("ticks")
        return ticks

    def action(self, name: str) -> torch.Tensor:
        shape = (self.world.world_count, 1)
        return torch.full(shape, ACTION[name], dtype=torch.int32, device=self.world.device)

    def allows(self, name: str) -> bool:
        return bool(self.world.action_mask[:, ACTION[name]].all())

    def allowed(self) -> set[str]:
        row = self.world.action_mask[0].tolist()
        return {action.name for action, can in zip(ACTIONS, row, strict=True) if can}

    def count(self, item: str) -> int:
        return int(self.world.inventory[0, ITEM[item]])

    def counts(self, item: str) -> np.ndarray:
        return self.world.inventory[:, ITEM[item]].cpu().numpy().copy()

    def held(self) -> dict[str, int]:
        row = self.world.inventory[0].tolist()
        return {item: count for item, count in zip(ITEMS, row, strict=True) if count}

    def reach(self, name: str) -> int:
        return int(self.world.state.reach[0, Reach[name.upper()]])

    def reaches(self, name: str) -> np.ndarray:
        return self.world.state.reach[:, Reach[name.upper()]].cpu().numpy().copy()

    def get(self, name: str) -> int:
        return int(getattr(self.world.state, name)[0])

    def all(self, name: str) -> np.ndarray:
        return getattr(self.world.state, name).cpu().numpy().copy()


def binomial_interval(trials: float, probability: float) -> tuple[float, float]:
    """Five standard deviations around the mean: a sound draw leaves it once in two million."""
    mean = trials * probability
    spread = 5.0 * np.sqrt(trials * probability * (1.0 - probability))
    return mean - spread, mean + spread


def assert_share(hits: float, trials: float, probability: float) -> None:
    low, high = binomial_interval(trials, probability)
    assert low <= hits <= high, f"{hits} of {trials} is not {probability} of them"

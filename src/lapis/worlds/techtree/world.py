"""The tech-tree world: Minecraft's rules and clock without its space, batched on CPU or GPU."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from lapis.minecraft.items import ITEMS
from lapis.worlds.batch import Batch
from lapis.worlds.techtree.actions import ACTIONS
from lapis.worlds.techtree.body import live
from lapis.worlds.techtree.config import TechTreeConfig
from lapis.worlds.techtree.crafting import handle, make
from lapis.worlds.techtree.digging import gather, travel
from lapis.worlds.techtree.observe import FEATURE_COUNT, allow, observe
from lapis.worlds.techtree.rules import make_rules
from lapis.worlds.techtree.spot import arrive
from lapis.worlds.techtree.state import State
from lapis.worlds.techtree.step import begin, restart

WORLD_VERSION = 3
"""Rises with every change that can move learning curves."""

STEP_KERNELS: tuple[Any, ...] = (begin, travel, gather, make, handle, arrive, live, observe, allow)
"""A step in the order of the game."""
RESET_KERNELS = (restart, arrive, observe, allow)


class TechTreeWorld(Batch):
    """A batch of worlds that follows the `World` protocol.

    Args:
        world_count: Number of worlds.
        seed: With world, episode and step it decides all chance.
        device: "cpu" or a CUDA device.
        config: The scale of the world.
        first_world: Number of the first row's world, where several batches share a seed.
        masked_waits: An action that the mask does not allow passes `handling_ticks` without effect,
            instead of setting a fault; for players that know no masks.
    """

    kind = "techtree"
    version = WORLD_VERSION
    items = ITEMS
    action_sizes = (len(ACTIONS),)

    def __init__(
        self,
        world_count: int,
        *,
        seed: int = 0,
        device: str | torch.device = "cpu",
        config: TechTreeConfig | None = None,
        first_world: int = 0,
        masked_waits: bool = False,
    ) -> None:
        super().__init__(
            world_count,
            seed=seed,
            device=device,
            first_world=first_world,
            masked_waits=masked_waits,
        )
        self._adopt(config or TechTreeConfig(), State.allocate(world_count, self.device))
        self._vector = torch.zeros((world_count, FEATURE_COUNT), device=self.device)
        self.observation: dict[str, Tensor] = {"vector": self._vector}
        known = self._arguments(make_rules, vector=self._vector)
        self._step_launches = self._launches(STEP_KERNELS, self._everywhere, known)
        self._reset_launches = self._launches(RESET_KERNELS, self._which, known)
        self._sense_launches = self._launches([observe, allow], self._everywhere, known)
        self._start()

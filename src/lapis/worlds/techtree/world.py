"""The tech-tree world: Minecraft's rules and clock without its space, batched on CPU or GPU."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from lapis.minecraft.items import ITEMS
from lapis.worlds.batch import Batch
from lapis.worlds.techtree.actions import ACTIONS
from lapis.worlds.techtree.body import live
from lapis.worlds.techtree.config import WORLD_VERSION, TechTreeConfig
from lapis.worlds.techtree.crafting import handle, make
from lapis.worlds.techtree.digging import gather, travel
from lapis.worlds.techtree.observe import FEATURE_COUNT, allow, observe
from lapis.worlds.techtree.rules import make_rules
from lapis.worlds.techtree.spot import arrive
from lapis.worlds.techtree.state import State
from lapis.worlds.techtree.step import begin, restart

STEP_KERNELS: tuple[Any, ...] = (begin, travel, gather, make, handle, arrive, live, observe, allow)
"""A step in the order of the game."""
RESET_KERNELS = (restart, arrive, observe, allow)


class TechTreeWorld(Batch):
    """A batch of worlds that follows the `World` protocol, with the arguments of `Batch`.

    Observation: `vector` float32 (world, FEATURE_COUNT), see `lapis.worlds.techtree.observe`. Where
    an action that the mask does not allow waits, `handling_ticks` pass.
    """

    kind = "techtree"
    version = WORLD_VERSION
    items = ITEMS
    action_sizes = (len(ACTIONS),)
    config_kind = TechTreeConfig
    state_kind = State

    def _prepare(self) -> None:
        vector = torch.zeros((self.world_count, FEATURE_COUNT), device=self.device)
        self.observation: dict[str, Tensor] = {"vector": vector}
        known = self._arguments(make_rules, vector=vector)
        self._step_launches = self._launches(STEP_KERNELS, self._everywhere, known)
        self._reset_launches = self._launches(RESET_KERNELS, self._which, known)
        self._sense_launches = self._launches([observe, allow], self._everywhere, known)

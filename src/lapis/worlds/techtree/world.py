"""The tech-tree world: Minecraft's rules and clock without its space, batched on CPU or GPU."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
import warp as wp
from torch import Tensor

from lapis.minecraft.items import ITEMS
from lapis.worlds.batch import Batch
from lapis.worlds.launching import prepare_all
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
        self.config = config or TechTreeConfig()
        self.state = State.allocate(world_count, self.device)
        """The tensors of the world itself, for tests, planners and pictures."""
        self.inventory = self.state.inventory
        self.died = self.state.died
        self.ticks = self.state.ticks
        self.action_mask = self.state.mask
        self._action = torch.zeros((world_count, 1), dtype=torch.int32, device=self.device)
        self._which = torch.zeros(world_count, dtype=torch.bool, device=self.device)
        self._everywhere = torch.ones_like(self._which)
        self._first_items = torch.zeros_like(self.state.inventory)
        self._vector = torch.zeros((world_count, FEATURE_COUNT), device=self.device)
        self.observation: dict[str, Tensor] = {"vector": self._vector}
        self._prepare()
        self.reset(self._everywhere)

    def _prepare(self) -> None:
        device = str(wp.device_from_torch(self.device))
        state = self.state.arrays()
        arguments: dict[str, Any] = {
            "rules": make_rules(
                self.config,
                device,
                seed=self.seed,
                first_world=self.first_world,
                masked_waits=int(self.masked_waits),
            ),
            "action_in": wp.from_torch(self._action),
            "first_items_in": wp.from_torch(self._first_items),
            "vector_out": wp.from_torch(self._vector),
        }
        for suffix in ("in", "io", "out"):
            arguments |= {f"{name}_{suffix}": array for name, array in state.items()}

        def launches(kernels: Iterable[Any], which: Tensor) -> list[wp.Launch]:
            known = arguments | {"which_in": wp.from_torch(which)}
            return prepare_all(kernels, self.world_count, device, known)

        self._step_launches = launches(STEP_KERNELS, self._everywhere)
        self._reset_launches = launches(RESET_KERNELS, self._which)
        self._sense_launches = launches([observe, allow], self._everywhere)
        # The tables were copied in a stream of Warp's own.
        wp.synchronize_device(device)

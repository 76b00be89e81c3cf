"""The voxel world: Minecraft's rules in first person, batched on CPU or GPU."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
import warp as wp
from torch import Tensor

from lapis.minecraft.items import ITEMS
from lapis.worlds.batch import Batch
from lapis.worlds.launching import prepare_all
from lapis.worlds.voxel.actions import ACTION_SIZES, OFF_HAND_ITEMS, TOOL_ITEMS
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.episode import begin, restart
from lapis.worlds.voxel.generation import generation_launches
from lapis.worlds.voxel.handling import handle
from lapis.worlds.voxel.looking import look, turn
from lapis.worlds.voxel.observe import VITALS, allow, observe
from lapis.worlds.voxel.rules import make_rules
from lapis.worlds.voxel.state import State
from lapis.worlds.voxel.step import play
from lapis.worlds.voxel.view import FAN_RAYS, fan_launches, frame_launches

WORLD_VERSION = 5
"""Rises with every change that can move learning curves."""

STEP_KERNELS: tuple[Any, ...] = (begin, handle, turn, play, look, observe, allow)
"""A step in the order of the game; what the player sees is drawn last."""
SENSE_KERNELS: tuple[Any, ...] = (look, observe, allow)


class VoxelWorld(Batch):
    """A batch of worlds that follows the `World` protocol.

    Observations: `inventory` float32 (world, item), log2(1 + count) / 6, at most 1; `vitals`
    float32 (world, len(VITALS)), each between 0 and 1; `hand` float32 (world, 1 + tool) and
    `off_hand` float32 (world, 1 + what it can hold), one-hot, the first for the bare hand. With the
    view "frame": `frame` uint8 (world, side, side, 3). With the view "fan": `fan_class` uint8 and
    `fan_distance` float32 (world, FAN_RAYS), `light` float32 (world, 1).

    Args:
        world_count: Number of worlds.
        seed: With world, episode and step it decides all chance.
        device: "cpu" or a CUDA device.
        config: The size of the worlds, and how they are seen.
        first_world: Number of the first row's world, where several batches share a seed.
        masked_waits: A choice that the mask does not allow counts as choice 0, instead of setting
            a fault too; for players that know no masks.
    """

    kind = "voxel"
    version = WORLD_VERSION
    items = ITEMS
    action_sizes = ACTION_SIZES
    skips_empty_resets = True

    def __init__(
        self,
        world_count: int,
        *,
        seed: int = 0,
        device: str | torch.device = "cpu",
        config: VoxelConfig | None = None,
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
        self.config = config or VoxelConfig()
        self.state = State.allocate(world_count, self.config, self.device)
        """The tensors of the world itself, for tests, planners and pictures."""
        self.inventory = self.state.inventory
        self.died = self.state.died
        self.ticks = self.state.ticks
        self.action_mask = self.state.mask
        self._allocate()
        self._prepare()
        self.reset(self._everywhere)

    def _allocate(self) -> None:
        """What passes between kernels, and what they show."""

        def zeros(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros((self.world_count, *shape), dtype=dtype, device=self.device)

        self._action = zeros(torch.int32, len(ACTION_SIZES))
        self._chosen = torch.zeros_like(self._action)
        self._which = zeros(torch.bool)
        self._everywhere = torch.ones_like(self._which)
        self._first_items = torch.zeros_like(self.state.inventory)
        self.observation: dict[str, Tensor] = {
            "inventory": zeros(torch.float32, len(ITEMS)),
            "vitals": zeros(torch.float32, len(VITALS)),
            "hand": zeros(torch.float32, 1 + len(TOOL_ITEMS)),
            "off_hand": zeros(torch.float32, 1 + len(OFF_HAND_ITEMS)),
        }
        if self.config.view == "frame":
            side = self.config.frame_size
            self.observation["frame"] = zeros(torch.uint8, side, side, 3)
        else:
            self.observation["fan_class"] = zeros(torch.uint8, FAN_RAYS)
            self.observation["fan_distance"] = zeros(torch.float32, FAN_RAYS)
            self.observation["light"] = zeros(torch.float32, 1)

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
            "chosen_in": wp.from_torch(self._chosen),
            "chosen_io": wp.from_torch(self._chosen),
            "chosen_out": wp.from_torch(self._chosen),
            "first_items_in": wp.from_torch(self._first_items),
            "items_out": wp.from_torch(self.observation["inventory"]),
            "vitals_out": wp.from_torch(self.observation["vitals"]),
            "held_out": wp.from_torch(self.observation["hand"]),
            "off_held_out": wp.from_torch(self.observation["off_hand"]),
        }
        for suffix in ("in", "io", "out"):
            arguments |= {f"{name}_{suffix}": array for name, array in state.items()}

        def launches(kernels: Iterable[Any], which: Tensor) -> list[wp.Launch]:
            known = arguments | {"which_in": wp.from_torch(which)}
            return prepare_all(kernels, self.world_count, device, known)

        which = wp.from_torch(self._which)
        generate = generation_launches(
            state, self.config, which, device, seed=self.seed, first_world=self.first_world
        )
        view = self._view_launches(state, None, device)
        self._step_launches = launches(STEP_KERNELS, self._everywhere) + view
        self._reset_launches = [
            *launches([restart], self._which),
            *generate,
            *launches(SENSE_KERNELS, self._which),
            *self._view_launches(state, self._which, device),
        ]
        self._sense_launches = launches(SENSE_KERNELS, self._everywhere) + view
        # The tables were copied in a stream of Warp's own.
        wp.synchronize_device(device)

    def _view_launches(
        self, state: dict[str, wp.array], which: Tensor | None, device: str
    ) -> list[wp.Launch]:
        rows = None if which is None else wp.from_torch(which)
        shown = {name: wp.from_torch(tensor) for name, tensor in self.observation.items()}
        if self.config.view == "frame":
            return frame_launches(state, self.config, shown["frame"], device, which=rows)
        fan = (shown["fan_class"], shown["fan_distance"], shown["light"])
        return fan_launches(state, self.config, *fan, device, which=rows)

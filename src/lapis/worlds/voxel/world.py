"""The voxel world: Minecraft's rules in first person, batched on CPU or GPU."""

from __future__ import annotations

from typing import Any

import torch
import warp as wp
from torch import Tensor

from lapis.minecraft.items import ITEMS
from lapis.worlds.batch import Batch
from lapis.worlds.voxel.actions import ACTION_SIZES, OFF_HAND_ITEMS, TOOL_ITEMS
from lapis.worlds.voxel.config import WORLD_VERSION, VoxelConfig
from lapis.worlds.voxel.episode import begin, restart
from lapis.worlds.voxel.generation import generation_launches
from lapis.worlds.voxel.handling import handle
from lapis.worlds.voxel.looking import find_reachable, turn
from lapis.worlds.voxel.observe import Vital, allow, observe
from lapis.worlds.voxel.rules import make_rules
from lapis.worlds.voxel.state import State
from lapis.worlds.voxel.step import play
from lapis.worlds.voxel.view import FAN_RAYS, fan_launches, frame_launches

STEP_KERNELS: tuple[Any, ...] = (begin, handle, turn, play, find_reachable, observe, allow)
"""A step in the order of the game; what the player sees is drawn last."""
SENSE_KERNELS: tuple[Any, ...] = (find_reachable, observe, allow)


class VoxelWorld(Batch):
    """A batch of worlds that follows the `World` protocol.

    Observations: `inventory` float32 (world, item), log2(1 + count) / 6, at most 1; `vitals`
    float32 (world, len(Vital)), each between 0 and 1; `hand` float32 (world, 1 + tool) and
    `off_hand` float32 (world, 1 + what it can hold), one-hot, the first for the bare hand. With the
    view "frame": `frame` uint8 (world, side, side, 3). With the view "fan": `fan_class` uint8 and
    `fan_distance` float32 (world, FAN_RAYS), `light` float32 (world, 1).

    Its arguments are those of `Batch`. A choice that the mask does not allow counts as choice 0,
    with or without a fault.
    """

    kind = "voxel"
    version = WORLD_VERSION
    items = ITEMS
    action_sizes = ACTION_SIZES
    skips_empty_resets = True
    config_kind = VoxelConfig
    state_kind = State

    def _prepare(self) -> None:
        def zeros(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros((self.world_count, *shape), dtype=dtype, device=self.device)

        self._chosen = torch.zeros_like(self._action)
        self.observation: dict[str, Tensor] = {
            "inventory": zeros(torch.float32, len(ITEMS)),
            "vitals": zeros(torch.float32, len(Vital)),
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
        known = self._arguments(
            make_rules,
            chosen=self._chosen,
            items=self.observation["inventory"],
            vitals=self.observation["vitals"],
            held=self.observation["hand"],
            off_held=self.observation["off_hand"],
        )
        generate = generation_launches(
            self.state,
            self.config,
            wp.from_torch(self._which),
            self._warp_device,
            seed=self.seed,
            first_world=self.first_world,
        )
        view = self._view_launches(None)
        self._step_launches = self._launches(STEP_KERNELS, self._everywhere, known) + view
        self._reset_launches = [
            *self._launches([restart], self._which, known),
            *generate,
            *self._launches(SENSE_KERNELS, self._which, known),
            *self._view_launches(self._which),
        ]
        self._sense_launches = self._launches(SENSE_KERNELS, self._everywhere, known) + view

    def _view_launches(self, which: Tensor | None) -> list[wp.Launch]:
        device = self._warp_device
        rows = None if which is None else wp.from_torch(which)
        shown = {name: wp.from_torch(tensor) for name, tensor in self.observation.items()}
        if self.config.view == "frame":
            return frame_launches(self.state, self.config, shown["frame"], device, which=rows)
        fan = (shown["fan_class"], shown["fan_distance"], shown["light"])
        return fan_launches(self.state, self.config, *fan, device, which=rows)

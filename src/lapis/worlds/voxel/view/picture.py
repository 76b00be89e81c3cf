"""Pictures of one world for people, at any size."""

from __future__ import annotations

import numpy as np
import torch
import warp as wp

from lapis.worlds.launching import launch_all, start_warp
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.state import State
from lapis.worlds.voxel.view.launches import frame_launches

SIZES = (8, 1024)
"""Smallest and largest side of a picture [pixels]."""


class Picture:
    """Draws one world as its player sees it."""

    def __init__(self, state: State, config: VoxelConfig, *, world: int = 0, size: int = 512):
        """Prepares pictures of a world.

        Args:
            state: The worlds; each picture shows how they are then.
            config: Their config.
            world: Which of them.
            size: Pixels along each side.

        Raises:
            ValueError: There is no such world, or `size` is out of range.
        """
        world_count = state.blocks.shape[0]
        if not 0 <= world < world_count:
            raise ValueError(f"world is {world}; it must be in [0, {world_count - 1}]")
        if not SIZES[0] <= size <= SIZES[1]:
            raise ValueError(f"size is {size}; it must be in [{SIZES[0]}, {SIZES[1]}]")
        start_warp()
        self._device = state.blocks.device
        row = {name: tensor[world : world + 1] for name, tensor in state.tensors().items()}
        self._frame = torch.zeros((1, size, size, 3), dtype=torch.uint8, device=self._device)
        device = str(wp.device_from_torch(self._device))
        frame = wp.from_torch(self._frame)
        self._launches = frame_launches(State(**row), config, frame, device)

    def draw(self) -> np.ndarray:
        """The picture now: red, green and blue, uint8, shape (size, size, 3)."""
        launch_all(self._launches, self._device)
        return self._frame[0].cpu().numpy().copy()

"""Pictures of one world, whatever its kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PIL import Image

from lapis.worlds.voxel.view import Picture
from lapis.worlds.voxel.world import VoxelWorld
from lapis.worlds.world import World

__all__ = ["body_of", "picture_of"]

_HEALTH, _FOOD = 0, 1
"""Columns of the vitals."""


def picture_of(world: World, pixels: int) -> Callable[[], np.ndarray]:
    """A function that draws the current world: uint8, shape (pixels, pixels, 3).

    The voxel world is drawn in this size; of other worlds, the player's own frames are enlarged.

    Raises:
        ValueError: It has no pictures, or there is more than one world.
    """
    if world.world_count != 1:
        raise ValueError(f"game has {world.world_count} worlds; a film shows one")
    if isinstance(world, VoxelWorld):
        return Picture(world.state, world.config, size=pixels).draw
    if not {"frame", "vitals"} <= world.observation.keys():
        raise ValueError(f"{type(world).__name__} has no pictures")
    frame = world.observation["frame"]

    def draw() -> np.ndarray:
        image = Image.fromarray(frame[0].cpu().numpy())
        return np.array(image.resize((pixels, pixels), Image.Resampling.NEAREST))

    return draw


def body_of(world: World) -> tuple[float, float]:
    """Health and food, 0 to 20."""
    vitals = (world.observation["vitals"][0] * 20).tolist()
    return round(vitals[_HEALTH], 3), round(vitals[_FOOD], 3)

"""The voxel world: Minecraft's rules in first person, batched on CPU or GPU."""

from typing import TYPE_CHECKING

from lapis.lazy import lazy_names
from lapis.worlds.voxel.config import WORLD_VERSION, VoxelConfig

if TYPE_CHECKING:
    from lapis.worlds.voxel.world import VoxelWorld

__all__ = ["WORLD_VERSION", "VoxelConfig", "VoxelWorld"]

__getattr__ = lazy_names(__name__, {"VoxelWorld": "world"}, extra="worlds")

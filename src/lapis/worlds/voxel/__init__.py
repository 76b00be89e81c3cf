"""The voxel world: Minecraft's rules in first person, batched on CPU or GPU."""

from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.world import WORLD_VERSION, VoxelWorld

__all__ = ["WORLD_VERSION", "VoxelConfig", "VoxelWorld"]

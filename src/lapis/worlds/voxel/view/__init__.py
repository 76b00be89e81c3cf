"""What the player sees: pictures by a ray caster, or the classes of what a fan of rays meets."""

from lapis.worlds.voxel.view.fan import FAN_COLUMNS, FAN_RAYS, FAN_ROWS, FanClass
from lapis.worlds.voxel.view.launches import Picture, fan_launches, frame_launches
from lapis.worlds.voxel.view.textures import block_textures

__all__ = [
    "FAN_COLUMNS",
    "FAN_RAYS",
    "FAN_ROWS",
    "FanClass",
    "Picture",
    "block_textures",
    "fan_launches",
    "frame_launches",
]

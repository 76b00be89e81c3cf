"""Light of the sky that reaches a place, and light of torches."""

import warp as wp

from lapis.worlds.voxel.view.ray import greater, lesser
from lapis.worlds.voxel.view.rules import ViewRules
from lapis.worlds.voxel.view.scene import Eyes, FlatGrid

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

TORCH_REACH = 12.0
"""Distance at which a torch lights nothing any more [blocks]."""
AMBIENT_LIGHT = 0.2
"""Light in the deepest cave, far from the player."""

_SIGHT_LIGHT = 0.32
"""What is added to it beside the player's eye."""
_SIGHT_REACH = 20.0
"""Distance from the eye at which nothing is added any more [blocks]."""

_SHADE_PER_BLOCK = 0.04
"""Light that leaves, plants, glass or water take away for each block above."""
_DARKEST_SHADE = 0.6
_DARKNESS_PER_BLOCK = 0.09
"""Light that is lost for each block below the column's top where stone or soil is above."""


@wp.func
def sky_light(rules: ViewRules, grid_in: FlatGrid, world: int, x: int, y: int, z: int) -> float:
    """Light of the sky in a cell, 1 in the open; leaves only shade, a roof darkens with depth.

    DEVIATION: light falls straight down; it does not spread sideways.
    """
    mask = rules.size - 1
    column = (x & mask) * rules.size + (z & mask)
    top = int(grid_in.top[world, column])
    if y >= top:
        return 1.0
    above = column * rules.height + wp.max(y, 0)
    last = column * rules.height + top
    shade = float(1.0)
    while above < last:
        block = int(grid_in.blocks[world, above])
        if rules.see_through[block] == wp.uint8(0):
            return greater(0.0, shade - _DARKNESS_PER_BLOCK * float(top - y))
        if block != 0:
            shade = greater(_DARKEST_SHADE, shade - _SHADE_PER_BLOCK)
        above = above + 1
    return shade


@wp.func
def dim_light(distance: float) -> float:
    """The least light at a distance from the eye: near walls stand out from far ones.

    DEVIATION: players see a little in the dark.
    """
    left = greater(0.0, 1.0 - distance / _SIGHT_REACH)
    return AMBIENT_LIGHT + _SIGHT_LIGHT * left * left


@wp.func
def torch_light(distance_squared: float) -> float:
    """Light of one torch: 1 beside it, 0 from `TORCH_REACH` on.

    DEVIATION: it goes through walls.
    """
    left = greater(0.0, 1.0 - distance_squared / (TORCH_REACH * TORCH_REACH))
    return left * left


@wp.func
def torches_light(eyes_in: Eyes, world: int, torch_count: int, place: wp.vec3) -> float:
    """Light of all torches at a place relative to the eye, at most 1."""
    light = float(0.0)
    for k in range(torch_count):
        way = eyes_in.near_torch[world, k] - place
        light = light + torch_light(wp.dot(way, way))
    return lesser(light, 1.0)

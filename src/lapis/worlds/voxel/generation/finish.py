"""Summaries of the finished blocks: tops of columns, which cubes hold anything, the ceiling."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.generation.land import Plans
from lapis.worlds.voxel.generation.rules import GenerationRules
from lapis.worlds.voxel.state import Grid

wp.set_module_options({"enable_backward": False, "max_unroll": 1})

_AIR = wp.uint8(Block.AIR)
_BRICK = 4


@wp.func
def holds_anything(grid_in: Grid, world: int, first_x: int, first_z: int, first_y: int) -> wp.uint8:
    """1 if a cube of 4 x 4 x 4 holds anything but air."""
    for place in range(_BRICK * _BRICK * _BRICK):
        x = first_x + place // (_BRICK * _BRICK)
        z = first_z + (place // _BRICK) % _BRICK
        if grid_in.blocks[world, x, z, first_y + place % _BRICK] != _AIR:
            return wp.uint8(1)
    return wp.uint8(0)


@wp.kernel
def finish_worlds(
    # Rules:
    rules: GenerationRules,
    # In:
    plans_in: Plans,
    # State in/out:
    grid_io: Grid,
):
    """Works out `top`, `bricks` and `ceiling` of the planned worlds."""
    side = rules.size // _BRICK
    layers = rules.height // _BRICK
    columns = rules.size * rules.size
    per_world = wp.max(side * side * layers, columns)
    for item in range(wp.tid(), plans_in.count[0] * per_world, plans_in.thread_count):
        world = plans_in.plan[item // per_world].world
        number = item % per_world
        if number < side * side * layers:
            x = number // (side * layers)
            z = (number // layers) % side
            layer = number % layers
            holds = holds_anything(grid_io, world, x * _BRICK, z * _BRICK, layer * _BRICK)
            grid_io.bricks[world, x, z, layer] = holds
            # Most threads need not wait for one another.
            if holds != wp.uint8(0) and grid_io.ceiling[world] <= layer:
                wp.atomic_max(grid_io.ceiling, world, layer + 1)
        if number < columns:
            x = number // rules.size
            z = number % rules.size
            top = rules.height
            while top > 0 and grid_io.blocks[world, x, z, top - 1] == _AIR:
                top = top - 1
            grid_io.top[world, x, z] = wp.uint8(top)

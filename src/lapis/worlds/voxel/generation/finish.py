"""Summaries of the finished blocks: tops of columns, which cubes hold anything, the ceiling."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.generation.land import Plan
from lapis.worlds.voxel.generation.rules import GenerationRules

wp.set_module_options({"enable_backward": False, "max_unroll": 1})

_AIR = wp.uint8(Block.AIR)
_BRICK = 4


@wp.func
def holds_anything(
    blocks_in: wp.array4d[wp.uint8], world: int, first_x: int, first_z: int, first_y: int
) -> wp.uint8:
    """1 if a cube of 4 x 4 x 4 holds anything but air."""
    for place in range(_BRICK * _BRICK * _BRICK):
        x = first_x + place // (_BRICK * _BRICK)
        z = first_z + (place // _BRICK) % _BRICK
        if blocks_in[world, x, z, first_y + place % _BRICK] != _AIR:
            return wp.uint8(1)
    return wp.uint8(0)


@wp.kernel
def finish_worlds(
    # Rules:
    rules: GenerationRules,
    # State in:
    blocks_in: wp.array4d[wp.uint8],
    # In:
    plan_in: wp.array[Plan],
    plan_count_in: wp.array[int],
    thread_count_in: int,
    # State in/out:
    ceiling_io: wp.array[int],
    # Out:
    top_out: wp.array3d[wp.uint8],
    bricks_out: wp.array4d[wp.uint8],
):
    """Works out `top`, `bricks` and `ceiling` of the planned worlds."""
    side = rules.size // _BRICK
    layers = rules.height // _BRICK
    columns = rules.size * rules.size
    per_world = wp.max(side * side * layers, columns)
    for item in range(wp.tid(), plan_count_in[0] * per_world, thread_count_in):
        world = plan_in[item // per_world].world
        number = item % per_world
        if number < side * side * layers:
            x = number // (side * layers)
            z = (number // layers) % side
            layer = number % layers
            holds = holds_anything(blocks_in, world, x * _BRICK, z * _BRICK, layer * _BRICK)
            bricks_out[world, x, z, layer] = holds
            # Most threads need not wait for one another.
            if holds != wp.uint8(0) and ceiling_io[world] <= layer:
                wp.atomic_max(ceiling_io, world, layer + 1)
        if number < columns:
            x = number // rules.size
            z = number % rules.size
            top = rules.height
            while top > 0 and blocks_in[world, x, z, top - 1] == _AIR:
                top = top - 1
            top_out[world, x, z] = wp.uint8(top)

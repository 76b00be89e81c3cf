"""Veins of ore, dirt and gravel in the stone.

DEVIATION: a vein is all stone near a short line, instead of a chain of ellipsoids; its length and
thickness are set so that a chunk holds as many blocks as in Minecraft. There is no granite,
diorite, andesite or emerald.
"""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.rng import fold
from lapis.worlds.voxel.generation.land import Plans
from lapis.worlds.voxel.generation.noise import signed_unit, unit, whole
from lapis.worlds.voxel.generation.rules import CHUNK, GenerationRules, Purpose
from lapis.worlds.voxel.grid import wrapped
from lapis.worlds.voxel.state import Grid

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

_STONE = wp.uint8(Block.STONE)


@wp.func
def vein_height(rules: GenerationRules, kind: int, h: wp.uint32) -> int:
    """Draws the y of a vein: uniform, or the sum of two uniform draws."""
    if rules.vein_is_triangular[kind] > 0:
        half = (rules.vein_span[kind] + 1) // 2
        return rules.vein_low[kind] + whole(fold(h, 1), half) + whole(fold(h, 2), half)
    return rules.vein_low[kind] + whole(fold(h, 1), rules.vein_span[kind])


@wp.func
def vein_axis(h: wp.uint32, half_length: float) -> wp.vec3:
    """The way from a vein's middle to its end: any direction, rather flat than steep."""
    x = signed_unit(fold(h, 3))
    y = 0.5 * signed_unit(fold(h, 4))
    z = signed_unit(fold(h, 5))
    scale = half_length / wp.sqrt(x * x + y * y + z * z + 1.0e-6)
    return wp.vec3(x * scale, y * scale, z * scale)


@wp.func
def square_distance_to_axis(x: float, y: float, z: float, axis: wp.vec3) -> float:
    """Of a point from the line between -axis and axis [square blocks]."""
    along = x * axis[0] + y * axis[1] + z * axis[2]
    length = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]
    share = wp.clamp(along / length, -1.0, 1.0)
    dx = x - share * axis[0]
    dy = y - share * axis[1]
    dz = z - share * axis[2]
    return dx * dx + dy * dy + dz * dz


@wp.func
def fill_vein(
    grid_io: Grid, world: int, middle: wp.vec3, axis: wp.vec3, radius: float, block: wp.uint8
):
    """Turns stone within `radius` of the axis into `block`."""
    size = grid_io.blocks.shape[1]
    reach_x = wp.abs(axis[0]) + radius
    reach_y = wp.abs(axis[1]) + radius
    reach_z = wp.abs(axis[2]) + radius
    low_y = wp.max(int(wp.ceil(middle[1] - reach_y)), 0)
    high_y = wp.min(int(wp.floor(middle[1] + reach_y)), grid_io.blocks.shape[3] - 1)
    square = radius * radius
    for x in range(int(wp.ceil(middle[0] - reach_x)), int(wp.floor(middle[0] + reach_x)) + 1):
        for z in range(int(wp.ceil(middle[2] - reach_z)), int(wp.floor(middle[2] + reach_z)) + 1):
            column_x = wrapped(x, size)
            column_z = wrapped(z, size)
            dx = float(x) - middle[0]
            dz = float(z) - middle[2]
            for y in range(low_y, high_y + 1):
                dy = float(y) - middle[1]
                inside = square_distance_to_axis(dx, dy, dz, axis) < square
                # Several veins of one kind may meet here: all write the same value.
                if inside and grid_io.blocks[world, column_x, column_z, y] == _STONE:
                    grid_io.blocks[world, column_x, column_z, y] = block


@wp.kernel
def grow_veins(
    # Rules:
    rules: GenerationRules,
    # In:
    plans_in: Plans,
    kind_in: int,
    # State in/out:
    grid_io: Grid,
):
    """Puts all veins of one kind into the planned worlds."""
    chunks = rules.size // CHUNK
    tries = rules.vein_tries[kind_in]
    per_world = chunks * chunks * tries
    for item in range(wp.tid(), plans_in.count[0] * per_world, plans_in.thread_count):
        plan = plans_in.plan[item // per_world]
        number = item % per_world
        chunk = number // tries
        h = fold(fold(plan.chance, Purpose.VEIN + kind_in), number)
        y = float(vein_height(rules, kind_in, h)) + unit(fold(h, 6)) - 0.5
        if y < float(rules.height):
            x = float((chunk // chunks) * CHUNK) + float(CHUNK) * unit(fold(h, 7))
            z = float((chunk % chunks) * CHUNK) + float(CHUNK) * unit(fold(h, 8))
            axis = vein_axis(h, rules.vein_half_length[kind_in])
            radius = rules.vein_radius[kind_in] * (0.85 + 0.3 * unit(fold(h, 9)))
            block = wp.uint8(rules.vein_block[kind_in])
            fill_vein(grid_io, plan.world, wp.vec3(x, y, z), axis, radius, block)

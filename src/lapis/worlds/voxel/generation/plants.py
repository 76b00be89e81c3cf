"""What grows on the ground: trees, tall grass, flowers and cacti.

DEVIATION: tufts and flowers stand alone instead of in patches; there are no ferns, mushrooms,
reeds, pumpkins or lilies.
"""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.rng import draw, fold
from lapis.worlds.voxel.generation.land import Plan
from lapis.worlds.voxel.generation.noise import torus_offset, whole
from lapis.worlds.voxel.generation.rules import GenerationRules, Purpose
from lapis.worlds.voxel.generation.trees import grow_trees
from lapis.worlds.voxel.grid import wrapped

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

_AIR = wp.uint8(Block.AIR)
_GRASS = wp.uint8(Block.GRASS)
_SAND = wp.uint8(Block.SAND)
_TALL_GRASS = wp.uint8(Block.TALL_GRASS)
_RED_FLOWER = wp.uint8(Block.RED_FLOWER)
_YELLOW_FLOWER = wp.uint8(Block.YELLOW_FLOWER)
_CACTUS = wp.uint8(Block.CACTUS)


@wp.func
def plant_of(rules: GenerationRules, biome: int, h: wp.uint32) -> wp.uint8:
    """Draws what grows on one column of grass, or nothing."""
    number = draw(h, 0) - rules.tuft_chance[biome]
    if number < 0:
        return _TALL_GRASS
    if number >= rules.flower_chance[biome]:
        return _AIR
    if whole(fold(h, 1), 3) == 0:
        return _RED_FLOWER
    return _YELLOW_FLOWER


@wp.func
def bears_cactus(top_in: wp.array3d[wp.uint8], world: int, x: int, z: int) -> bool:
    """Whether nothing stands around a column, and no other cactus may."""
    size = top_in.shape[1]
    top = top_in[world, x, z]
    if (x + z) % 2 == 1 or top_in[world, wrapped(x - 1, size), z] > top:
        return False
    if top_in[world, wrapped(x + 1, size), z] > top:
        return False
    if top_in[world, x, wrapped(z - 1, size)] > top:
        return False
    return top_in[world, x, wrapped(z + 1, size)] <= top


@wp.func
def grow_cactus(blocks_io: wp.array4d[wp.uint8], world: int, x: int, z: int, top: int, height: int):
    """Stacks a cactus on the ground, up to what hangs over it."""
    y = top
    while y < top + height and blocks_io[world, x, z, y] == _AIR:
        blocks_io[world, x, z, y] = _CACTUS
        y = y + 1


@wp.kernel
def grow_plants(
    # Rules:
    rules: GenerationRules,
    # State in:
    top_in: wp.array3d[wp.uint8],
    biome_in: wp.array3d[wp.uint8],
    # In:
    plan_in: wp.array[Plan],
    plan_count_in: wp.array[int],
    thread_count_in: int,
    # State in/out:
    blocks_io: wp.array4d[wp.uint8],
):
    """Grows all plants of the planned worlds; `top` is the y above the ground, without water.

    A thread reads other columns at the height of their ground, where no thread writes.
    """
    size = rules.size
    columns = size * size
    for item in range(wp.tid(), plan_count_in[0] * columns, thread_count_in):
        plan = plan_in[item // columns]
        world = plan.world
        x = (item % columns) // size
        z = item % size
        grow_trees(rules, plan, blocks_io, top_in, biome_in, x, z)
        top = int(top_in[world, x, z])
        soil = blocks_io[world, x, z, top - 1]
        is_home = x == plan.site_x[0] and z == plan.site_z[0]
        if blocks_io[world, x, z, top] == _AIR and not is_home:
            h = fold(fold(plan.chance, Purpose.PLANT), item % columns)
            biome = int(biome_in[world, x, z])
            if soil == _GRASS:
                blocks_io[world, x, z, top] = plant_of(rules, biome, h)
            elif soil == _SAND and draw(h, 0) < rules.cactus_chance[biome]:
                near_x = wp.abs(torus_offset(x, plan.site_x[0], size))
                near_z = wp.abs(torus_offset(z, plan.site_z[0], size))
                if near_x + near_z > 1 and bears_cactus(top_in, world, x, z):
                    grow_cactus(blocks_io, world, x, z, top, 1 + whole(fold(h, 1), 3))

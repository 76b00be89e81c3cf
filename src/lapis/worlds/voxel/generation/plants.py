"""What grows on the ground: trees, tall grass, flowers and cacti.

DEVIATION: tufts and flowers stand alone instead of in patches; there are no ferns, mushrooms,
reeds, pumpkins or lilies.
"""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.rng import draw, fold
from lapis.worlds.voxel.generation.land import Plans
from lapis.worlds.voxel.generation.noise import torus_offset, whole
from lapis.worlds.voxel.generation.rules import GenerationRules, Purpose
from lapis.worlds.voxel.generation.trees import grow_trees
from lapis.worlds.voxel.grid import wrapped
from lapis.worlds.voxel.state import Grid

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
def bears_cactus(grid_in: Grid, world: int, x: int, z: int) -> bool:
    """Whether nothing stands around a column, and no other cactus may."""
    size = grid_in.top.shape[1]
    top = grid_in.top[world, x, z]
    if (x + z) % 2 == 1 or grid_in.top[world, wrapped(x - 1, size), z] > top:
        return False
    if grid_in.top[world, wrapped(x + 1, size), z] > top:
        return False
    if grid_in.top[world, x, wrapped(z - 1, size)] > top:
        return False
    return grid_in.top[world, x, wrapped(z + 1, size)] <= top


@wp.func
def grow_cactus(grid_io: Grid, world: int, x: int, z: int, top: int, height: int):
    """Stacks a cactus on the ground, up to what hangs over it."""
    y = top
    while y < top + height and grid_io.blocks[world, x, z, y] == _AIR:
        grid_io.blocks[world, x, z, y] = _CACTUS
        y = y + 1


@wp.kernel
def grow_plants(
    # Rules:
    rules: GenerationRules,
    # In:
    plans_in: Plans,
    # State in/out:
    grid_io: Grid,
):
    """Grows all plants of the planned worlds; `top` is the y above the ground, without water.

    A thread reads other columns at the height of their ground, where no thread writes.
    """
    size = rules.size
    columns = size * size
    for item in range(wp.tid(), plans_in.count[0] * columns, plans_in.thread_count):
        plan = plans_in.plan[item // columns]
        world = plan.world
        x = (item % columns) // size
        z = item % size
        grow_trees(rules, plan, grid_io, x, z)
        top = int(grid_io.top[world, x, z])
        soil = grid_io.blocks[world, x, z, top - 1]
        is_home = x == plan.site_x[0] and z == plan.site_z[0]
        if grid_io.blocks[world, x, z, top] == _AIR and not is_home:
            h = fold(fold(plan.chance, Purpose.PLANT), item % columns)
            biome = int(grid_io.biome[world, x, z])
            if soil == _GRASS:
                grid_io.blocks[world, x, z, top] = plant_of(rules, biome, h)
            elif soil == _SAND and draw(h, 0) < rules.cactus_chance[biome]:
                near_x = wp.abs(torus_offset(x, plan.site_x[0], size))
                near_z = wp.abs(torus_offset(z, plan.site_z[0], size))
                if near_x + near_z > 1 and bears_cactus(grid_io, world, x, z):
                    grow_cactus(grid_io, world, x, z, top, 1 + whole(fold(h, 1), 3))

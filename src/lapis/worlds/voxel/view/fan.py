"""The symbolic view: what a fan of rays meets, and how far away, for players without pixels."""

from enum import IntEnum

import numpy as np
import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.view.aim import Eye
from lapis.worlds.voxel.view.cast import MOST_WATER, behind, first_cell, next_block
from lapis.worlds.voxel.view.look import BLOCK_COUNT, Look
from lapis.worlds.voxel.view.ray import make_ray

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

FAN_COLUMNS = 16
FAN_ROWS = 9
FAN_RAYS = FAN_COLUMNS * FAN_ROWS


class FanClass(IntEnum):
    """Kinds of things that a ray of the fan can meet. Only ever append."""

    NOTHING = 0
    STONE = 1
    """Stone, cobblestone, sandstone, obsidian."""
    SOIL = 2
    """Dirt, grass and farmland."""
    SAND = 3
    GRAVEL = 4
    CLAY = 5
    LOG = 6
    LEAVES = 7
    COAL_ORE = 8
    IRON_ORE = 9
    LAPIS_ORE = 10
    REDSTONE_ORE = 11
    GOLD_ORE = 12
    DIAMOND_ORE = 13
    WATER = 14
    LAVA = 15
    BEDROCK = 16
    PLANT = 17
    """Grass, flowers, saplings."""
    CACTUS = 18
    PLANKS = 19
    CRAFTING_TABLE = 20
    FURNACE = 21
    TORCH = 22
    OTHER = 23


_MEMBERS: dict[FanClass, tuple[int, ...]] = {
    FanClass.NOTHING: (Block.AIR,),
    FanClass.STONE: (Block.STONE, Block.COBBLESTONE, Block.SANDSTONE, Block.OBSIDIAN),
    FanClass.SOIL: (Block.DIRT, Block.GRASS, Block.FARMLAND),
    FanClass.LOG: tuple(range(Block.OAK_LOG, Block.DARK_OAK_LOG + 1)),
    FanClass.LEAVES: tuple(range(Block.OAK_LEAVES, Block.DARK_OAK_LEAVES + 1)),
    FanClass.PLANT: tuple(range(Block.OAK_SAPLING, Block.YELLOW_FLOWER + 1)),
}


def fan_classes() -> np.ndarray:
    """`FanClass` of each block, uint8, shape (block,)."""
    classes = np.full(BLOCK_COUNT, FanClass.OTHER, np.uint8)
    for name, number in FanClass.__members__.items():
        if number in _MEMBERS:
            classes[list(_MEMBERS[number])] = number
        elif number != FanClass.OTHER:
            classes[Block[name]] = number
    return classes


@wp.func
def follow(
    look: Look,
    blocks_in: wp.array2d[wp.uint8],
    bricks_in: wp.array2d[wp.uint8],
    ceiling_in: wp.array[int],
    eye_in: wp.array[Eye],
    world: int,
    index: int,
    class_out: wp.array2d[wp.uint8],
    distance_out: wp.array2d[float],
    light_out: wp.array2d[float],
):
    """Follows one ray to the first block; distances are shares of the view distance.

    Everything fills its cell and ends a ray; but an eye in water sees through water.
    """
    eye = eye_in[world]
    length = look.length[index]
    direction = eye.forward + look.across[index] * eye.right + look.rise[index] * eye.up
    ray = make_ray(eye.place, direction, look.view_distance / length)
    begin = first_cell(ray)
    water = float(0.0)
    block = int(0)
    depth = float(ray.furthest)
    goes_on = bool(True)
    while goes_on:
        stop = next_block(look, blocks_in, bricks_in, world, ray, ceiling_in[world], begin)
        goes_on = False
        if stop.block != 0:
            stops = stop.depth > 0.0
            if stop.block == Block.WATER and eye.medium == 1:
                water = water + behind(ray, stop).depth - stop.depth
                stops = water > MOST_WATER
            if stops:
                block = stop.block
                depth = stop.depth
            else:
                begin = behind(ray, stop)
                goes_on = True
    class_out[world, index] = look.fan_class[block]
    distance_out[world, index] = wp.min(depth * length / look.view_distance, 1.0)
    if index == 0:
        light_out[world, 0] = eye.light


@wp.kernel
def draw_fan(
    # Rules:
    look_rules: Look,
    # State in:
    blocks_in: wp.array2d[wp.uint8],
    bricks_in: wp.array2d[wp.uint8],
    ceiling_in: wp.array[int],
    # In:
    eye_in: wp.array[Eye],
    # Out:
    class_out: wp.array2d[wp.uint8],
    distance_out: wp.array2d[float],
    light_out: wp.array2d[float],
):
    """Follows the rays of all worlds, one thread per ray."""
    thread = wp.tid()
    look = look_rules
    ray_count = look.length.shape[0]
    world = thread // ray_count
    index = thread - world * ray_count
    follow(
        look,
        blocks_in,
        bricks_in,
        ceiling_in,
        eye_in,
        world,
        index,
        class_out,
        distance_out,
        light_out,
    )


@wp.kernel
def draw_some_fans(
    # Rules:
    look_rules: Look,
    # State in:
    blocks_in: wp.array2d[wp.uint8],
    bricks_in: wp.array2d[wp.uint8],
    ceiling_in: wp.array[int],
    # In:
    eye_in: wp.array[Eye],
    rows_in: wp.array[int],
    row_count_in: wp.array[int],
    thread_count_in: int,
    # Out:
    class_out: wp.array2d[wp.uint8],
    distance_out: wp.array2d[float],
    light_out: wp.array2d[float],
):
    """Follows the rays of the listed worlds, with a fixed number of threads."""
    look = look_rules
    ray_count = look.length.shape[0]
    for item in range(wp.tid(), row_count_in[0] * ray_count, thread_count_in):
        follow(
            look,
            blocks_in,
            bricks_in,
            ceiling_in,
            eye_in,
            rows_in[item // ray_count],
            item % ray_count,
            class_out,
            distance_out,
            light_out,
        )

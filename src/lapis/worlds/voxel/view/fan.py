"""The symbolic view: what a fan of rays meets, and how far away, for players without pixels."""

from enum import IntEnum

import numpy as np
import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.view.cast import MOST_WATER, behind, first_cell, next_block
from lapis.worlds.voxel.view.ray import make_ray
from lapis.worlds.voxel.view.rules import BLOCK_COUNT, ViewRules
from lapis.worlds.voxel.view.scene import Drawn, Eyes, FlatGrid

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


@wp.struct
class Fan:
    """What the rays of every world meet; see `fan_launches`."""

    block_class: wp.array2d[wp.uint8]
    distance: wp.array2d[float]
    light: wp.array2d[float]


@wp.func
def follow(
    rules: ViewRules, grid_in: FlatGrid, eyes_in: Eyes, world: int, index: int, fan_out: Fan
):
    """Follows one ray to the first block; distances are shares of the view distance.

    Everything fills its cell and ends a ray; but an eye in water sees through water.
    """
    eye = eyes_in.eye[world]
    length = rules.length[index]
    direction = eye.forward + rules.across[index] * eye.right + rules.rise[index] * eye.up
    ray = make_ray(eye.place, direction, rules.view_distance / length)
    begin = first_cell(ray)
    water = float(0.0)
    block = int(0)
    depth = float(ray.furthest)
    goes_on = bool(True)
    while goes_on:
        stop = next_block(rules, grid_in, world, ray, begin)
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
    fan_out.block_class[world, index] = rules.fan_class[block]
    fan_out.distance[world, index] = wp.min(depth * length / rules.view_distance, 1.0)
    if index == 0:
        fan_out.light[world, 0] = eye.light


@wp.kernel
def draw_fan(
    # Rules:
    rules: ViewRules,
    # State in:
    grid_in: FlatGrid,
    # In:
    eyes_in: Eyes,
    # Out:
    fan_out: Fan,
):
    """Follows the rays of all worlds, one thread per ray."""
    thread = wp.tid()
    ray_count = rules.length.shape[0]
    world = thread // ray_count
    index = thread - world * ray_count
    follow(rules, grid_in, eyes_in, world, index, fan_out)


@wp.kernel
def draw_some_fans(
    # Rules:
    rules: ViewRules,
    # State in:
    grid_in: FlatGrid,
    # In:
    eyes_in: Eyes,
    drawn_in: Drawn,
    # Out:
    fan_out: Fan,
):
    """Follows the rays of the listed worlds, with a fixed number of threads."""
    ray_count = rules.length.shape[0]
    for item in range(wp.tid(), drawn_in.row_count[0] * ray_count, drawn_in.thread_count):
        follow(rules, grid_in, eyes_in, drawn_in.rows[item // ray_count], item % ray_count, fan_out)

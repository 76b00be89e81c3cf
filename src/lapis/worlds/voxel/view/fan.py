"""The symbolic view: what a fan of rays meets, and how far away, for players without pixels."""

# Kernels are read by Warp's compiler, whose types are not Python's.
# pyright: reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportIndexIssue=false, reportOperatorIssue=false, reportAttributeAccessIssue=false

from enum import IntEnum

import numpy as np
import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.view.aim import Eye
from lapis.worlds.voxel.view.cast import cast
from lapis.worlds.voxel.view.look import BLOCK_COUNT, Look, Shape
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
    """Dirt and grass."""
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
    FanClass.SOIL: (Block.DIRT, Block.GRASS),
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


def fan_shapes() -> np.ndarray:
    """`Shape` of each block for the fan, shape (2, block): whole cells, in the air and in water.

    Everything ends a ray; but an eye in water sees through water.
    """
    shapes = np.full((2, BLOCK_COUNT), Shape.CUBE)
    shapes[:, Block.AIR] = Shape.NOTHING
    shapes[1, Block.WATER] = Shape.LIQUID
    return shapes


@wp.kernel
def draw_fan(
    # Rules:
    look_rules: Look,
    # State in:
    blocks_in: wp.array2d[wp.uint8],
    bricks_in: wp.array2d[wp.uint8],
    # In:
    which_in: wp.array[wp.bool],
    eye_in: wp.array[Eye],
    ceiling_in: wp.array[int],
    # Out:
    class_out: wp.array2d[wp.uint8],
    distance_out: wp.array2d[float],
    light_out: wp.array2d[float],
):
    """Follows one ray to the first block; distances are shares of the view distance."""
    thread = wp.tid()
    look = look_rules
    ray_count = look.length.shape[0]
    world = thread // ray_count
    if not which_in[world]:
        return
    index = thread - world * ray_count
    eye = eye_in[world]
    length = look.length[index]
    direction = eye.forward + look.across[index] * eye.right + look.rise[index] * eye.up
    ray = make_ray(eye.place, direction, look.view_distance / length)
    first_shape = wp.where(eye.medium == 1, look.shape.shape[0] // 2, 0)
    hit = cast(look, blocks_in, bricks_in, world, ray, ceiling_in[world], first_shape)
    class_out[world, index] = look.fan_class[hit.block]
    distance_out[world, index] = wp.min(hit.depth * length / look.view_distance, 1.0)
    if index == 0:
        light_out[world, 0] = eye.light

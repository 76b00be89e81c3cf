"""The constant tables of the view: the camera, the textures, and how rays treat blocks."""

from __future__ import annotations

import functools
import math
from enum import IntEnum
from typing import Any

import numpy as np
import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.launching import filled
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.view.paint import SIDE
from lapis.worlds.voxel.view.textures import block_textures, crack_order, item_icons

BLOCK_COUNT = len(Block)
LEVELS = 5
"""Sizes in which a texture is kept: 16, 8, 4, 2 and 1 texels a side."""


class Shape(IntEnum):
    """How a ray meets a block."""

    NOTHING = 0
    CUBE = 1
    """Ends at the block's face."""
    LATTICE = 2
    """A cube whose texture has holes, through which the ray goes on."""
    CROSS = 3
    """Two upright planes along the diagonals."""
    STICK = 4
    """A thin upright box that glows."""
    LIQUID = 5
    """Goes on, tinted."""
    BOX = 6
    """A box on the cell's floor, with the textures of a cube."""


_CROSSES = (
    *range(Block.OAK_SAPLING, Block.DARK_OAK_SAPLING + 1),
    Block.TALL_GRASS,
    Block.RED_FLOWER,
    Block.YELLOW_FLOWER,
)
_PICTURES = (Block.LEVER, Block.TRIPWIRE_HOOK, Block.SIGN)
_LATTICES = (
    *range(Block.OAK_LEAVES, Block.DARK_OAK_LEAVES + 1),
    Block.GLASS,
    Block.IRON_BARS,
    Block.LADDER,
    Block.OPEN_WOODEN_DOOR,
    Block.OPEN_TRAPDOOR,
    Block.OPEN_FENCE_GATE,
)
_STICKS = (Block.TORCH, Block.REDSTONE_TORCH)
_BOXES: dict[Block, tuple[float, float]] = {
    **dict.fromkeys(_STICKS, (0.0625, 0.625)),
    **{block: (0.4375, 0.0625) for block in Block if block.name.endswith("_PLATE")},
    **{block: (0.5, 0.0625) for block in Block if block.name.endswith("RAIL")},
    **{block: (0.1875, 0.125) for block in Block if block.name.endswith("_BUTTON")},
    Block.REDSTONE_WIRE: (0.3125, 0.03125),
    Block.REPEATER: (0.5, 0.125),
}
"""Half of the width, and the height, of what is smaller than its cell [blocks]."""


@wp.struct
class ViewRules:
    """Constant tables. N = pixels, or rays of a fan.

    row, column  (N,) place of each ray in the picture
    across, rise (N,) the ray is forward + across * right + rise * up
    length       (N,) its length
    sine         (3600,) by tenths of degrees
    shape        (block,) `Shape`, for pictures
    see_through  (block,) 1 where light from above passes
    fan_class    (block,) `FanClass`
    box_half     (block,) half of the width of boxes and sticks
    box_height   (block,) their height
    first_texel  (6 * block,) start of each face's texture in `texel`
    texel        red, green, blue and alpha from the lowest byte up
    icon         (item * 256,) the same for what is in hand
    crack        (256,) share that is dug when the texel cracks, out of 255
    """

    size: int
    height: int
    frame_size: int
    view_distance: float
    texels_per_depth: float
    blocks_per_depth: float
    row: wp.array[int]
    column: wp.array[int]
    across: wp.array[float]
    rise: wp.array[float]
    length: wp.array[float]
    sine: wp.array[float]
    shape: wp.array[wp.uint8]
    see_through: wp.array[wp.uint8]
    fan_class: wp.array[wp.uint8]
    box_half: wp.array[float]
    box_height: wp.array[float]
    first_texel: wp.array[int]
    texel: wp.array[wp.uint32]
    icon: wp.array[wp.uint32]
    crack: wp.array[wp.uint8]


def make_view_rules(
    config: VoxelConfig,
    device: str,
    *,
    rays: dict[str, np.ndarray],
    fan_class: np.ndarray,
    view_distance: int,
    frame_size: int = 0,
) -> Any:
    """The `ViewRules` for one device; `frame_size` 0 is a fan."""
    blocks_per_depth = 2.0 * _half_height(config) / max(frame_size, 1)
    tables = {
        "size": config.size,
        "height": config.height,
        "frame_size": frame_size,
        "view_distance": float(view_distance),
        "texels_per_depth": blocks_per_depth * SIDE,
        "blocks_per_depth": blocks_per_depth,
        **rays,
        **_block_tables(),
        "sine": np.sin(np.radians(np.arange(3600) / 10.0)),
        "shape": frame_shapes(),
        "fan_class": fan_class,
        "icon": _packed(item_icons()).ravel(),
        "crack": crack_order().ravel(),
    }
    return filled(ViewRules, tables, device)


def _half_height(config: VoxelConfig) -> float:
    """Half of a picture's height at depth 1."""
    return math.tan(math.radians(config.field_of_view) / 2.0)


def frame_shapes() -> np.ndarray:
    """`Shape` of each block for pictures, shape (block,).

    DEVIATION: liquids fill their cell, cacti and chests too, and whatever stops a body and is no
    cube in the game: slabs, stairs, fences, walls, doors, trapdoors, gates, anvils, hoppers, ...
    Ladders, and what is open, are cubes with holes; levers, hooks and signs are crossed pictures.
    """
    shapes = np.full(BLOCK_COUNT, Shape.CUBE)
    shapes[Block.AIR] = Shape.NOTHING
    shapes[[*_CROSSES, *_PICTURES]] = Shape.CROSS
    shapes[list(_LATTICES)] = Shape.LATTICE
    shapes[list(_BOXES)] = Shape.BOX
    shapes[list(_STICKS)] = Shape.STICK
    shapes[Block.WATER] = Shape.LIQUID
    return shapes


def picture_rays(config: VoxelConfig, frame_size: int) -> dict[str, np.ndarray]:
    """The rays of a square picture, in tiles of 8 x 4 pixels where the size allows it.

    Neighbors then meet the same blocks: good for caches, and for threads that go in step.
    """
    order = np.arange(frame_size * frame_size).reshape(frame_size, frame_size)
    if frame_size % 8 == 0:
        order = order.reshape(frame_size // 4, 4, frame_size // 8, 8).swapaxes(1, 2)
    half = _half_height(config)
    return _rays(frame_size, frame_size, half, half, order.ravel())


def fan_rays(config: VoxelConfig, rows: int, columns: int) -> dict[str, np.ndarray]:
    """The rays of a fan, row by row; it is as high as a picture, and as wide as its rows ask."""
    half = _half_height(config)
    return _rays(rows, columns, half, half * columns / rows, np.arange(rows * columns))


def _rays(
    row_count: int, column_count: int, half_height: float, half_width: float, order: np.ndarray
) -> dict[str, np.ndarray]:
    row, column = np.mgrid[0:row_count, 0:column_count]
    across = half_width * ((2.0 * column + 1.0) / column_count - 1.0)
    rise = half_height * (1.0 - (2.0 * row + 1.0) / row_count)
    length = np.sqrt(1.0 + across**2 + rise**2)
    reals = {"across": across, "rise": rise, "length": length}
    wholes = {"row": row, "column": column}
    return {
        **{name: values.ravel()[order].astype(np.float32) for name, values in reals.items()},
        **{name: values.ravel()[order].astype(np.int32) for name, values in wholes.items()},
    }


@functools.cache
def _block_tables() -> dict[str, np.ndarray]:
    """The textures of all faces in all sizes, each kept once, and what light passes."""
    faces = block_textures().reshape(-1, SIDE, SIDE, 4)
    textures, texture_of_face = np.unique(faces, axis=0, return_inverse=True)
    levels = [_packed(level).reshape(len(textures), -1) for level in _levels(textures)]
    pyramid = np.concatenate(levels, axis=1)
    shapes = frame_shapes()
    boxes = np.array([_BOXES.get(block, (0.0, 0.0)) for block in Block], np.float32)
    return {
        "box_half": boxes[:, 0],
        "box_height": boxes[:, 1],
        "texel": pyramid.ravel(),
        "first_texel": (texture_of_face.ravel() * pyramid.shape[1]).astype(np.int32),
        "see_through": (shapes != Shape.CUBE).astype(np.uint8),
    }


def _levels(textures: np.ndarray) -> list[np.ndarray]:
    """Textures halved again and again; colors are averaged by alpha."""
    level = textures.astype(np.float64)
    levels = [textures]
    for _ in range(LEVELS - 1):
        side = level.shape[1] // 2
        parts = level.reshape(-1, side, 2, side, 2, 4)
        alpha = parts[..., 3:].sum((2, 4))
        color = (parts[..., :3] * parts[..., 3:]).sum((2, 4)) / np.maximum(alpha, 1.0)
        color = np.where(alpha > 0.0, color, parts[..., :3].mean((2, 4)))
        level = np.concatenate([color, alpha / 4.0], -1)
        levels.append(np.rint(level).astype(np.uint8))
    return levels


def _packed(colors: np.ndarray) -> np.ndarray:
    """Colors (..., 4) as words, red in the lowest byte."""
    channels = colors.astype(np.uint32)
    return sum(channels[..., k] << np.uint32(8 * k) for k in range(4))  # pyright: ignore


assert SIDE == 1 << (LEVELS - 1)

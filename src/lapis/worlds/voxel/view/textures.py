"""Textures of all blocks, icons of items in the hand, and cracks of digging, made by code."""

from __future__ import annotations

import functools

import numpy as np

from lapis.minecraft.blocks import BLOCK_OF_ITEM, Block
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.tools import TOOLS
from lapis.worlds.voxel.view import paint
from lapis.worlds.voxel.view.built import built
from lapis.worlds.voxel.view.natural import ground, growth, plants
from lapis.worlds.voxel.view.paint import SIDE, Color

UNCRACKED = 255
"""Order of texels that never crack."""

_HEADS: dict[str, tuple[Color, Color]] = {
    "wooden": ((150, 116, 66), (112, 84, 44)),
    "stone": ((146, 146, 148), (104, 104, 106)),
    "iron": ((224, 224, 226), (168, 168, 172)),
    "golden": ((250, 216, 70), (206, 160, 30)),
    "diamond": ((96, 232, 226), (40, 168, 168)),
}
"""Colors of a tool's head, light and dark, by material."""

_HANDLES: dict[str, Color] = {"shears": (150, 40, 36)}
_WOOD: Color = (118, 88, 50)
_TOP_FACE, _BOTTOM_FACE = 3, 2


@functools.cache
def block_textures() -> np.ndarray:
    """Red, green, blue and alpha of all faces, uint8, shape (block, face, 16, 16, 4).

    Faces: 0 -x, 1 +x, 2 -y, 3 +y, 4 -z, 5 +z; rows from above, as seen from outside. Texels of
    alpha 0 are holes. The planes of plants use face 0.
    """
    painted = {**ground(), **growth(), **plants(), **built()}
    textures = np.zeros((len(Block), 6, SIDE, SIDE, 4), np.uint8)
    for block in Block:
        if block != Block.AIR:
            faces = painted.pop(block.name.lower())
            top, side, bottom = faces if isinstance(faces, tuple) else (faces,) * 3
            textures[block] = side
            textures[block, _TOP_FACE] = top
            textures[block, _BOTTOM_FACE] = bottom
    assert not painted, f"no such blocks: {sorted(painted)}"
    textures.flags.writeable = False
    return textures


@functools.cache
def item_icons() -> np.ndarray:
    """Icons of tools and blocks, uint8, shape (item, 16, 16, 4); other items are see-through."""
    icons = np.zeros((len(ITEMS), SIDE, SIDE, 4), np.uint8)
    for name in TOOLS:
        icons[ITEM[name]] = _tool(name)
    for item, block in enumerate(BLOCK_OF_ITEM):
        if block != Block.AIR:
            icons[item] = block_textures()[block, 5]
    icons.flags.writeable = False
    return icons


@functools.cache
def crack_order() -> np.ndarray:
    """Share that is dug when a texel cracks, 0 ... 254, or `UNCRACKED`; uint8, shape (16, 16)."""
    order = np.full((SIDE, SIDE), UNCRACKED, np.uint8)
    turns = paint.grain(121, 9, 24)
    for crack in range(9):
        row, column = 7.5, 7.5
        angle = 2 * np.pi * (crack + 0.5 * turns[crack, 0]) / 9
        for length in range(24):
            angle += (turns[crack, length] - 0.5) * 1.1
            row, column = row + 0.6 * np.sin(angle), column + 0.6 * np.cos(angle)
            if not (0 <= row < SIDE and 0 <= column < SIDE):
                break
            place = int(row), int(column)
            order[place] = min(int(order[place]), 10 * length + 8)
    order.flags.writeable = False
    return order


def _tool(name: str) -> np.ndarray:
    material, _, kind = name.partition("_")
    if not kind:
        material, kind = "iron", name
    light, dark = _HEADS[material]
    return paint.drawn(kind, {"H": light, "D": dark, "S": _HANDLES.get(kind, _WOOD)})

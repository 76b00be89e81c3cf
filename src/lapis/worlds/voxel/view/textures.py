"""The textures of all blocks, made by code."""

from __future__ import annotations

import functools

import numpy as np

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.view.built import built
from lapis.worlds.voxel.view.natural import ground, growth, plants
from lapis.worlds.voxel.view.paint import SIDE

TEXTURE_SIZE = SIDE
"""Texels along each side of a texture."""

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

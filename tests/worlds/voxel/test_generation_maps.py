"""Maps of generated worlds."""

import numpy as np

from benchmarks.voxel_maps import COLORS, draw, map_from_above, palette, slice_at
from lapis.minecraft.blocks import Block
from tests.worlds.voxel.generated_worlds import generate


def test_every_generated_block_has_its_own_color():
    blocks = generate(30).blocks
    assert {Block(number) for number in np.unique(blocks)} <= set(COLORS)
    assert len(set(COLORS.values())) == len(COLORS)


def test_maps_and_slices_show_the_blocks_that_are_there():
    blocks = np.zeros((4, 4, 8), np.uint8)
    blocks[..., 0] = Block.STONE
    blocks[1, 2, 1] = Block.SAND
    top = np.ones((4, 4), np.uint8)
    top[1, 2] = 2
    picture = slice_at(blocks, 2)
    assert picture.shape == (8, 4, 3)
    np.testing.assert_array_equal(picture[-1, 0], palette()[Block.STONE])
    np.testing.assert_array_equal(picture[-2, 1], palette()[Block.SAND])
    np.testing.assert_array_equal(picture[-2, 0], palette()[Block.AIR])
    above = map_from_above(blocks, top)
    sand = palette()[Block.SAND]
    np.testing.assert_allclose(above[2, 1] / above[2, 1].max(), sand / sand.max())


def test_pictures_are_written(tmp_path):
    draw(generate(2, size=16).state, tmp_path / "maps.png")
    assert (tmp_path / "maps.png").read_bytes().startswith(b"\x89PNG")

"""Textures are whole, opaque where they must be, and tell blocks apart."""

import numpy as np

from lapis.minecraft.blocks import BLOCK_OF_ITEM, NATURAL, Block
from lapis.minecraft.items import ITEM
from lapis.minecraft.tools import TOOLS
from lapis.worlds.voxel.actions import PLACE_ITEMS
from lapis.worlds.voxel.view import block_textures
from lapis.worlds.voxel.view.paint import clouds, grain
from lapis.worlds.voxel.view.rules import Shape, frame_shapes
from lapis.worlds.voxel.view.textures import item_icons

TEXTURES = block_textures()


def mean_color(block, face=0):
    texture = TEXTURES[block, face].astype(float)
    return texture[texture[..., 3] > 0][:, :3].mean(0)


def test_all_faces_of_all_blocks_are_painted():
    assert TEXTURES.shape == (len(Block), 6, 16, 16, 4)
    assert TEXTURES.dtype == np.uint8
    assert set(np.unique(TEXTURES[..., 3])) == {0, 255}
    painted = (TEXTURES[..., 3] > 0).any((2, 3))
    assert not painted[Block.AIR].any()
    assert painted[1:].all()


def test_only_lattices_and_pictures_have_holes():
    holes = (TEXTURES[..., 3] == 0).any((1, 2, 3))
    shapes = frame_shapes()
    expected = np.isin(shapes, (Shape.NOTHING, Shape.LATTICE, Shape.CROSS))
    np.testing.assert_array_equal(holes, expected)


def test_textures_cannot_be_changed_by_mistake():
    assert not TEXTURES.flags.writeable
    assert block_textures() is TEXTURES


def test_natural_blocks_look_different_from_one_another():
    natural = [block for block in Block if NATURAL[block] and block != Block.AIR]
    for place, one in enumerate(natural):
        for other in natural[:place]:
            difference = np.abs(TEXTURES[one, 0].astype(int) - TEXTURES[other, 0]).mean()
            assert difference > 4, (one, other)


def test_blocks_that_are_placed_look_different_from_one_another():
    placed = [Block(BLOCK_OF_ITEM[item]) for item in PLACE_ITEMS]
    for place, one in enumerate(placed):
        for other in placed[:place]:
            difference = np.abs(TEXTURES[one].astype(int) - TEXTURES[other]).mean()
            assert difference > 1, (one, other)


def test_ores_have_their_colors():
    stone = mean_color(Block.STONE)
    changes = {
        block: mean_color(block) - stone for block in range(Block.COAL_ORE, Block.DIAMOND_ORE + 1)
    }
    assert (changes[Block.COAL_ORE] < -15).all()
    assert changes[Block.LAPIS_ORE].argmax() == 2
    assert changes[Block.REDSTONE_ORE].argmax() == 0
    assert changes[Block.DIAMOND_ORE].argmin() == 0
    gold = changes[Block.GOLD_ORE]
    assert gold[0] > gold[1] > 0 > gold[2]
    iron = changes[Block.IRON_ORE]
    assert iron[0] > iron[1] > iron[2]


def test_grass_hangs_over_dirt():
    side = TEXTURES[Block.GRASS, 0].astype(int)
    top = TEXTURES[Block.GRASS, 3].astype(int)
    np.testing.assert_array_equal(side[:3], top[:3])
    np.testing.assert_array_equal(side[8:], TEXTURES[Block.DIRT, 0][8:])
    np.testing.assert_array_equal(TEXTURES[Block.GRASS, 2], TEXTURES[Block.DIRT, 0])


def test_every_tool_has_its_own_icon():
    icons = item_icons()
    pictures = {icons[ITEM[name]].tobytes() for name in TOOLS}
    assert len(pictures) == len(TOOLS)
    assert all(icons[ITEM[name]][..., 3].any() for name in TOOLS)


def test_noise_is_the_same_everywhere():
    first = [0.6358677, 0.0740135, 0.9839166]
    np.testing.assert_allclose(grain(7)[0, :3], first, atol=1e-7)
    assert 0.4 < grain(7).mean() < 0.6


def test_clouds_tile():
    values = clouds(3, 4, 4)
    inner = np.abs(np.diff(values, axis=1)).max()
    assert np.abs(values[:, 0] - values[:, -1]).max() <= inner + 1e-12

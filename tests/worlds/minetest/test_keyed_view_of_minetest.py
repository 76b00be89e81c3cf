"""Pictures of land that is made by hand; no server is needed."""

import numpy as np
import pytest

from lapis.minecraft.blocks import Block
from lapis.worlds.minetest.voxel_view import BRICK, LAND, WINDOW, View
from lapis.worlds.voxel.view import block_textures

SIDE = 16
HEIGHT = WINDOW["height"]
FEET = (40.0, 10.5, 40.0)
SOUTH, WEST, NORTH, EAST = 0, 900, 1800, 2700


def flat_land():
    """Stone up to the player's feet, as layers of rows along x."""
    layers = np.zeros((HEIGHT, LAND, LAND), np.uint8)
    layers[:11] = Block.STONE
    return layers


def picture(layers, yaw=SOUTH, pitch=0, view=None, **more):
    view = view or View(1, SIDE)
    view.take_land(0, layers)
    none = np.full((1, 3), -1.0)
    given = {
        "feet": np.array([FEET]), "yaw": np.array([yaw]), "pitch": np.array([pitch]),
        "hand": np.array([-1]), "looked_at": none, "target": none, "dug": np.zeros(1),
    }  # fmt: skip
    view.draw(np.array([0]), **{**given, **more})
    return view.frame[0].astype(int)


@pytest.mark.parametrize(
    ("yaw", "x", "z"), [(SOUTH, 0, -3), (WEST, -3, 0), (NORTH, 0, 3), (EAST, 3, 0)]
)
def test_compass_is_the_games(yaw, x, z):
    """North is where z grows, and east where x does."""
    layers = flat_land()
    layers[11:16, 40 + z, 40 + x] = Block.GOLD_BLOCK
    middle = picture(layers, yaw)[SIDE // 2 - 3, SIDE // 2 + 1]
    gold = block_textures()[Block.GOLD_BLOCK, ..., :3].mean((0, 1, 2))
    assert np.abs(middle / middle.sum() - gold / gold.sum()).max() < 0.05
    for other in {SOUTH, WEST, NORTH, EAST} - {yaw}:
        seen = picture(layers, other)[SIDE // 2 - 3, SIDE // 2 + 1]
        assert seen[2] > seen[0], "the sky is blue, gold is not"


def test_right_is_right():
    layers = flat_land()
    layers[11:16, 43, 41:50] = Block.GOLD_BLOCK  # To the north, and from the middle to the east.
    seen = picture(layers, NORTH)[4]
    assert (seen[:6, 2] > seen[:6, 0]).all()
    assert (seen[-6:, 2] < seen[-6:, 0]).all()


def test_what_is_empty_may_be_crossed_and_nothing_else():
    """With all bricks taken for full, rays look at every node: the picture is the same."""
    rng = np.random.default_rng(0)
    layers = flat_land()
    layers[8:40][rng.random((32, LAND, LAND)) < 0.01] = Block.OAK_LOG
    layers[11:13, 40, 40] = Block.AIR
    view = View(1, 64)
    before = picture(layers, 300, -100, view)
    state = view._state
    assert 0 < state.bricks.float().mean() < 1
    top = layers != 0
    x, z = 13, 57
    assert state.top[0, x, LAND - 1 - z] == top[:, z, x].nonzero()[0].max() + 1
    assert int(state.ceiling[0]) == -(-int(top.any(axis=(1, 2)).nonzero()[0].max() + 1) // BRICK)
    state.bricks[:], state.ceiling[:] = 1, HEIGHT // BRICK
    kept = view.take_land
    view.take_land = lambda *_: None
    assert np.array_equal(picture(layers, 300, -100, view), before)
    view.take_land = kept


def test_torches_light_the_dark():
    layers = flat_land()
    layers[14] = Block.STONE  # A roof over everything.
    dark = picture(layers)
    layers[11, 38, 41] = Block.TORCH
    assert picture(layers).mean() > dark.mean() + 5


def test_block_under_the_crosshair_and_cracks_are_marked():
    layers = flat_land()
    plain = picture(layers, 0, 900)
    below = np.array([[40.0, 10.0, 40.0]])
    outlined = picture(layers, 0, 900, looked_at=below)
    cracked = picture(layers, 0, 900, looked_at=below, target=below, dug=np.array([0.9]))
    assert outlined.sum() < plain.sum()
    middle = slice(SIDE // 2 - 3, SIDE // 2 + 3)
    assert cracked[middle, middle].sum() < 0.85 * outlined[middle, middle].sum()
    beyond = np.array([[200.0, 10.0, 40.0]])
    assert np.array_equal(picture(layers, 0, 900, looked_at=beyond), plain)

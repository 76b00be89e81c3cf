"""Light, liquids, cracks, outline and hand."""

import numpy as np
import pytest
import torch
import warp as wp

from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEM
from lapis.worlds.launching import launch_all
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.view import frame_launches
from lapis.worlds.voxel.view.textures import UNCRACKED, crack_order, item_icons
from tests.worlds.voxel import view_scenes as scenes

# The view ends before the next image of what is seen on the torus.
CONFIG = VoxelConfig(size=16, height=80, field_of_view=90.0, view_distance=12, frame_size=64)
EYE = 1.62


def frames_of(state):
    frame = torch.zeros((state.blocks.shape[0], 64, 64, 3), dtype=torch.uint8)
    launches = frame_launches(state, CONFIG, wp.from_torch(frame), "cpu")
    launch_all(launches, torch.device("cpu"))
    return frame.numpy().astype(int)


def place(x, y, z):
    return (x * CONFIG.size + z) * CONFIG.height + y


def room(world_count=1, wall=Block.STONE, roof=10):
    """A room of 7 x 4 x 7 in solid stone, under a roof so many blocks thick; the eye inside."""
    state = scenes.blank(world_count, CONFIG)
    state.blocks[..., : 44 + roof] = wall
    state.blocks[:, 5:12, 5:12, 40:44] = Block.AIR
    scenes.settle(state)
    scenes.pose(state, 8.5, 40.0, 6.0, yaw=0)
    return state


def test_rooms_are_darker_the_deeper_they_lie_but_never_black():
    means = [frames_of(room(roof=roof)).mean() for roof in (1, 3, 6, 9, 20, 30)]
    assert means == sorted(means, reverse=True)
    assert means[0] > 1.4 * means[-1] > 0
    assert frames_of(room(roof=30)).min() > 0
    assert means[-1] == means[-2]


def test_leaves_shade_much_less_than_a_roof():
    meadow, grove, hall = (scenes.blank(1, CONFIG) for _ in range(3))
    for state in (meadow, grove, hall):
        state.blocks[..., :40] = Block.GRASS
    grove.blocks[..., 46:49] = Block.JUNGLE_LEAVES
    hall.blocks[..., 46:49] = Block.STONE
    means = []
    for state in (meadow, grove, hall):
        scenes.settle(state)
        scenes.pose(state, 8.5, 40.0, 8.5, pitch=600)
        means.append(frames_of(state).mean())
    open_air, shade, dark = means
    assert open_air > shade > dark
    assert shade > 0.6 * open_air


def test_torch_lights_its_surroundings_and_less_what_is_farther():
    state = room(3)
    state.torch[1, 0] = place(8, 41, 10)
    state.torch[2, 0] = place(8, 41, 5)
    dark, ahead, behind = frames_of(state)
    assert (ahead >= dark).all()
    assert (behind >= dark).all()
    far_wall = (slice(20, 30), slice(24, 40))
    assert ahead[far_wall].mean() > behind[far_wall].mean() > dark[far_wall].mean()
    assert ahead[far_wall].mean() > 1.5 * dark[far_wall].mean()
    # Warm light: red before blue.
    assert ahead[far_wall][..., 0].mean() > 1.2 * ahead[far_wall][..., 2].mean()


def test_torch_lights_across_the_edge_of_the_torus():
    state = scenes.blank(2, CONFIG)
    state.blocks[..., 39] = Block.STONE
    state.blocks[..., 79] = Block.STONE
    scenes.settle(state)
    scenes.pose(state, 8.5, 40.0, 0.5, yaw=0, pitch=900)
    state.torch[1, 0] = place(8, 41, 15)
    dark, lit = frames_of(state)
    assert lit.mean() > 1.4 * dark.mean()


def test_night_is_dim_but_readable():
    state = scenes.blank(3, CONFIG)
    state.blocks[..., :40] = Block.GRASS
    scenes.settle(state)
    scenes.pose(state, 8.5, 40.0, 8.5, pitch=500)
    state.time[1], state.time[2] = 12000, 18000
    noon, dusk, midnight = frames_of(state).mean((1, 2, 3))
    assert noon > dusk > midnight > 0.2 * noon


def test_sun_stands_in_the_zenith_at_noon_and_in_the_east_in_the_morning():
    state = scenes.blank(2, CONFIG)
    scenes.settle(state)
    scenes.pose(state, 8.5, 40.0, 8.5)
    state.pitch[0] = -900
    state.time[1], state.yaw[1], state.pitch[1] = 2000, 2700, -300
    frames = frames_of(state)
    for frame in frames:
        bright = (frame == [255, 250, 214]).all(-1)
        ys, xs = np.nonzero(bright)
        # 0.09 to each side at depth 1, where the half picture of 32 pixels shows 1.
        assert xs.max() - xs.min() + 1 in (5, 6)
        assert abs(xs.mean() - 31.5) < 1.5
        assert abs(ys.mean() - 31.5) < 1.5


def test_lava_glows_in_the_deepest_cave():
    state = room(2, roof=30)
    state.blocks[1, 5:12, 11, 40:44] = Block.LAVA
    scenes.settle(state)
    stone, lava = frames_of(state)
    middle = (slice(24, 30), slice(24, 30))
    assert lava[middle][..., 0].mean() > 170
    assert lava[middle][..., 0].mean() > 2 * lava[middle][..., 2].mean()
    assert stone[middle].mean() < 60


def test_water_tints_blue_and_more_so_the_deeper_it_is():
    state = scenes.blank(4, CONFIG)
    state.blocks[..., :40] = Block.SAND
    for world, depth in ((1, 1), (2, 3), (3, 12)):
        state.blocks[world, ..., 40 - depth : 40] = Block.WATER
    scenes.settle(state)
    scenes.pose(state, 8.5, 41.0, 8.5, pitch=900)
    frames = frames_of(state)
    blueness = (frames[..., 2] - frames[..., 0]).mean((1, 2))
    assert blueness[0] < 0 < blueness[1] < blueness[2] < blueness[3]


def test_eye_in_water_sees_blue_and_eye_in_lava_orange():
    state = scenes.blank(2, CONFIG)
    state.blocks[0, ..., :60] = Block.WATER
    state.blocks[1, ..., :60] = Block.LAVA
    scenes.settle(state)
    scenes.pose(state, 8.5, 40.0, 8.5)
    water, lava = frames_of(state)
    # All but the crosshair.
    assert (water[..., 2] > 2 * water[..., 0]).mean() > 0.99
    assert (lava[..., 0] > lava[..., 2] + 100).mean() > 0.99


def cube(world_count=1, block=Block.STONE):
    """A cube whose face fills the pixels 16 to 47 of both sides."""
    state = scenes.blank(world_count, CONFIG)
    state.blocks[:, 8, 8, 40] = block
    scenes.settle(state)
    scenes.pose(state, 8.5, 40.5 - EYE, 7.0, yaw=0)
    return state


def test_cracks_grow_with_digging_on_the_target_alone():
    state = cube(6)
    state.target[1:] = place(8, 40, 8)
    state.dug[:] = torch.tensor([0.5, 0.0, 0.2, 0.5, 0.9, 0.5])
    state.target[5] = place(8, 41, 8)
    frames = frames_of(state)
    cracked = (frames != frames[1]).any(-1)
    assert not cracked[0].any()
    assert not cracked[5].any()
    for less, more in ((1, 2), (2, 3), (3, 4)):
        assert (cracked[more] | ~cracked[less]).all()
        assert cracked[more].sum() > cracked[less].sum()
    # Each texel has two pixels a side; those under the crosshair may look alike.
    grown = (crack_order() < 0.9 * 255).repeat(2, 0).repeat(2, 1)
    np.testing.assert_array_equal(cracked[4][16:48, 16:48], grown)
    assert cracked[4].sum() == grown.sum()


def test_cracks_start_in_the_middle_and_leave_some_texels_whole():
    order = crack_order()
    assert order[6:10, 6:10].min() < 15
    assert 0.3 < (order == UNCRACKED).mean() < 0.8


def test_outline_runs_along_the_edges_of_what_is_looked_at():
    state = cube(3)
    state.looked_at[1] = place(8, 40, 8)
    state.looked_at[2] = place(8, 41, 8)
    frames = frames_of(state)
    assert (frames[2] == frames[0]).all()
    changed = (frames[1] != frames[0]).any(-1)
    # Two thirds of a pixel of 1/32 block: the outermost pixel's middle, 1/64 from the edge, is in.
    expected = np.zeros((64, 64), bool)
    expected[16:48, 16:48] = True
    expected[17:47, 17:47] = False
    np.testing.assert_array_equal(changed, expected)
    assert (frames[1][changed] < frames[0][changed]).any()


@pytest.mark.parametrize("name", ["wooden_pickaxe", "diamond_sword", "crafting_table"])
def test_hand_holds_the_item_in_the_lower_right_corner(name):
    state = cube(2)
    state.hand[1] = ITEM[name]
    bare, held = frames_of(state)
    icon = item_icons()[ITEM[name]]
    # 28 of 64 pixels.
    texel = np.arange(28) * 16 // 28
    drawn = icon[np.ix_(texel, texel)].astype(int)
    solid = drawn[..., 3] > 0
    corner = held[36:, 36:]
    np.testing.assert_array_equal(corner[solid], drawn[solid][:, :3])
    np.testing.assert_array_equal(corner[~solid], bare[36:, 36:][~solid])
    np.testing.assert_array_equal(held[:36], bare[:36])


def test_crosshair_marks_the_middle():
    state = scenes.blank(1, CONFIG)
    scenes.settle(state)
    scenes.pose(state, 8.5, 40.0, 8.5, yaw=450)
    frame = frames_of(state)[0]
    differs = np.abs(frame - np.roll(frame, 8, axis=1)).sum(-1) > 60
    assert differs[32, 30:35].all()
    assert differs[30:35, 32].all()
    assert not differs[20:29, 32].any()

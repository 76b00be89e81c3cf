"""Pixels: faces, textures, holes, bricks, batches."""

import dataclasses

import numpy as np
import pytest
import torch
import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.launching import launch_all
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.view import Picture, block_textures, frame_launches
from tests.worlds.voxel import view_scenes as scenes

# At 90 degrees a picture of 64 pixels shows 2 blocks at depth 1: a face there has 32 pixels.
# The view ends before the next image of what is seen on the torus.
SMALL = VoxelConfig(size=16, height=80, field_of_view=90.0, view_distance=12, frame_size=64)
HILLS = VoxelConfig(size=32, height=96, field_of_view=70.0, view_distance=40, frame_size=64)
EYE = 1.62
FACES = {0: (4, 0.8), 900: (1, 0.6), 1800: (5, 0.8), 2700: (0, 0.6)}
"""Face that is seen, and its shade, by yaw."""


def frames_of(state, config=SMALL, size=None, device="cpu"):
    side = size or config.frame_size
    shape = (state.blocks.shape[0], side, side, 3)
    frame = torch.zeros(shape, dtype=torch.uint8, device=device)
    launches = frame_launches(state, config, wp.from_torch(frame), device)
    launch_all(launches, torch.device(device))
    return frame.cpu().numpy()


def state_with(*places, config=SMALL, world_count=1):
    """Worlds with blocks at (x, y, z, block)."""
    state = scenes.blank(world_count, config)
    for x, y, z, block in places:
        state.blocks[:, x, z, y] = block
    scenes.settle(state)
    return state


def look_at_cube(state, yaw):
    """The eye is level with the middle of the cube at 8, 40, 8, one block before its face."""
    offset = {0: (0, -1.5), 900: (1.5, 0), 1800: (0, 1.5), 2700: (-1.5, 0)}[yaw]
    scenes.pose(state, 8.5 + offset[0], 40.5 - EYE, 8.5 + offset[1], yaw=yaw)


def without_crosshair(size=64):
    mask = np.ones((size, size), bool)
    mask[size // 2 - 3 : size // 2 + 4, size // 2 - 3 : size // 2 + 4] = False
    return mask


def shaded(texture, shade):
    return (texture[..., :3].astype(np.float32) * np.float32(shade)).astype(np.uint8)


@pytest.mark.parametrize("yaw", FACES)
def test_wall_fills_exactly_its_pixels(yaw):
    state = state_with()
    look_at_cube(state, yaw)
    empty = frames_of(state, size=16)[0]
    # Three blocks wide and high; its face is at depth 4.
    along = {0: (0, 1), 900: (-1, 0), 1800: (0, -1), 2700: (1, 0)}[yaw]
    for across in (-1, 0, 1):
        for up in (-1, 0, 1):
            x = 8 + 3 * along[0] + across * abs(along[1])
            z = 8 + 3 * along[1] + across * abs(along[0])
            state.blocks[0, x, z, 40 + up] = Block.STONE
    scenes.settle(state)
    changed = (frames_of(state, size=16)[0] != empty).any(-1)
    # |2 column + 1 - 16| / 16 * 4 < 1.5 holds for the columns 5 to 10.
    expected = np.zeros((16, 16), bool)
    expected[5:11, 5:11] = True
    np.testing.assert_array_equal(changed, expected)


@pytest.mark.parametrize("yaw", FACES)
@pytest.mark.parametrize("block", [Block.FURNACE, Block.CRAFTING_TABLE, Block.GRASS])
def test_face_shows_its_texture_upright_and_not_mirrored(yaw, block):
    state = state_with((8, 40, 8, block))
    look_at_cube(state, yaw)
    face, shade = FACES[yaw]
    expected = shaded(block_textures()[block, face], shade).repeat(2, 0).repeat(2, 1)
    seen = frames_of(state)[0][16:48, 16:48]
    keep = without_crosshair()[16:48, 16:48]
    np.testing.assert_array_equal(seen[keep], expected[keep])


def test_top_is_brighter_than_the_sides_and_lies_with_x_and_z():
    state = state_with((8, 40, 8, Block.CRAFTING_TABLE))
    scenes.pose(state, 8.5, 42.0 - EYE, 8.5, yaw=0, pitch=900)
    # Looking down with +z above, -x is to the right.
    expected = shaded(block_textures()[Block.CRAFTING_TABLE, 3][::-1, ::-1], 1.0)
    seen = frames_of(state)[0][16:48, 16:48]
    keep = without_crosshair()[16:48, 16:48]
    np.testing.assert_array_equal(seen[keep], expected.repeat(2, 0).repeat(2, 1)[keep])


def test_leaves_show_what_is_behind_their_holes():
    wall = [(x, y, 14, Block.IRON_BLOCK) for x in range(16) for y in range(30, 50)]
    bare, leafy = state_with(*wall), state_with(*wall, (8, 40, 8, Block.OAK_LEAVES))
    for state in (bare, leafy):
        look_at_cube(state, 0)
    texture = block_textures()[Block.OAK_LEAVES, 4]
    hole = (texture[..., 3] == 0).repeat(2, 0).repeat(2, 1)
    assert 0.1 < hole.mean() < 0.5
    behind = frames_of(bare)[0][16:48, 16:48]
    leaves = shaded(texture, 0.8).repeat(2, 0).repeat(2, 1)
    expected = np.where(hole[..., None], behind, leaves)
    keep = without_crosshair()[16:48, 16:48]
    np.testing.assert_array_equal(frames_of(leafy)[0][16:48, 16:48][keep], expected[keep])


def test_leaves_far_away_have_no_holes():
    state = state_with(*[(x, y, 2, Block.OAK_LEAVES) for x in range(16) for y in range(80)])
    scenes.pose(state, 8.5, 40.0, 11.0, yaw=0)
    # The leaves are 7 blocks away: half a texel per pixel and block makes 3.5 texels a pixel.
    frame = frames_of(state, dataclasses.replace(SMALL, view_distance=40))[0].astype(int)
    # No sky, which is bluer than green, is to be seen.
    assert (frame[..., 1] > frame[..., 2]).all()


def test_flower_is_drawn_where_its_texture_has_petals_and_nowhere_else():
    bare, flower = state_with(), state_with((8, 40, 8, Block.RED_FLOWER))
    for state in (bare, flower):
        look_at_cube(state, 0)
    before, after = frames_of(bare)[0], frames_of(flower)[0]
    changed = (before != after).any(-1)
    assert 30 < changed.sum() < 500
    red = after[changed][:, 0].astype(int) > 2 * after[changed][:, 1].astype(int)
    assert red.sum() > 20
    ys, xs = np.nonzero(changed)
    # The crossed planes fill the cell at most: from depth 1 (32 pixels) to depth 2.
    assert min(ys.min(), xs.min()) >= 16
    assert max(ys.max(), xs.max()) < 48


def test_torch_is_a_thin_box_on_the_floor():
    bare, torch_state = state_with(), state_with((8, 40, 8, Block.TORCH))
    for state in (bare, torch_state):
        look_at_cube(state, 0)
    changed = (frames_of(bare)[0] != frames_of(torch_state)[0]).any(-1)
    ys, xs = np.nonzero(changed)
    # 1/8 of a block at depth 1.5 - 1/16 is 2.8 pixels: so wide it is, and so far above the eye.
    assert (xs.min(), xs.max()) == (31, 32)
    assert ys.min() == 29
    assert ys.max() < 48


def test_a_plate_is_a_flat_box_with_the_texture_of_its_top():
    block = Block.WOODEN_PRESSURE_PLATE
    state = state_with((8, 40, 8, block))
    # The eye is one block above the plate, which is a sixteenth high and 14 sixteenths wide.
    scenes.pose(state, 8.5, 41.0625 - EYE, 8.5, yaw=0, pitch=900)
    seen = frames_of(state)[0]
    changed = (seen != frames_of(state_with_pose_of(state))[0]).any(-1)
    expected = np.zeros((64, 64), bool)
    expected[18:46, 18:46] = True
    keep = without_crosshair()
    np.testing.assert_array_equal(changed[keep], expected[keep])
    # What is in a cell shades it a little, as plants do.
    top = shaded(block_textures()[block, 3][::-1, ::-1], 0.96).repeat(2, 0).repeat(2, 1)
    inner = keep[18:46, 18:46]
    np.testing.assert_array_equal(seen[18:46, 18:46][inner], top[2:30, 2:30][inner])


def state_with_pose_of(other):
    """An empty world, seen from the same place."""
    state = state_with()
    for name in ("position", "yaw", "pitch"):
        getattr(state, name).copy_(getattr(other, name))
    return state


def hilly_state(device="cpu"):
    """Six players above, on and below the same hills."""
    state = scenes.blank(6, HILLS, device)
    rng = np.random.default_rng(5)
    state.blocks[:] = torch.from_numpy(scenes.hills(rng, 32, 96))
    scenes.settle(state)
    for world in range(6):
        state.position[world] = torch.tensor(rng.uniform((0, 20, 0), (32, 75, 32)))
    state.yaw.copy_(torch.from_numpy(rng.integers(0, 3600, 6)))
    state.pitch.copy_(torch.from_numpy(rng.integers(-400, 900, 6)))
    return state


def test_bricks_that_say_full_change_nothing():
    state = hilly_state()
    skipping = frames_of(state, HILLS)
    state.bricks.fill_(1)
    state.ceiling.fill_(HILLS.height // 4)
    np.testing.assert_array_equal(frames_of(state, HILLS), skipping)
    assert len(np.unique(skipping.reshape(-1, 3), axis=0)) > 100


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_pixels_are_the_same_on_both_devices():
    on_gpu = frames_of(hilly_state("cuda:0"), HILLS, device="cuda:0")
    np.testing.assert_array_equal(on_gpu, frames_of(hilly_state(), HILLS))


def test_frame_does_not_depend_on_its_place_or_its_neighbors():
    config = VoxelConfig(size=16, height=80, field_of_view=70.0, view_distance=30, frame_size=24)
    rng = np.random.default_rng(2)
    lands = [scenes.hills(rng, 16, 80) for _ in range(3)]
    order = [0, 1, 2, 1, 0]
    state = scenes.blank(len(order), config)
    for world, land in enumerate(order):
        state.blocks[world] = torch.from_numpy(lands[land])
    scenes.settle(state)
    scenes.pose(state, 3.3, 68.2, 9.7, yaw=1234, pitch=150)
    frames = frames_of(state, config)
    np.testing.assert_array_equal(frames[0], frames[4])
    np.testing.assert_array_equal(frames[1], frames[3])
    assert (frames[0] != frames[1]).any()
    assert (frames[1] != frames[2]).any()
    for world in range(3):
        alone = Picture(state, config, world=world, size=24).draw()
        np.testing.assert_array_equal(alone, frames[world])


def test_wall_is_seen_across_the_edge_of_the_torus():
    near, far = state_with((8, 40, 8, Block.STONE)), state_with((8, 40, 1, Block.STONE))
    scenes.pose(near, 8.5, 40.5 - EYE, 4.5, yaw=0)
    scenes.pose(far, 8.5, 40.5 - EYE, 13.5, yaw=0)
    np.testing.assert_array_equal(frames_of(near), frames_of(far))
    assert (frames_of(near) != frames_of(state_with())).any()


def test_picture_of_any_size_and_its_limits():
    state = state_with((8, 40, 8, Block.STONE))
    look_at_cube(state, 0)
    assert Picture(state, SMALL, size=100).draw().shape == (100, 100, 3)
    with pytest.raises(ValueError, match="size is 4096"):
        Picture(state, SMALL, size=4096)
    with pytest.raises(ValueError, match="world is 1"):
        Picture(state, SMALL, world=1)


def test_frame_of_wrong_shape_is_refused():
    state = state_with()
    with pytest.raises(ValueError, match=r"frame has shape \(1, 64, 32, 3\)"):
        frame_launches(state, SMALL, wp.zeros((1, 64, 32, 3), dtype=wp.uint8), "cpu")


def test_only_the_chosen_worlds_are_drawn():
    state = hilly_state()
    which = torch.tensor([False, True, False, False, True, False])
    frame = torch.zeros((6, 64, 64, 3), dtype=torch.uint8)
    rows = wp.from_torch(which)
    launches = frame_launches(state, HILLS, wp.from_torch(frame), "cpu", which=rows)
    everything = frames_of(state, HILLS)
    for _ in range(2):
        launch_all(launches, torch.device("cpu"))
        np.testing.assert_array_equal(frame[which].numpy(), everything[which.numpy()])
        assert not frame[~which].any()

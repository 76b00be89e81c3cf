"""The fan finds what a slow ray caster finds, whatever the bricks allow it to skip."""

import numpy as np
import pytest
import torch
import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.launching import launch_all
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.view import FAN_COLUMNS, FAN_RAYS, FAN_ROWS, FanClass, fan_launches
from lapis.worlds.voxel.view.fan import fan_classes
from tests.worlds.voxel import view_scenes as scenes
from tests.worlds.voxel import view_twin as twin

SMALL = VoxelConfig(size=16, height=80, view="fan", field_of_view=70.0, fan_view_distance=40)


def fan_of(state, config=SMALL):
    world_count = state.blocks.shape[0]
    found = torch.zeros((world_count, FAN_RAYS), dtype=torch.uint8)
    distance = torch.zeros((world_count, FAN_RAYS))
    light = torch.zeros((world_count, 1))
    arrays = map(wp.from_torch, (found, distance, light))
    launch_all(fan_launches(state, config, *arrays, "cpu"), torch.device("cpu"))
    return found.numpy(), distance.numpy(), light.numpy()


def random_state(seed, density, world_count=4):
    rng = np.random.default_rng(seed)
    state = scenes.blank(world_count, SMALL)
    kinds = rng.integers(1, len(Block), state.blocks.shape)
    blocks = np.where(rng.random(state.blocks.shape) < density, kinds, 0)
    # Large holes, so that there are empty bricks.
    x, z, y = (rng.integers(0, 4, 40) * 4, rng.integers(0, 4, 40) * 4, rng.integers(8, 16, 40) * 4)
    for k in range(40):
        blocks[:, x[k] : x[k] + 4, z[k] : z[k] + 4, y[k] : y[k] + 8] = 0
    state.blocks.copy_(torch.from_numpy(blocks.astype(np.uint8)))
    scenes.settle(state)
    fine = rng.random((world_count, 3)) * [16, 40, 16] + [0, 30, 0]
    coarse = np.round(fine * 2) / 2 - [0, 1.62, 0]
    position = np.where(np.arange(world_count)[:, None] % 2, coarse, fine)
    state.position.copy_(torch.from_numpy(position))
    turns = rng.integers(0, 8, world_count) * 450
    free = rng.integers(0, 3600, world_count)
    state.yaw.copy_(torch.from_numpy(np.where(rng.random(world_count) < 0.4, turns, free)))
    state.pitch.copy_(torch.from_numpy(rng.integers(-900, 901, world_count)))
    return state


@pytest.mark.parametrize("density", [0.0, 0.002, 0.02, 0.2])
@pytest.mark.parametrize("seed", range(6))
def test_fan_equals_the_slow_ray_caster(seed, density):
    state = random_state(seed, density)
    found, distance, _ = fan_of(state)
    for world in range(state.blocks.shape[0]):
        pose = state.position[world].numpy(), int(state.yaw[world]), int(state.pitch[world])
        blocks = state.blocks[world].numpy()
        expected = twin.first_blocks(SMALL, blocks, *pose, FAN_ROWS, FAN_COLUMNS)
        np.testing.assert_array_equal(found[world], fan_classes()[expected[0]])
        np.testing.assert_array_equal(distance[world], expected[1])


def test_random_worlds_exercise_hits_and_misses():
    counts = np.concatenate([fan_of(random_state(seed, 0.02))[0].ravel() for seed in range(6)])
    assert 0.1 < (counts == FanClass.NOTHING).mean() < 0.9


def test_wall_ahead_has_its_distance():
    state = scenes.blank(1, SMALL)
    state.blocks[:, :, 12, :] = Block.IRON_ORE
    scenes.settle(state)
    scenes.pose(state, 8.5, 40.0, 8.0, yaw=0)
    found, distance, _ = fan_of(state)
    assert (found == FanClass.IRON_ORE).all()
    middle = distance.reshape(FAN_ROWS, FAN_COLUMNS)[4, 7:9]
    # The two middle rays of the middle row are aside by 1/9 of the half height tan(35 degrees).
    aside = np.tan(np.radians(35.0)) / 9
    np.testing.assert_allclose(middle, 4.0 * np.sqrt(1 + aside**2) / 40, rtol=1e-6)


def test_view_wraps_around_the_torus():
    state = scenes.blank(2, SMALL)
    state.blocks[0, 3:6, 2:5, 40:43] = Block.CACTUS
    state.blocks[1] = torch.roll(state.blocks[0], (9, 14), (0, 1))
    scenes.settle(state)
    scenes.pose(state, 4.5, 40.0, 12.5, yaw=1800)
    state.position[1] = torch.tensor([(4.5 + 9) % 16, 40.0, (12.5 + 14) % 16])
    found, distance, _ = fan_of(state)
    assert (found[0] == FanClass.CACTUS).any()
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(distance[0], distance[1])


def test_eye_in_water_sees_through_water_and_eye_in_air_does_not():
    state = scenes.blank(2, SMALL)
    state.blocks[..., :41] = Block.WATER
    state.blocks[..., 38] = Block.CLAY
    scenes.settle(state)
    scenes.pose(state, 8.5, 40.0, 8.5, pitch=900)
    state.position[0, 1] = 39.0 - 0.5
    found, _, _ = fan_of(state)
    assert found[0].reshape(FAN_ROWS, FAN_COLUMNS)[4, 8] == FanClass.CLAY
    assert found[1].reshape(FAN_ROWS, FAN_COLUMNS)[4, 8] == FanClass.WATER


def test_light_at_the_eye_falls_with_depth_and_rises_beside_a_torch():
    state = scenes.blank(4, SMALL)
    state.blocks[1, ..., 43] = Block.STONE
    state.blocks[2:, ..., 43:60] = Block.STONE
    scenes.settle(state)
    scenes.pose(state, 8.5, 40.0, 8.5)
    state.torch[3, 0] = (8 * 16 + 9) * 80 + 41
    open_air, roof, cave, torch_lit = fan_of(state)[2][:, 0]
    assert open_air == 1.0
    assert open_air > roof > cave
    assert torch_lit > 0.9
    assert cave == 0.0


def test_every_block_has_a_class_and_every_class_a_block():
    classes = fan_classes()
    assert set(classes) == set(map(int, FanClass))
    assert classes[Block.AIR] == FanClass.NOTHING
    assert classes[Block.DIAMOND_ORE] == FanClass.DIAMOND_ORE
    assert classes[Block.JUNGLE_LOG] == classes[Block.OAK_LOG] == FanClass.LOG
    assert classes[Block.CHEST] == FanClass.OTHER


def test_arrays_of_wrong_shape_are_refused():
    state = scenes.blank(2, SMALL)
    good = [wp.zeros((2, FAN_RAYS), dtype=wp.uint8), wp.zeros((2, FAN_RAYS), dtype=float)]
    with pytest.raises(ValueError, match=r"light has shape \(2,\)"):
        fan_launches(state, SMALL, *good, wp.zeros(2, dtype=float), "cpu")

"""The block under the crosshair, and what is near."""

import numpy as np
import pytest
import torch

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.rules import angle_tables
from tests.worlds.voxel.play_scenes import GROUND, Scene

EYE = GROUND + 1.62


@pytest.mark.parametrize(
    ("yaw", "pitch", "cell", "face"),
    [
        (0, 0, (8, 65, 10), 4),
        (1800, 0, (8, 65, 6), 5),
        (900, 0, (6, 65, 8), 1),
        (2700, 0, (10, 65, 8), 0),
        (0, -900, (8, 67, 8), 2),
        (0, 900, (8, 63, 8), 3),
    ],
)
def test_each_face_is_met_from_its_side(yaw, pitch, cell, face):
    scene = Scene(yaw=yaw, pitch=pitch)
    scene.build({cell: Block.STONE})
    assert scene.get("looked_at") == scene.place(*cell)
    assert scene.get("looked_face") == face


def test_reach_is_four_and_a_half_blocks():
    near, far = Scene(position=(8.5, GROUND, 8.5)), Scene(position=(8.5, GROUND, 8.4375))
    for scene in (near, far):
        scene.build({(8, 65, 13): Block.STONE})
    assert near.get("looked_at") == near.place(8, 65, 13)
    assert far.get("looked_at") == -1


def test_plants_are_met_and_liquids_are_not():
    scene = Scene()
    scene.build({(8, 65, 10): Block.WATER, (8, 65, 11): Block.TALL_GRASS})
    assert scene.get("looked_at") == scene.place(8, 65, 11)
    scene.build({(8, 65, 11): Block.LAVA, (8, 65, 12): Block.TORCH})
    assert scene.get("looked_at") == scene.place(8, 65, 12)


def test_the_view_goes_around_the_torus():
    scene = Scene(position=(8.5, GROUND, 15.5))
    scene.build({(8, 65, 1): Block.STONE})
    assert scene.get("looked_at") == scene.place(8, 65, 1)


def test_there_is_nothing_to_dig_below_the_world():
    scene = Scene(pitch=900)
    scene.fill(slice(None), slice(0, 80), slice(None), Block.AIR)
    scene.set(position=(8.5, 1.0, 8.5))
    assert scene.get("looked_at") == -1


def test_angles_are_exact_at_right_angles():
    sine, cosine = angle_tables()
    assert sine[[0, 900, 1800, 2700]].tolist() == [0, 1, 0, -1]
    assert cosine[[0, 900, 1800, 2700]].tolist() == [1, 0, -1, 0]
    assert sine[300] == pytest.approx(0.5)
    assert cosine[450] == pytest.approx(np.sqrt(0.5))


def test_random_views_meet_what_a_slow_walk_along_the_ray_meets():
    """The ray is followed in steps of 1 / 1000 block; what it only brushes may differ."""
    rng = np.random.default_rng(0)
    count = 400
    scene = Scene(world_count=count)
    state = scene.world.state
    blocks = rng.choice([Block.AIR, Block.AIR, Block.AIR, Block.STONE], (count, 16, 16, 80))
    state.blocks.copy_(torch.from_numpy(blocks.astype(np.uint8)))
    position = np.floor(rng.uniform(1, 15, (count, 3)) * 1024) / 1024
    position[:, 1] = np.floor(rng.uniform(10, 60, count) * 1024) / 1024
    state.position.copy_(torch.from_numpy(position.astype(np.float32)))
    yaw, pitch = rng.integers(0, 3600, count), rng.integers(-900, 901, count)
    state.yaw.copy_(torch.from_numpy(yaw.astype(np.int32)))
    state.pitch.copy_(torch.from_numpy(pitch.astype(np.int32)))
    scene.refresh()
    found = scene.all("looked_at")
    same = 0
    for world in range(count):
        expected = _slow_walk(scene, blocks[world], position[world], yaw[world], pitch[world])
        same += expected == found[world]
    assert (found >= 0).mean() > 0.5
    assert same >= 0.99 * count


def _slow_walk(scene: Scene, blocks: np.ndarray, feet: np.ndarray, yaw: int, pitch: int) -> int:
    yaw_angle, pitch_angle = np.deg2rad(yaw / 10), np.deg2rad(pitch / 10)
    way = np.array(
        [
            -np.sin(yaw_angle) * np.cos(pitch_angle),
            -np.sin(pitch_angle),
            np.cos(yaw_angle) * np.cos(pitch_angle),
        ]
    )
    eye = feet + np.array([0, 1.62, 0])
    cells = np.floor(eye + np.arange(0.0, 4.5, 0.001)[:, None] * way).astype(int)
    away = (cells != np.floor(eye).astype(int)).any(axis=1)
    met = away & (blocks[cells[:, 0] % 16, cells[:, 2] % 16, cells[:, 1]] != Block.AIR)
    return scene.place(*cells[met.argmax()]) if met.any() else -1


# From the eye at (8.5, 65.62, 8.5) to the middle of the block: sqrt(4^2 + 2.12^2) = 4.53 and
# sqrt(4^2 + 3.12^2) = 5.07; around the torus 12 blocks away in z are 4.
@pytest.mark.parametrize(
    ("cell", "near"),
    [
        ((8, 63, 12), True),
        ((8, 62, 12), False),
        ((8, 64, 13), False),
        ((8, 65, 13), False),
        ((8, 66, 12), True),
        ((4, 65, 10), True),
        ((4, 65, 12), False),
    ],
)
@pytest.mark.parametrize(("block", "bit"), [(Block.CRAFTING_TABLE, 1), (Block.FURNACE, 2)])
def test_stations_are_near_within_five_blocks_of_the_eye(cell, near, block, bit):
    scene = Scene()
    scene.build({cell: block})
    assert scene.get("near") == (bit if near else 0)


def test_stations_are_near_across_the_seam():
    scene = Scene(position=(0.5, GROUND, 15.5))
    scene.build({(14, 64, 1): Block.CRAFTING_TABLE, (1, 64, 14): Block.FURNACE})
    assert scene.get("near") == 3

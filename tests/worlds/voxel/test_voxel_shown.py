"""What a voxel world shows by its config, and the names of its stages."""

import dataclasses

import pytest
import torch

from lapis.worlds.voxel.view import FAN_RAYS
from lapis.worlds.voxel.world import STEP_KERNELS, VoxelWorld
from tests.worlds.voxel.play_scenes import SMALL, Scene

FRAME = dataclasses.replace(SMALL, view="frame", frame_size=16)


def test_a_frame_is_shown_and_follows_the_camera():
    scene = Scene(config=FRAME, world_count=2)
    frame = scene.world.observation["frame"]
    assert (frame.dtype, tuple(frame.shape)) == (torch.uint8, (2, 16, 16, 3))
    assert "fan_class" not in scene.world.observation
    level = frame.clone()
    scene.play(pitch=450)
    assert not torch.equal(frame, level)
    assert torch.equal(frame[0], frame[1]), "both worlds look alike"


def test_a_fan_is_shown_and_follows_the_camera():
    scene = Scene(config=SMALL)
    shown = scene.world.observation
    assert shown["fan_class"].shape == (1, FAN_RAYS)
    assert shown["light"].tolist() == [[1.0]]
    assert "frame" not in shown
    level = shown["fan_distance"].clone()
    scene.play(pitch=450)
    assert shown["fan_distance"].sum() < level.sum(), "the ground is nearer than the horizon"


@pytest.mark.parametrize("config", [SMALL, FRAME])
def test_a_restart_shows_the_new_world(config):
    world = VoxelWorld(2, seed=1, config=config)
    name = "frame" if config is FRAME else "fan_distance"
    before = world.observation[name].clone()
    world.reset(torch.tensor([False, True]))
    assert torch.equal(world.observation[name][0], before[0])
    assert not torch.equal(world.observation[name][1], before[1])


def test_stages_are_a_step_in_pieces():
    whole, pieces = Scene(), Scene()
    action = whole.action("forward", "attack")
    whole.world.step(action)
    names = list(pieces.world.stages(action))
    assert names[: len(STEP_KERNELS)] == [kernel.key for kernel in STEP_KERNELS]
    for name, tensor in whole.world.state.tensors().items():
        assert torch.equal(tensor, pieces.world.state.tensors()[name]), name

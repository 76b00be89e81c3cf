"""A state is tensors by name and the same memory in structs."""

import numpy as np
import pytest
import torch
import warp as wp

from lapis.worlds.launching import filled, prepare, start_warp
from lapis.worlds.rng import chances
from lapis.worlds.techtree.state import Game
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.generation.land import forget_plans
from lapis.worlds.voxel.state import State


def a_state() -> State:
    start_warp()
    return State.allocate(2, VoxelConfig(size=16, height=80), torch.device("cpu"))


def test_tensors_and_structs_share_memory():
    state = a_state()
    state.position[1] = torch.tensor([1.0, 2.0, 3.0])
    state.blocks[1, 2, 3, 4] = 7
    assert state.arguments["body"].position.numpy().tolist() == [[0, 0, 0], [1, 2, 3]]
    assert state.arguments["grid"].blocks.numpy()[1, 2, 3, 4] == 7
    state.arguments["game"].died.fill_(True)
    assert state.died.tolist() == [True, True]
    assert state.arguments["body"] is state.arguments["body"]


def test_tensors_have_the_types_and_shapes_of_their_fields():
    tensors = a_state().tensors()
    assert tensors["bricks"].shape == (2, 4, 4, 20)
    assert tensors["bricks"].dtype == torch.uint8
    assert tensors["velocity"].shape == (2, 3)
    assert tensors["velocity"].dtype == torch.float32
    assert tensors["mask"].dtype == tensors["died"].dtype == torch.bool
    assert tensors["health"].shape == (2,)


def test_tensors_cannot_be_replaced():
    with pytest.raises(AttributeError, match="write into it"):
        a_state().health = torch.zeros(2)


def test_a_state_with_replaced_tensors_shares_the_others():
    state = a_state()
    other = state.replaced(yaw=state.yaw.clone())
    state.yaw[0], state.pitch[0] = 100, 200
    assert other.yaw.tolist() == [0, 0]
    assert other.pitch.tolist() == [200, 0]


def test_structs_take_over_tables_with_the_type_of_their_fields():
    start_warp()
    game = filled(Game, {"ticks": np.array([1.0, 2.0])}, "cpu")
    assert game.ticks.dtype == wp.int32
    assert game.ticks.numpy().tolist() == [1, 2]


def test_a_launch_names_the_arguments_that_are_missing():
    with pytest.raises(TypeError, match=r"forget_plans: missing \['plans'\]"):
        prepare(forget_plans, 1, "cpu", {"rules": None})


def test_chances_are_shares_of_all_draws():
    assert chances(np.array([0.0, 0.25, 1.0])).tolist() == [0, 1 << 22, 1 << 24]

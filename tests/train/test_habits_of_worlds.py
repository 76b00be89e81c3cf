import dataclasses

import pytest
import torch
from lapis.worlds.techtree.habits import HABITS as TECHTREE_HABITS
from lapis.worlds.voxel.habits import HABITS as VOXEL_HABITS

from lapis.agent.config import PolicyConfig
from lapis.recipes import demo
from lapis.train.build import make_game, make_policy
from lapis.worlds.voxel import VoxelConfig


@pytest.mark.parametrize(
    ("world", "habits"), [("techtree", TECHTREE_HABITS), ("voxel", VOXEL_HABITS)]
)
def test_a_policy_begins_with_the_habits_of_its_world(world, habits):
    config = dataclasses.replace(
        demo(),
        world=world,
        world_count=2,
        voxel=VoxelConfig(view="fan", size=16),
        policy=PolicyConfig(width=8, habits=True),
    )
    assert torch.equal(make_policy(config, make_game(config)).habit_A, torch.tensor(habits))


def test_without_habits_all_choices_are_alike():
    config = dataclasses.replace(demo(), world_count=2, policy=PolicyConfig(width=8))
    assert make_policy(config, make_game(config)).habit_A is None

import dataclasses

import pytest
import torch

from lapis.agent.config import PolicyConfig
from lapis.recipes import demo
from lapis.train.build import make_game, make_policy
from lapis.worlds.techtree import TechTreeConfig
from lapis.worlds.voxel import VoxelConfig


@pytest.mark.parametrize("world", [TechTreeConfig(), VoxelConfig(view="fan", size=16)])
def test_a_policy_begins_with_the_prior_of_its_world(world):
    policy = PolicyConfig(width=8, action_prior=True)
    config = dataclasses.replace(demo(), world=world, world_count=2, policy=policy)
    made = make_policy(config, make_game(config))
    assert torch.equal(made.prior_A, torch.tensor(world.action_prior))
    assert len(set(world.action_prior)) > 1


def test_without_a_prior_all_choices_are_alike():
    config = dataclasses.replace(demo(), world_count=2, policy=PolicyConfig(width=8))
    assert make_policy(config, make_game(config)).prior_A is None

"""Minetest in the layout of the voxel world keeps the contract of all worlds, and that layout."""

import numpy as np
import pytest
import torch

from lapis.minecraft.items import ITEMS
from lapis.worlds.minetest.config import MinetestVoxelConfig
from lapis.worlds.voxel import VoxelConfig, VoxelWorld
from lapis.worlds.voxel.actions import ACTION_SIZES, FIRST_CHOICE, SPECIALS, Component, Special
from tests import contract

WORLD_COUNT = contract.WORLD_COUNT


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_keyed_minetest_keeps_the_contract(make_keyed_world, check):
    check(make_keyed_world)


def test_layout_is_that_of_the_voxel_world(make_keyed_world):
    world = make_keyed_world(2)
    voxel = VoxelWorld(2, config=VoxelConfig(size=16, frame_size=16))
    assert world.items == voxel.items == ITEMS
    assert world.action_sizes == voxel.action_sizes
    assert world.observation.keys() == voxel.observation.keys()
    for name, tensor in voxel.observation.items():
        own = world.observation[name]
        assert (own.dtype, own.shape) == (tensor.dtype, tensor.shape), name
        assert own.min() >= 0, name
        assert own.max() <= (255 if name == "frame" else 1), name
    config, other = MinetestVoxelConfig(), VoxelConfig()
    assert config.layout == other.layout
    assert config.action_prior == other.action_prior
    assert config.action_items == other.action_items


def test_masks_of_special_actions_are_honest(make_keyed_world):
    """What is allowed changes what is held, in hand or seen; what is not allowed does nothing."""
    world = make_keyed_world(WORLD_COUNT)
    given = torch.full_like(world.inventory, 9)
    down = 9 + 4  # To 60 degrees: to the ground in front.
    tried = dict.fromkeys(Special, 0)
    for first in range(1, len(SPECIALS), WORLD_COUNT):
        world.episode_W.fill_(1)
        world.reset(torch.ones_like(world.died), given)
        action = torch.zeros(WORLD_COUNT, len(ACTION_SIZES), dtype=torch.int32)
        action[:, Component.PITCH] = down
        world.step(action)
        action[:, Component.PITCH] = 0
        if SPECIALS[first].kind != Special.PLACE:
            action[:, Component.SPECIAL] = named("place furnace")
            world.step(action)
        before = contract.snapshot(world)
        choice = torch.arange(first, first + WORLD_COUNT).clamp(max=len(SPECIALS) - 1)
        places = FIRST_CHOICE[Component.SPECIAL] + choice
        allowed = before["action_mask"].gather(1, places[:, None])[:, 0]
        action[:, Component.SPECIAL] = choice.int()
        world.step(action)
        after = contract.snapshot(world)
        for row, number in enumerate(choice.tolist()):
            names = ("inventory", "observation hand")
            did = any(not torch.equal(before[name][row], after[name][row]) for name in names)
            assert did == bool(allowed[row]), SPECIALS[number].name
            tried[SPECIALS[number].kind] += int(did)
    assert tried[Special.CRAFT] >= 30
    assert tried[Special.PLACE] >= 15
    assert tried[Special.EQUIP] >= 15
    assert tried[Special.SMELT] >= 1


def test_random_play_of_all_choices_gains_and_loses(make_keyed_world):
    """Long enough to place, craft, dig, fall and swim; nothing may stop the server."""
    world = make_keyed_world(WORLD_COUNT)
    world.reset(torch.ones_like(world.died), torch.full_like(world.inventory, 20))
    rng = np.random.default_rng(12)
    seen = set()
    for _ in range(200):
        action = contract.allowed_action(world, rng)
        seen |= set(action[:, Component.SPECIAL].tolist())
        world.step(action)
        world.reset(world.died)
    assert not world.lost.any()
    assert world.ends.losses == 0
    assert len(seen) > 40


def named(name):
    (number,) = (n for n, each in enumerate(SPECIALS) if each.name == name)
    return number

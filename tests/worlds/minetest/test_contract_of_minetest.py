"""The real game keeps the contract of all worlds."""

import numpy as np
import pytest
import torch

from lapis.worlds.minetest.actions import actions_of
from lapis.worlds.minetest.config import MinetestConfig
from tests import contract

TREE = MinetestConfig().tree
ACTIONS = actions_of(TREE)
WAIT = 0
WORLD_COUNT = contract.WORLD_COUNT


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_minetest_keeps_the_contract(make_world, check):
    check(make_world)


@pytest.mark.parametrize("is_rich", [False, True])
def test_mask_of_minetest_is_honest(make_world, is_rich):
    """Like `contract.check_mask_is_honest`, but with another choice in each row."""
    world = make_world(WORLD_COUNT)
    rng = np.random.default_rng(11)
    given = torch.full_like(world.inventory, 9 * is_rich)
    steps = [int(rng.integers(1, 13)) for _ in range(8)]  # Movements, and things placed.
    tried = 0
    # With empty hands hardly anything can be made: a third of the choices is enough.
    for first in range(1, len(ACTIONS), WORLD_COUNT if is_rich else 3 * WORLD_COUNT):
        # The same episodes again: as the state of a save would be, without its way there.
        world.episode_W.fill_(1)
        world.reset(torch.ones_like(world.died), given)
        for step in steps:
            world.step(torch.where(world.action_mask[:, step], step, WAIT).int()[:, None])
        if is_rich:
            world.step(named("place", "default:furnace").expand(WORLD_COUNT, 1))
        before = contract.snapshot(world)
        choice = torch.arange(first, first + WORLD_COUNT).clamp(max=len(ACTIONS) - 1)
        allowed = before["action_mask"].gather(1, choice[:, None])[:, 0]
        world.step(choice.int()[:, None])
        did = contract.anything_changed(before, contract.snapshot(world), 0)
        for row, number in enumerate(choice.tolist()):
            assert bool(did[row]) == bool(allowed[row]), ACTIONS[number].name
            tried += int(allowed[row])
    assert tried > (60 if is_rich else 4)


def named(kind, item):
    (number,) = (n for n, each in enumerate(ACTIONS) if (each.kind, each.item) == (kind, item))
    return torch.tensor([[number]], dtype=torch.int32)

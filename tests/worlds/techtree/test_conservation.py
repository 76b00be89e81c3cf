"""Random masked play: no fault, no negative count, and every change explained by the rules."""

import numpy as np
import pytest
import torch

from lapis.minecraft.items import ITEMS
from lapis.minecraft.planner import obtainable
from lapis.worlds.techtree import ACTIONS, TechTreeWorld
from lapis.worlds.techtree.actions import Kind
from tests.worlds.techtree import ledger


def play_and_account(world_count: int, steps: int, seed: int) -> np.ndarray:
    """Plays random allowed actions, checks each step; returns how often each was played."""
    world = TechTreeWorld(world_count, seed=seed)
    rng = np.random.default_rng(seed)
    can_be_had = np.isin(ITEMS, list(obtainable()))
    played = np.zeros(len(ACTIONS), np.int64)
    for step in range(steps):
        if step % 50 == 0:
            _start_some_with_riches(world, rng, can_be_had)
        before = ledger.read(world)
        score = rng.random(before["mask"].shape, dtype=np.float32)
        action = np.where(before["mask"], score, -1.0).argmax(axis=1)
        world.step(torch.from_numpy(action[:, None].astype(np.int32)))
        ledger.assert_accounted(before, ledger.read(world), action)
        np.add.at(played, action, 1)
        # The dead stay for a step, so that their stillness is checked too.
        world.reset(torch.from_numpy(before["died"]))
    world.check()
    return played


def _start_some_with_riches(
    world: TechTreeWorld, rng: np.random.Generator, can_be_had: np.ndarray
) -> None:
    """Random play alone never gets far down the tree: some episodes begin with many things."""
    which = torch.from_numpy(rng.random(world.world_count) < 0.25)
    shape = tuple(world.inventory.shape)
    riches = rng.integers(0, 20, shape) * (rng.random(shape) < 0.6) * can_be_had
    world.reset(which, torch.from_numpy(riches.astype(np.int32)))


def test_every_change_of_an_inventory_is_explained_by_the_rules():
    played = play_and_account(world_count=1000, steps=200, seed=1)
    assert played.sum() == 200_000
    never = [a.name for a, times in zip(ACTIONS, played, strict=True) if not times]
    impossible = {"quartz", "comparator", "observer", "daylight_detector", "redstone_lamp"}
    possible = [n for n in never if not any(word in n for word in impossible)]
    # Lapis and gold are rare and need a good pickaxe; everything else is played.
    assert all(name.startswith("gather") for name in possible), possible
    assert len({ACTIONS[i].kind for i in np.flatnonzero(played)}) == len(Kind)


@pytest.mark.slow
def test_ten_million_random_steps_are_explained_by_the_rules():
    played = play_and_account(world_count=4000, steps=2500, seed=2)
    assert played.sum() == 10_000_000

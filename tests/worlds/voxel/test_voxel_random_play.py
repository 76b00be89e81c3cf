"""Random masked play: sound worlds, explained inventories, the same trajectory every time."""

import numpy as np
import pytest
import torch

from lapis.minecraft.items import ITEMS
from lapis.minecraft.planner import obtainable
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.world import VoxelWorld
from tests.contract import allowed_action
from tests.worlds.voxel import voxel_ledger

CONFIG = VoxelConfig(size=16, height=80, view="fan", fan_view_distance=8, channel_ticks=60)
CAN_BE_HAD = np.isin(ITEMS, list(obtainable()))


def start_some_with_riches(world: VoxelWorld, rng: np.random.Generator) -> None:
    """Random play alone never gets far down the tree: some episodes begin with many things."""
    which = torch.from_numpy(rng.random(world.world_count) < 0.25)
    shape = tuple(world.inventory.shape)
    riches = rng.integers(0, 20, shape) * (rng.random(shape) < 0.5) * CAN_BE_HAD
    world.reset(which, torch.from_numpy(riches.astype(np.int32)))


def play(world: VoxelWorld, steps: int, seed: int, explain_every: int) -> int:
    """Plays random steps and checks them; returns how many deaths there were."""
    rng = np.random.default_rng(seed)
    deaths = 0
    for step in range(steps):
        if step % 100 == 0:
            start_some_with_riches(world, rng)
            # Random play is rarely deadly: a few of the living are about to burn.
            alive = ~world.died[:5]
            world.state.fire[:5][alive] = 300
            world.state.health[:5][alive] = 1000
            voxel_ledger.assert_summed_up(world)
        action = allowed_action(world, rng)
        explain = step % explain_every == 0
        before = voxel_ledger.read(world) if explain else {}
        dead = world.died.clone()
        world.step(action)
        voxel_ledger.assert_sound(world)
        if explain:
            voxel_ledger.assert_explained(before, voxel_ledger.read(world), action.numpy())
        deaths += int((world.died & ~dead).sum())
        # The dead stay for a step, so that their stillness is checked too.
        world.reset(dead)
    voxel_ledger.assert_summed_up(world)
    world.check()
    return deaths


def test_a_hundred_thousand_random_steps_are_sound():
    world = VoxelWorld(250, seed=1, config=CONFIG)
    start = world.state.blocks.clone()
    assert play(world, steps=400, seed=1, explain_every=10) >= 20, "the play is too tame"
    assert (world.state.blocks != start).flatten(1).any(dim=1).float().mean() > 0.9


def test_inventories_are_explained_by_the_rules():
    world = VoxelWorld(40, seed=2, config=CONFIG)
    play(world, steps=300, seed=2, explain_every=1)


@pytest.mark.slow
def test_ten_million_random_steps_are_sound():
    world = VoxelWorld(256, seed=3, config=VoxelConfig(view="fan", fan_view_distance=8))
    play(world, steps=39_063, seed=3, explain_every=5000)


def test_a_world_plays_the_same_at_any_place_of_the_batch():
    """A world's own number decides its chance: row 5 of one batch is row 0 of another."""
    batch = VoxelWorld(8, seed=4, config=CONFIG)
    alone = VoxelWorld(1, seed=4, config=CONFIG, first_world=5)
    rng = np.random.default_rng(0)
    for _ in range(150):
        action = allowed_action(batch, rng)
        batch.step(action)
        alone.step(action[5:6].contiguous())
        reset = batch.died.clone()
        batch.reset(reset)
        alone.reset(reset[5:6].contiguous())
    for name, tensor in alone.state.tensors().items():
        assert torch.equal(tensor[0], batch.state.tensors()[name][5]), name

"""The checks that every world passes, over the toy game; MineRL's own client is not needed."""

import functools

import numpy as np
import pytest
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.minerl.tables import make_tables
from lapis.worlds.remote import RemoteConfig
from lapis.worlds.remote.far.host import Host
from lapis.worlds.remote.world import RemoteWorld
from lapis.worlds.voxel import VoxelConfig
from tests import contract

FACTORY = "tests.worlds.minerl.fake_env:FakeMineRLWorlds"
NOT_HERE = {
    "check_saved_state_continues": "a running Minecraft cannot be saved",
    "check_reset_gives_exactly_the_inventory": "a player has 36 slots; see the test below",
}


class Here:
    """A far end in this process."""

    def __init__(self):
        self.host = Host()

    def send(self, question, seconds):
        self.given = self.host.answer(question)

    def receive(self, seconds):
        return self.given

    def end(self, *, at_once):
        pass


def make(world_count, *, seed=0, side=8, ends=2):
    config = RemoteConfig(factory=FACTORY, options=(f"frame_size={side}",), ends=ends)
    options = {"tables": make_tables()}
    return RemoteWorld(
        world_count, config=config, seed=seed, open_line=Here, further_options=options
    )


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_minerl_worlds_keep_the_contract(check):
    if check.__name__ in NOT_HERE:
        pytest.skip(NOT_HERE[check.__name__])
    check(make)


def test_a_reset_gives_exactly_what_fits():
    world = make(4)
    given = torch.zeros_like(world.inventory)
    rng = np.random.default_rng(0)
    for row in range(4):
        given[row, rng.choice(len(world.items), 30, replace=False)] = 1
    which = torch.tensor([True, False, True, True])
    world.reset(which, given)
    assert torch.equal(world.inventory[which], given[which])
    assert not world.inventory[1].any()


def test_what_is_seen_has_the_voxel_worlds_shapes_and_types():
    voxel = VoxelConfig(size=16, frame_size=16).build(1, seed=0, device="cpu", first_world=0)
    world = make(1, side=16)

    def layout(observation):
        return {name: (each.dtype, each.shape) for name, each in observation.items()}

    assert layout(world.observation) == layout(voxel.observation)
    assert world.items == voxel.items
    assert world.action_sizes == voxel.action_sizes


def test_seeds_decide_the_worlds():
    one, same, other = (make(2, seed=seed).observation["frame"] for seed in (0, 0, 1))
    assert torch.equal(one, same)
    assert not torch.equal(one[0], one[1])
    assert not torch.equal(one[0], other[0])


def test_simon_says_counts_successes_and_inherits():
    config = SimonSaysConfig(
        goals=("dirt", "planks"), task_ticks=120, episode_ticks=360, bonus="none"
    )
    game = SimonSays(make(2), config, validate_actions=True)
    play = functools.partial(contract.allowed_action, game.world, np.random.default_rng(0))
    inherited = 0
    for _ in range(250):
        before, over = game.world.inventory.clone(), game.terminated | game.truncated
        game.step(play())
        kept = over & (game.world.inventory == before).all(1) & before.any(1)
        inherited += int(kept.sum())
    successes, attempts = game.take_counts()
    assert (successes > 0).all()
    assert (attempts > successes).all()
    assert inherited > 1

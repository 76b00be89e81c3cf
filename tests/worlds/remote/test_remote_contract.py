"""Worlds in other processes keep the contract, and play like the same world in this one."""

import functools

import numpy as np
import pytest
import torch

from lapis.worlds.remote import RemoteConfig
from tests import contract
from tests.worlds import toy
from tests.worlds.toy import ToyWorld

TOY = "tests.worlds.remote.far_toy:FarToy"


def make(world_count, *, ends=2, seed=0, first_world=0, **settings):
    config = RemoteConfig(factory=settings.pop("factory", TOY), ends=ends, **settings)
    return config.build(world_count, seed=seed, device="cpu", first_world=first_world)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_remote_worlds_keep_the_contract(check):
    check(make)


def test_remote_mask_is_honest():
    def has_effect(before, after, component):
        if component == 0:
            return (before["inventory"] != after["inventory"]).any(dim=1)
        return after["ticks"] == 4

    idle = {(0, toy.REST), (1, toy.Pace.SLOW)}
    contract.check_mask_is_honest(make, has_effect=has_effect, idle_choices=idle, states=2)


@pytest.mark.parametrize("ends", [1, 3, 9])
def test_they_play_like_the_same_world_in_this_process_bit_for_bit(ends):
    here, there = ToyWorld(7), make(7, ends=ends)
    assert (here.items, here.action_sizes) == (there.items, there.action_sizes)
    rng = np.random.default_rng(0)
    for step in range(100):
        action = contract.allowed_action(here, rng)
        which = contract.random_rows(here, rng, 0.05)
        first = torch.from_numpy(rng.integers(0, 3, (7, 4), dtype=np.int32))
        for world in (here, there):
            world.step(action)
            world.reset(which, first)
        shown = contract.snapshot(there)
        del shown["observation weather"]
        contract.assert_same_rows(contract.snapshot(here), shown, f"step {step}")
    assert there.ends.losses == 0


def test_chance_depends_on_seed_world_and_episode_alone():
    def weather(world):
        return world.observation["weather"][:, 0].clone()

    all_worlds, last = make(6, ends=2, seed=3), make(2, ends=1, seed=3, first_world=4)
    assert torch.equal(weather(all_worlds)[4:], weather(last))
    assert len(set(weather(all_worlds).tolist())) == 6
    before = weather(last)
    last.reset(torch.tensor([True, False]))
    assert (weather(last) == before).tolist() == [False, True]


def test_options_reach_the_far_side():
    make_two = functools.partial(make, 2, ends=1)
    assert make_two(options=("item_count=2",)).items == ("item_0", "item_1")

"""States that no play leads to are refused by name, or can be played: nothing crashes or hangs."""

import json
import subprocess
import sys

import numpy as np
import pytest
import torch

from tests.worlds.hostile_states import WORLDS, play

kinds = pytest.mark.parametrize("kind", WORLDS)


def load_hostile_states(kind: str, mutations: int, seed: int) -> dict:
    command = [sys.executable, "-m", "tests.worlds.hostile_states", kind, mutations, seed]
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr[-2000:]}"
    return json.loads(done.stdout)


@kinds
def test_every_tensor_is_checked(kind):
    counts = load_hostile_states(kind, mutations=0, seed=0)
    tensors = set(WORLDS[kind]().state.tensors())
    assert set(counts["refused"]) == tensors - {"chance"}, "any number will do for a hash"
    assert counts["played"] > len(tensors)


@pytest.mark.slow
@kinds
def test_three_hundred_mutated_states(kind):
    counts = load_hostile_states(kind, mutations=300, seed=1)
    assert counts["played"] > 50
    assert sum(counts["refused"].values()) > 50


@kinds
def test_whatever_play_leads_to_can_be_loaded(kind):
    world = WORLDS[kind]()
    rng = np.random.default_rng(5)
    for _ in range(10):
        riches = rng.integers(0, 20, tuple(world.inventory.shape))
        world.reset(
            world.died | (torch.arange(world.world_count) == 0), torch.from_numpy(riches).int()
        )
        for _ in range(10):
            play(world, rng, 5)
            world.load_state_dict(world.state_dict())


@kinds
def test_a_hand_out_of_the_table_is_refused(kind):
    world = WORLDS[kind]()
    state = world.state_dict()
    state["hand"][1] = 1000
    with pytest.raises(ValueError, match=r"state's 'hand' is 1000 at \[1\]; it must be"):
        world.load_state_dict(state)
    state["hand"][1] = 6  # A tool in both worlds.
    with pytest.raises(ValueError, match=r"'hand' has item \d+ at \[1\].*the inventory holds"):
        world.load_state_dict(state)


@kinds
@pytest.mark.parametrize("count", [-1, 2**30 + 1, 2**31 - 1])
def test_an_episode_cannot_begin_with_more_than_can_be_counted(kind, count):
    world = WORLDS[kind]()
    before = world.state_dict()
    given = torch.zeros_like(world.inventory)
    given[2, 5] = count
    with pytest.raises(ValueError, match=rf"inventory is {count} at \[2, 5\]; it must be"):
        world.reset(torch.ones_like(world.died), given)
    after = world.state_dict()
    assert all(torch.equal(after[name], before[name]) for name in world.state.tensors())


@kinds
def test_tensors_of_another_type_are_refused(kind):
    world = WORLDS[kind]()
    state = world.state_dict()
    with pytest.raises(ValueError, match=r"'health' must be torch.int32 of .*, not torch.float32"):
        world.load_state_dict(state | {"health": state["health"].float()})
    with pytest.raises(ValueError, match=r"state lacks 'health', a tensor"):
        world.load_state_dict(state | {"health": 20000})


@kinds
def test_a_tensor_in_place_of_a_setting_is_refused(kind):
    world = WORLDS[kind]()
    state = world.state_dict()
    state["config"][next(iter(state["config"]))] = torch.zeros(3)
    with pytest.raises(ValueError, match="state has config = "):
        world.load_state_dict(state)

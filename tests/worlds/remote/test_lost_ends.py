"""Far ends that are killed, hang or break: their rows begin anew, and all other rows go on."""

import os
import signal

import numpy as np
import pytest
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.remote import RemoteConfig
from lapis.worlds.remote.lines import LostError
from lapis.worlds.remote.world import RemoteWorld
from tests import contract
from tests.worlds.remote.test_remote_contract import make
from tests.worlds.toy import ToyWorld

FAR = "tests.worlds.remote.far_toy:"


def kill(world, end):
    os.kill(world.ends._lines[end].process_id, signal.SIGKILL)


def rest(world_count):
    return torch.zeros((world_count, 2), dtype=torch.int32)


def test_rows_of_a_killed_process_are_lost_and_begin_anew():
    world = make(4, first_world=2)
    world.step(torch.tensor([[1, 1]] * 4, dtype=torch.int32))
    before, weather = contract.snapshot(world), world.observation["weather"].clone()
    kill(world, 1)
    world.step(rest(4))
    assert world.lost.tolist() == [False, False, True, True]
    assert world.ticks.tolist() == [8, 8, 0, 0]
    assert torch.equal(world.inventory[2:], before["inventory"][2:])
    world.step(torch.full((4, 2), 0, dtype=torch.int32))
    assert world.lost.tolist() == [False, False, True, True]
    world.reset(world.lost.clone())
    assert not world.lost.any()
    assert world.inventory.tolist() == [[1, 0, 0, 0]] * 2 + [[0, 0, 0, 0]] * 2
    # Not an episode that was played before.
    same = world.observation["weather"] == weather
    assert same[:, 0].tolist() == [True, True, False, False]
    assert world.ends.losses == 1


def test_a_process_that_is_gone_at_a_reset_is_replaced_at_once():
    world = make(4)
    kill(world, 0)
    world.reset(torch.tensor([True, False, False, False]), torch.ones_like(world.inventory))
    assert world.inventory[0].tolist() == [1, 1, 1, 1]
    assert world.lost.tolist() == [False, True, False, False]
    world.step(rest(4))
    assert world.ticks.tolist() == [8, 0, 8, 8]


def test_counts_of_all_other_rows_are_those_of_a_calm_run():
    config = SimonSaysConfig(goals=("item_0", "item_1"), task_ticks=40, bonus="none")
    here, there = SimonSays(ToyWorld(6), config), SimonSays(make(6, ends=3), config)
    rng = np.random.default_rng(0)
    counted = torch.zeros(2, 2, dtype=torch.int64)
    lost_before = torch.zeros(6, dtype=torch.bool)
    for step in range(150):
        action = contract.allowed_action(there.world, rng)
        if step in (40, 90):
            kill(there.world, 1)
        action[:2], action[4:] = (contract.allowed_action(here.world, rng)[part] for part in PARTS)
        goals = there.goal.clone()
        here.step(torch.where(OTHERS[:, None], action, torch.zeros_like(action)))
        there.step(action)
        for name in ("goal", "task_over", "task_succeeded", "truncated", "terminated"):
            same = getattr(here, name)[OTHERS], getattr(there, name)[OTHERS]
            assert torch.equal(*same), f"{name} in step {step}"
        assert not (there.task_over & there.world.lost).any()
        lost_before |= there.world.lost
        for row, goal in enumerate(goals.tolist()):
            counted[0, goal] += there.task_succeeded[row]
            counted[1, goal] += there.task_over[row]
    assert lost_before.tolist() == [False, False, True, True, False, False]
    assert there.world.ends.losses == 2
    assert np.array(there.take_counts()).tolist() == counted.tolist()
    assert counted[1].min() > 5


PARTS = (slice(0, 2), slice(4, 6))
OTHERS = torch.tensor([True, True, False, False, True, True])


@pytest.mark.parametrize(
    ("hang", "cause"), [("true", "no answer after 1 s"), ("false", "exit status 3")]
)
def test_a_far_end_that_hangs_or_ends_is_replaced(hang, cause, caplog):
    options = ("row=3", "step=2", f"hang={hang}")
    world = make(4, factory=f"{FAR}Fails", options=options, step_seconds=1.0)
    world.step(rest(4))
    world.step(rest(4))
    assert world.lost.tolist() == [False, False, True, True]
    assert f"worlds 2 to 3 are lost and start new episodes: {cause}" in caplog.text
    world.reset(world.lost.clone())
    world.step(rest(4))
    assert world.ticks.tolist() == [8] * 4


def test_one_that_breaks_again_and_again_ends_the_run_with_its_cause():
    world = make(2, ends=1, factory=f"{FAR}Breaks", retries=1)
    world.step(rest(2))
    world.reset(world.lost.clone())
    with pytest.raises(RuntimeError, match=r"worlds 0 to 1 were lost 2 times .* sky has fallen"):
        world.step(rest(2))


def test_one_that_is_gone_before_it_was_asked_anything_is_an_error_with_its_cause():
    class Gone:
        def send(self, question, seconds):
            raise LostError("exit status 1")

        def end(self, *, at_once):
            pass

    with pytest.raises(RuntimeError, match="worlds 3 to 4 could not be started: exit status 1"):
        RemoteWorld(2, config=RemoteConfig(ends=1), first_world=3, open_line=Gone)


def test_worlds_that_cannot_be_saved_lose_their_episodes_when_loaded():
    config = SimonSaysConfig(goals=("item_0",), bonus="none", inherit_probability=0.0)
    simon = SimonSays(make(2, factory=f"{FAR}Unsaved"), config)
    simon.step(rest(2))
    saved = simon.state_dict()
    assert "far" not in saved["world"]
    simon.load_state_dict(saved)
    make_one = torch.tensor([[1, 0]] * 2, dtype=torch.int32)
    simon.step(make_one)
    assert simon.truncated.all()
    assert simon.ticks.tolist() == [0, 0]
    assert not np.any(simon.take_counts())
    simon.step(make_one)
    simon.step(make_one)
    assert np.array(simon.take_counts()).tolist() == [[2], [2]]


def test_processes_end_with_their_world():
    world = make(2)
    processes = [line._process for line in world.ends._lines.values()]
    world.close()
    assert [process.poll() is not None for process in processes] == [True, True]

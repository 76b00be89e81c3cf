"""What a world loses counts as nothing: neither success nor attempt, and the episode is cut."""

import numpy as np
import pytest
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from tests.worlds.toy import ToyWorld

MAKE, REST = [1, 0], [0, 0]


class LosingWorld(ToyWorld):
    """Loses rows as a test says: they show what they showed, and take no time."""

    def __init__(self, world_count):
        self.lost = torch.zeros(world_count, dtype=torch.bool)
        self.loses_next = torch.zeros(world_count, dtype=torch.bool)
        super().__init__(world_count, item_count=1)

    def step(self, action):
        before = {name: value.clone() for name, value in self._state().items()}
        super().step(action)
        self.lost |= self.loses_next
        for name, value in self._state().items():
            value[self.lost] = before[name][self.lost]
        self.ticks.masked_fill_(self.lost, 0)
        self.loses_next.zero_()

    def reset(self, which, inventory=None):
        super().reset(which, inventory)
        self.lost &= ~which


def simon_of(world, **settings):
    values = {"task_ticks": 24, "inherit_probability": 0.0, "bonus": "none", **settings}
    return SimonSays(world, SimonSaysConfig(goals=("item_0",), **values))


def play(simon, *rows):
    simon.step(torch.tensor(rows, dtype=torch.int32))


def test_a_task_under_way_is_neither_success_nor_attempt():
    simon = simon_of(LosingWorld(2))
    play(simon, REST, REST)
    simon.world.loses_next[0] = True
    play(simon, MAKE, MAKE)
    assert simon.truncated.tolist() == [True, False]
    assert simon.terminated.tolist() == [False, False]
    assert simon.task_over.tolist() == [False, True]
    assert simon.reward.tolist() == [0.0, 1.0]
    assert simon.ticks.tolist() == [0, 8]
    assert [counts.tolist() for counts in simon.take_counts()] == [[1], [1]]


def test_the_next_step_begins_an_episode_whose_tasks_count_again():
    simon = simon_of(LosingWorld(1))
    simon.world.loses_next[0] = True
    play(simon, MAKE)
    play(simon, MAKE)
    assert simon.restarted.tolist() == [True]
    assert simon.world.inventory.tolist() == [[0]]
    assert not simon.truncated.any()
    play(simon, MAKE)
    assert [counts.tolist() for counts in simon.take_counts()] == [[1], [1]]


def test_a_loss_at_the_time_limit_is_no_failure():
    simon = simon_of(LosingWorld(1), task_ticks=16)
    play(simon, REST)
    simon.world.loses_next[0] = True
    play(simon, REST)
    assert [counts.tolist() for counts in simon.take_counts()] == [[0], [0]]
    assert simon.truncated.all()


def test_a_loss_in_the_step_that_restarts_its_row_is_none():
    simon = simon_of(LosingWorld(1), episode_ticks=8)
    play(simon, MAKE)
    assert simon.truncated.all()
    simon.world.loses_next[0] = True
    play(simon, MAKE)  # The row is reset after the step that lost it.
    assert simon.restarted.all()
    assert not simon.truncated.any()
    assert [counts.tolist() for counts in simon.take_counts()] == [[1], [1]]


def test_other_rows_count_as_if_nothing_had_been_lost():
    calm, shaken = simon_of(ToyWorld(4, item_count=1)), simon_of(LosingWorld(4))
    rng = np.random.default_rng(0)
    for step in range(200):
        action = torch.from_numpy(rng.integers(0, 2, (4, 2), dtype=np.int32))
        action[:, 1] = 0
        shaken.world.loses_next[3] = step % 7 == 3
        calm.step(action)
        shaken.step(action)
        for name in ("task_over", "task_succeeded", "reward", "truncated", "terminated"):
            assert torch.equal(getattr(calm, name)[:3], getattr(shaken, name)[:3]), name


def test_a_world_with_another_kind_of_lost_is_refused():
    world = LosingWorld(2)
    world.lost = world.lost.int()
    with pytest.raises(ValueError, match=r"world\.lost must be torch\.bool"):
        simon_of(world)

import pytest
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from tests.simonsays.scenes import ITEMS, act, counts, record, scene
from tests.simonsays.scripted import ScriptedWorld


def asked(simon, *goals):
    simon.ask_for(torch.tensor(goals, device=simon.device))


def assert_same(after, before):
    assert after.keys() == before.keys()
    for name, value in before.items():
        assert torch.equal(after[name], value), name


def test_each_world_is_asked_for_its_own_goal(device):
    world = ScriptedWorld([[(0, 0, 0)] * 4], device=device)
    simon = SimonSays(world, SimonSaysConfig(goals=ITEMS))
    shown = simon.observation["goal"]
    asked(simon, 2, 0, 1, 1)
    assert simon.goal.tolist() == [2, 0, 1, 1]
    assert shown is simon.observation["goal"]
    assert shown.tolist() == [2, 0, 1, 1]
    act(simon)
    assert simon.goal.tolist() == [2, 0, 1, 1]


def test_the_goal_that_was_asked_for_counts_and_the_next_is_drawn(device):
    simon = scene([(1, 0, 0), (1, 1, 0), (2, 1, 0)], goal="a", device=device)
    asked(simon, 1)
    assert record(simon, 3, "task_succeeded") == [False, True, True]
    assert counts(simon) == ([1, 1, 0], [1, 1, 0])


def test_a_task_under_way_is_void_and_the_new_one_has_its_whole_time():
    simon = scene([(0, 0, 0)] * 5, goal="a", task_ticks=12)
    act(simon, 2)
    asked(simon, 1)
    assert record(simon, 3, "task_over") == [False, False, True]
    assert counts(simon) == ([0, 0, 0], [0, 1, 0])


def test_only_more_of_the_item_than_is_held_already_is_a_success():
    simon = scene([(0, 2, 0), (0, 2, 0), (0, 3, 0)], goal="a")
    act(simon)
    asked(simon, 1)
    assert record(simon, 2, "task_succeeded") == [False, True]


def test_failures_in_a_row_go_on():
    simon = scene([(0, 0, 0)] * 3, goal="a", task_ticks=4, failures_to_end=2)
    act(simon)
    asked(simon, 1)
    act(simon)
    assert simon.terminated.tolist() == [True]


def test_what_was_asked_for_is_part_of_the_state():
    simon = scene([(0, 0, 0)] * 3)
    asked(simon, 2)
    saved = simon.state_dict()
    asked(simon, 1)
    simon.load_state_dict(saved)
    assert simon.goal.tolist() == [2]


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        (torch.tensor([0, 1]), r"int64 of shape \(1,\) on cpu, not torch.int64 of shape \(2,\)"),
        (torch.tensor(0), r"not torch.int64 of shape \(\)"),
        (torch.tensor([0], dtype=torch.int32), "not torch.int32"),
        (torch.zeros(1, dtype=torch.int64, device="meta"), "on cpu, not .* on meta"),
        (torch.tensor([3]), "the task of world 0 must be between 0 and 2, not 3"),
        (torch.tensor([-1]), "the task of world 0 must be between 0 and 2, not -1"),
    ],
)
def test_what_is_no_goal_is_refused_and_the_old_one_stays(tasks, message):
    simon = scene([(0, 0, 0)])
    before = simon.state_dict()["tensors"]
    with pytest.raises(ValueError, match=message):
        simon.ask_for(tasks)
    assert_same(simon.state_dict()["tensors"], before)


@pytest.mark.parametrize("settings", [{"died": [True]}, {"episode_ticks": 4}])
def test_nothing_can_be_asked_for_where_an_episode_is_over(settings):
    simon = scene([(0, 0, 0)], **settings)
    act(simon)
    before = simon.state_dict()["tensors"]
    with pytest.raises(ValueError, match=r"that of world 0 is over; start\(\) begins new ones"):
        asked(simon, 1)
    assert_same(simon.state_dict()["tensors"], before)
    simon.start()
    asked(simon, 1)
    assert simon.goal.tolist() == [1]

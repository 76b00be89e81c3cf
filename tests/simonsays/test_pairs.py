"""Pairs of goals as tasks: both must come within one task."""

import gymnasium
import numpy as np
import pytest
import torch

import lapis.simonsays.gym  # noqa: F401  (registers the environments)
from lapis.simonsays import SimonSays, SimonSaysConfig, words
from lapis.simonsays.tasks import pair_members, pair_names
from tests.simonsays.scenes import ITEMS, act, record
from tests.simonsays.scripted import ScriptedWorld

TASKS = ("a", "b", "c", "a + b", "a + c", "b + c")
NONE = 3
"""Stands for no other goal, of three."""
SHOWN = ("goal", "other_goal")


def chances(*tasks):
    return [1.0 / len(tasks) * (name in tasks) for name in TASKS]


def pair_scene(inventories, *, task="a + b", device="cpu", died=None, ticks=4, **settings):
    """A Simon Says over one world that asks for one task, whose inventory is empty."""
    world = ScriptedWorld(
        [[row] for row in inventories],
        died_TW=None if died is None else [[value] for value in died],
        ticks_TW=ticks,
        device=device,
    )
    settings = {"goals": ITEMS, "bonus": "none", "inherit_probability": 0.0} | settings
    simon = SimonSays(world, SimonSaysConfig(pairs=True, **settings))
    simon.set_probabilities(chances(task))
    simon.start()
    return simon


def shown(simon):
    return tuple(simon.observation[name][0].item() for name in SHOWN)


def tallied(counts):
    successes, attempts = counts
    return successes.tolist(), attempts.tolist()


def test_tasks_are_the_goals_and_then_all_pairs():
    assert pair_members(3).tolist() == [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]]
    assert pair_names(ITEMS) == TASKS
    assert pair_scene([(0, 0, 0)]).tasks == TASKS
    assert len(pair_members(107)) == 5778


def test_both_goals_must_come_and_the_second_one_pays(device):
    simon = pair_scene([(1, 0, 0), (1, 0, 0), (1, 1, 0)], device=device)
    assert record(simon, 3, "reward", "task_over", "task_succeeded") == [
        (0.0, False, False),
        (0.0, False, False),
        (1.0, True, True),
    ]
    assert tallied(simon.take_counts()) == ([0, 0, 0, 1, 0, 0], [0, 0, 0, 1, 0, 0])
    assert tallied(simon.take_goal_counts()) == ([1, 1, 0], [1, 1, 0])
    assert tallied(simon.take_counts()) == ([0] * 6, [0] * 6)
    assert tallied(simon.take_goal_counts()) == ([0] * 3, [0] * 3)


def test_a_goal_stays_reached_when_its_item_is_used_up(device):
    simon = pair_scene([(1, 0, 0), (0, 1, 0)], device=device)
    assert record(simon, 2, "task_succeeded") == [False, True]


def test_both_at_once_are_a_success(device):
    assert record(pair_scene([(2, 1, 0)], device=device), 1, "task_succeeded") == [True]


def test_what_was_held_when_the_task_began_does_not_count(device):
    # The first task ends with one a and one b; the second needs a second one of both.
    simon = pair_scene([(1, 1, 0), (1, 1, 0), (2, 1, 0), (2, 2, 0)], device=device)
    assert record(simon, 4, "task_succeeded") == [True, False, False, True]


def test_a_goal_that_came_in_one_task_is_missing_in_the_next(device):
    # a comes in the first task, which fails after 8 ticks; b comes in the second.
    simon = pair_scene([(1, 0, 0), (1, 0, 0), (1, 1, 0), (2, 1, 0)], device=device, task_ticks=8)
    assert record(simon, 4, "task_over", "task_succeeded") == [
        (False, False),
        (True, False),
        (False, False),
        (True, True),
    ]


def test_what_is_missing_is_shown(device):
    simon = pair_scene([(1, 0, 0), (1, 1, 0), (1, 2, 0), (2, 2, 0)], device=device)
    assert shown(simon) == (0, 1)
    act(simon)
    assert shown(simon) == (1, NONE)  # a has come.
    act(simon)
    assert shown(simon) == (0, 1)  # A new task.
    act(simon)
    assert shown(simon) == (0, NONE)  # b has come first.
    assert simon.goal.tolist() == simon.observation["goal"].tolist()


def test_a_goal_alone_is_as_ever_and_has_no_other(device):
    simon = pair_scene([(0, 1, 0), (1, 1, 0)], task="a", device=device)
    assert shown(simon) == (0, NONE)
    assert record(simon, 2, "task_succeeded") == [False, True]
    assert tallied(simon.take_counts()) == ([1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0])
    assert tallied(simon.take_goal_counts()) == ([1, 0, 0], [1, 0, 0])


def test_of_a_failed_pair_the_goal_that_came_is_a_success_of_its_own(device):
    simon = pair_scene([(0, 1, 0), (0, 1, 0)], device=device, task_ticks=8)
    assert record(simon, 2, "task_over", "task_succeeded") == [(False, False), (True, False)]
    assert tallied(simon.take_counts()) == ([0] * 6, [0, 0, 0, 1, 0, 0])
    assert tallied(simon.take_goal_counts()) == ([0, 1, 0], [1, 1, 0])


def test_an_item_that_comes_after_the_limit_comes_too_late(device):
    simon = pair_scene([(1, 0, 0), (1, 1, 0)], device=device, task_ticks=6)
    assert record(simon, 2, "task_over", "task_succeeded") == [(False, False), (True, False)]
    assert tallied(simon.take_goal_counts()) == ([1, 0, 0], [1, 1, 0])


def test_nothing_stays_reached_after_an_episode(device):
    script = [(1, 0, 0), (0, 0, 0), (0, 1, 0), (1, 1, 0)]
    simon = pair_scene(script, died=[True, False, False, False], device=device)
    assert record(simon, 4, "terminated", "restarted", "task_succeeded") == [
        (True, False, False),
        (False, True, False),
        (False, False, False),
        (False, False, True),
    ]
    assert tallied(simon.take_goal_counts()) == ([2, 1, 0], [2, 2, 0])


def test_a_pair_can_be_asked_for(device):
    simon = pair_scene([(0, 1, 0), (0, 1, 1)], device=device)
    simon.ask_for(torch.tensor([5], device=device))
    assert (words.asked(simon), shown(simon)) == ("b + c", (1, 2))
    assert record(simon, 2, "task_succeeded") == [False, True]
    with pytest.raises(ValueError, match="the task of world 0 must be between 0 and 5, not 6"):
        simon.ask_for(torch.tensor([6], device=device))


def random_simon(*, pairs=True, device="cpu", worlds=4, steps=200):
    rng = np.random.default_rng(3)
    held = np.clip(np.cumsum(rng.integers(-1, 2, (steps, worlds, 3)), axis=0), 0, None)
    died = rng.random((steps, worlds)) < 0.03
    world = ScriptedWorld(held, died_TW=died, device=device)
    return SimonSays(
        world, SimonSaysConfig(goals=ITEMS, pairs=pairs, task_ticks=32, episode_ticks=200), seed=7
    )


def played(simon, steps):
    names = ("task", "goal", "reward", "task_over", "task_succeeded", "terminated", "truncated")
    rows = []
    for _ in range(steps):
        act(simon)
        rows.append({name: getattr(simon, name).tolist() for name in names})
        if "other_goal" in simon.observation:
            rows[-1]["other_goal"] = simon.observation["other_goal"].tolist()
    return rows


def test_a_slow_twin_agrees():
    simon = random_simon()
    members, world = pair_members(3), simon.world
    start, reached = world.inventory.clone(), [set() for _ in range(4)]
    clock, succeeded = [0] * 4, 0
    task = simon.task.tolist()
    for _ in range(199):
        act(simon)
        for row in range(4):
            asked, held = set(members[task[row]].tolist()), world.inventory[row]
            clock[row] += 4
            if simon.restarted[row]:
                assert not simon.task_over[row]
            else:
                if clock[row] <= 32:
                    reached[row] |= {goal for goal in asked if held[goal] > start[row][goal]}
                assert bool(simon.task_succeeded[row]) == (reached[row] == asked)
                succeeded += reached[row] == asked
            if simon.task_over[row] or simon.restarted[row]:
                task[row], start[row] = int(simon.task[row]), held
                reached[row], clock[row] = set(), 0
            missing = sorted(set(members[task[row]].tolist()) - reached[row])
            assert int(simon.goal[row]) == missing[0]
            assert int(simon.observation["other_goal"][row]) == [*missing, NONE][1]
            assert int(simon.task[row]) == task[row]
    assert succeeded > 10


def test_without_pairs_drawn_all_is_as_without_pairs():
    chance = [0.5, 0.3, 0.2]
    with_pairs, without = random_simon(), random_simon(pairs=False)
    with_pairs.set_probabilities(chance + [0.0] * 3)
    without.set_probabilities(chance)
    for simon in (with_pairs, without):
        simon.start()
    rows = [
        {name: value for name, value in row.items() if name != "other_goal"}
        for row in played(with_pairs, 190)
    ]
    assert rows == played(without, 190)
    of_tasks, of_goals = with_pairs.take_counts(), with_pairs.take_goal_counts()
    for tasks, goals, expected in zip(of_tasks, of_goals, without.take_counts(), strict=True):
        assert tasks[:3].tolist() == goals.tolist() == expected.tolist()


def test_a_loaded_state_continues_bit_for_bit(device):
    simon = random_simon(device=device)
    played(simon, 61)
    saved = simon.state_dict()
    expected = played(simon, 60), *map(tallied, (simon.take_counts(), simon.take_goal_counts()))
    other = random_simon(device=device)
    played(other, 5)
    other.load_state_dict(saved)
    found = played(other, 60), *map(tallied, (other.take_counts(), other.take_goal_counts()))
    assert found == expected


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("task", 6, "'task' is 6 at"),
        ("goal", 3, "'goal' is 3 at"),
        ("other_goal", 4, "'other_goal' is 4 at"),
        ("goal_counts", 9, "'goal_counts' must have no more successes than attempts"),
    ],
)
def test_states_that_no_game_has_are_refused(name, value, message):
    simon = random_simon()
    state = simon.state_dict()
    state["tensors"][name][0] = value
    with pytest.raises(ValueError, match=message):
        simon.load_state_dict(state)


def test_a_state_without_pairs_is_refused():
    with pytest.raises(ValueError, match="must hold the tensors"):
        random_simon().load_state_dict(random_simon(pairs=False).state_dict())


def test_what_needs_pairs_or_their_number_says_so():
    with pytest.raises(ValueError, match=r"without config\.pairs tasks are goals"):
        random_simon(pairs=False).take_goal_counts()
    with pytest.raises(ValueError, match=r"probabilities must have shape \(6,\), not \(3,\)"):
        random_simon().set_probabilities([0.2, 0.3, 0.5])


def test_gymnasium_has_no_pairs():
    with pytest.raises(ValueError, match="pairs is True; Gymnasium's view"):
        gymnasium.make_vec("lapis/SimonSaysTechTree-v0", num_envs=1, pairs=True)

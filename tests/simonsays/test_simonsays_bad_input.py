"""What Simon Says refuses, and that it then stays as it was."""

import math

import numpy as np
import pytest
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.simonsays.rng import Purpose
from tests.simonsays.scenes import ITEMS, scene
from tests.simonsays.scripted import ScriptedWorld
from tests.simonsays.twin import uniform


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"goals": ()}, "goals must be a tuple of at least one item name"),
        ({"goals": "abc"}, "goals must be a tuple of at least one item name, not 'abc'"),
        ({"goals": ("a", "b", "a")}, r"these are repeated: \['a'\]"),
        ({"bonus_goals": ("a", "x")}, r"bonus_goals must be among goals; these are not: \['x'\]"),
        ({"bonus_goals": ("a", "a")}, "bonus_goals must not repeat a name"),
        ({"task_ticks": 1.5}, "task_ticks is 1.5; it must be a whole number"),
        ({"goals": ["a"]}, "goals must be a tuple of at least one item name"),
        ({"goals": 5}, "goals must be a tuple of at least one item name, not 5"),
        (
            {"bonus_coefficient": 1e39},
            r"bonus_coefficient is 1e\+39; it must be .* at most",
        ),
        ({"task_ticks": 0}, "task_ticks is 0; it must be a whole number"),
        ({"episode_ticks": 2**31}, "episode_ticks is 2147483648; it must be a whole number"),
        ({"failures_to_end": 0}, "failures_to_end is 0; it must be a whole number"),
        ({"inherit_probability": 1.5}, "inherit_probability is 1.5; it must be .* at most 1"),
        ({"inherit_probability": math.nan}, "inherit_probability is nan; it must be"),
        ({"bonus": "some"}, "bonus is 'some'; it must be one of 'none', 'fixed', 'dynamic'"),
        ({"bonus_coefficient": -0.1}, "bonus_coefficient is -0.1; it must be"),
        ({"bonus_coefficient": math.inf}, "bonus_coefficient is inf; it must be"),
        ({"bonus_decay": 1.0}, "bonus_decay is 1.0; it must be .* above 0 and below 1"),
        ({"bonus_decay": 0.0}, "bonus_decay is 0.0; it must be .* above 0 and below 1"),
    ],
)
def test_config_refuses(settings, message):
    with pytest.raises(ValueError, match=message):
        SimonSaysConfig(**{"goals": ITEMS} | settings)


def test_goal_that_is_no_item_is_refused():
    world = ScriptedWorld([[(0, 0, 0)]])
    with pytest.raises(ValueError, match=r"these are not: \['x', 'y'\]"):
        SimonSays(world, SimonSaysConfig(goals=("y", "a", "x")))


def test_world_that_observes_a_goal_of_its_own_is_refused():
    world = ScriptedWorld([[(0, 0, 0)]])
    world.observation["goal"] = world.ticks
    with pytest.raises(ValueError, match=r"must not contain \['goal'\]"):
        SimonSays(world, SimonSaysConfig(goals=ITEMS))


@pytest.mark.parametrize(
    ("probabilities", "message"),
    [
        ([0.5, 0.5], r"shape \(3,\), not \(2,\)"),
        ([[0.5, 0.5, 0.0]], r"shape \(3,\), not \(1, 3\)"),
        ([0.5, 0.5, 0.1], "must sum to 1, not 1.1"),
        ([0.5, 0.5, 2e-6], "must sum to 1"),
        ([0.5, math.nan, 0.5], r"probabilities\[1\] is nan; it must be"),
        ([1.0, 0.0, math.inf], r"probabilities\[2\] is inf"),
        ([0.5 + 1j, 0.5, 0.0], "probabilities must hold real numbers, not complex128"),
        (np.ma.masked_array([0.5, 0.5, 0.0], [0, 0, 1]), "probabilities is a masked array"),
        ([-0.5, 0.5, 1.0], r"probabilities\[0\] is -0.5"),
    ],
)
def test_bad_probabilities_are_refused_and_the_old_ones_stay(probabilities, message):
    simon = scene([(0, 0, 1)], goal="c")
    before = simon.state_dict()["tensors"]
    with pytest.raises(ValueError, match=message):
        simon.set_probabilities(probabilities)
    assert_same(simon.state_dict()["tensors"], before)


def test_probabilities_may_miss_one_by_rounding():
    # World 5345105 draws 1 - 2 ** -24 in its second episode, above the sum of these.
    world = ScriptedWorld([[(0, 0, 0)]])
    simon = SimonSays(world, SimonSaysConfig(goals=ITEMS), first_world=5345105)
    simon.set_probabilities(np.array([0.5, 0.5 - 5e-7, 0.0]))
    simon.start()
    assert uniform(0, 5345105, 1, 0, Purpose.GOAL) == 1.0 - 2.0**-24
    assert simon.goal.tolist() == [1]


@pytest.mark.parametrize("members", [[True, False], [1, 0, 1], np.ones((3, 1), dtype=bool)])
def test_bad_exploration_set_is_refused(members):
    simon = scene([(0, 0, 1)], bonus="dynamic")
    with pytest.raises(ValueError, match=r"exploration_set must be bool of shape \(3,\)"):
        simon.set_exploration_set(members)
    assert simon.exploration_set.tolist() == [True, True, True]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (
            torch.zeros(2, 2, dtype=torch.int32),
            r"of shape \(1, 2\) on cpu, not torch.int32 of shape \(2, 2\)",
        ),
        (
            torch.zeros(1, dtype=torch.int32),
            r"of shape \(1, 2\) on cpu, not torch.int32 of shape \(1,\)",
        ),
        (torch.zeros(1, 2, dtype=torch.int64), "must be torch.int32 .* not torch.int64"),
        (torch.zeros(1, 2), "must be torch.int32 .* not torch.float32"),
        (torch.zeros(1, 2, dtype=torch.int32, device="meta"), "on cpu, not torch.int32 .* on meta"),
    ],
)
def test_action_of_the_wrong_kind_is_refused(action, message):
    simon = scene([(0, 0, 1)])
    before = simon.state_dict()["tensors"]
    with pytest.raises(ValueError, match=message):
        simon.step(action)
    assert_same(simon.state_dict()["tensors"], before)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ([[0, 0], [2, 0]], "world 1, component 0 must be between 0 and 1, not 2"),
        ([[0, 0], [0, -1]], "world 1, component 1 must be between 0 and 2, not -1"),
        ([[0, 2], [0, 0]], "world 0, component 1 is 2, which the action mask does not allow"),
    ],
)
def test_validation_names_the_world_and_the_action(action, message):
    world = ScriptedWorld([[(0, 0, 1), (0, 0, 1)]] * 2)
    simon = SimonSays(world, SimonSaysConfig(goals=ITEMS), validate_actions=True)
    before = simon.state_dict()["tensors"]
    with pytest.raises(ValueError, match=message):
        simon.step(torch.tensor(action, dtype=torch.int32))
    assert_same(simon.state_dict()["tensors"], before)
    simon.step(torch.tensor([[1, 1], [0, 0]], dtype=torch.int32))
    assert not simon.restarted.any()


def test_negative_first_world_is_refused():
    with pytest.raises(
        ValueError, match="first_world is -1; it must be a whole number of at least 0"
    ):
        SimonSays(ScriptedWorld([[(0, 0, 1)]]), SimonSaysConfig(goals=ITEMS), first_world=-1)


def assert_same(after: dict[str, torch.Tensor], before: dict[str, torch.Tensor]) -> None:
    assert after.keys() == before.keys()
    for name, value in before.items():
        assert torch.equal(after[name], value), name

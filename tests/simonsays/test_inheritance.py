"""A new episode may keep the last one's inventory (paper P12)."""

import pytest
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from tests.simonsays.scenes import ITEMS, act, ask_for, record, scene
from tests.simonsays.scripted import ScriptedWorld

DIES_AT_ONCE = [True, False, False, False, False]


def test_inherits_the_last_inventory_also_after_death(device):
    script = [(2, 0, 7), (5, 5, 5)]
    simon = scene(script, died=[True, False], inherit_probability=1.0, device=device)
    act(simon, 2)
    assert simon.world.inventory[0].tolist() == [2, 0, 7]


def test_inherits_nothing_otherwise(device):
    simon = scene([(2, 0, 7), (5, 5, 5)], died=[True, False], device=device)
    act(simon, 2)
    assert simon.world.inventory[0].tolist() == [0, 0, 0]


def test_inherited_goal_item_is_no_success(device):
    script = [(3, 0, 0), (0, 0, 0), (3, 0, 0), (4, 0, 0)]
    simon = scene(script, died=DIES_AT_ONCE[:4], inherit_probability=1.0, device=device)
    assert record(simon, 4, "task_succeeded") == [True, False, False, True]


@pytest.mark.parametrize("bonus", ["fixed", "dynamic"])
def test_inheriting_pays_no_bonus(bonus, device):
    # 2 units held at the end of the first episode; the third pays 0.5 ** 3.
    script = [(0, 2, 0), (0, 0, 0), (0, 2, 0), (0, 3, 0)]
    simon = scene(
        script,
        died=DIES_AT_ONCE[:4],
        inherit_probability=1.0,
        bonus=bonus,
        bonus_coefficient=1.0,
        device=device,
    )
    assert record(simon, 4, "bonus") == [0.75, 0.0, 0.0, 0.125]


def test_without_inheritance_the_same_items_pay_again(device):
    script = [(0, 2, 0), (0, 0, 0), (0, 2, 0), (0, 3, 0)]
    simon = scene(
        script, died=DIES_AT_ONCE[:4], bonus="fixed", bonus_coefficient=1.0, device=device
    )
    assert record(simon, 4, "bonus") == [0.75, 0.0, 0.75, 0.125]


def test_each_world_inherits_its_own(device):
    script = torch.arange(4 * 3).reshape(1, 4, 3).repeat(2, 1, 1)
    world = ScriptedWorld(script, died_TW=[[True], [False]], device=device)
    simon = SimonSays(world, SimonSaysConfig(goals=ITEMS, inherit_probability=1.0))
    act(simon, 2)
    assert simon.world.inventory.tolist() == script[0].tolist()


@pytest.mark.parametrize("probability", [0.5, 0.2])
def test_inheritance_frequency_lies_in_the_binomial_interval(probability, device):
    world_count, episodes = 500, 20
    script = torch.ones(2 * episodes, world_count, 3)
    died = torch.arange(2 * episodes)[:, None] % 2 == 0
    world = ScriptedWorld(script, died_TW=died, device=device)
    settings = SimonSaysConfig(goals=ITEMS, inherit_probability=probability)
    simon = SimonSays(world, settings, seed=7)
    inherited = 0
    for _ in range(episodes):
        act(simon, 2)
        assert simon.restarted.all()
        inherited += int(world.inventory[:, 0].sum())
    draws = world_count * episodes
    deviation = (draws * probability * (1 - probability)) ** 0.5
    assert abs(inherited - draws * probability) < 4 * deviation


def test_start_gives_an_empty_inventory(device):
    simon = scene([(2, 0, 7)], inherit_probability=1.0, device=device)
    act(simon)
    ask_for(simon, "c")
    simon.start()
    assert simon.world.inventory[0].tolist() == [0, 0, 0]
    assert simon.goal.tolist() == [2]
    assert simon.restarted.tolist() == [True]
    assert simon.reward.tolist() == [0.0]

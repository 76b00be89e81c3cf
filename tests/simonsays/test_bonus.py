"""The exploration bonus, fixed and dynamic (paper P7, P8)."""

import math

import numpy as np
import pytest
import torch

from lapis.simonsays.bonus import ExplorationBonus
from tests.simonsays.scenes import act, record, scene

FIXED = {"bonus": "fixed", "bonus_coefficient": 1.0}
DYNAMIC = {"bonus": "dynamic", "bonus_coefficient": 1.0}


def test_nth_unit_pays_half_to_the_n(device):
    simon = scene([(0, 1, 0), (0, 2, 0), (0, 3, 0)], device=device, **FIXED)
    assert record(simon, 3, "bonus") == [0.5, 0.25, 0.125]


def test_stack_that_arrives_at_once_pays_for_each_unit(device):
    # 0.5 + 0.25 + 0.125, then 0.5 ** 4 + 0.5 ** 5.
    simon = scene([(0, 3, 0), (0, 5, 0)], device=device, **FIXED)
    assert record(simon, 2, "bonus") == [0.875, 0.09375]


def test_items_add_up(device):
    simon = scene([(0, 1, 2)], device=device, **FIXED)
    assert record(simon, 1, "bonus") == [0.5 + 0.75]


def test_bonus_is_paid_once_per_new_maximum(device):
    # Held 2, dropped to 0, back to 2, then a third.
    simon = scene([(0, 2, 0), (0, 0, 0), (0, 2, 0), (0, 3, 0)], device=device, **FIXED)
    assert record(simon, 4, "bonus") == [0.75, 0.0, 0.0, 0.125]


def test_maximum_survives_the_end_of_a_task(device):
    script = [(1, 1, 0), (1, 0, 0), (1, 1, 0)]
    simon = scene(script, device=device, **FIXED)
    assert record(simon, 3, "bonus", "task_over") == [(1.0, True), (0.0, False), (0.0, False)]


def test_goal_item_pays_reward_and_bonus(device):
    simon = scene([(1, 0, 0)], bonus="fixed", bonus_coefficient=0.5, device=device)
    assert record(simon, 1, "reward", "goal_reward", "bonus") == [(1.25, 1.0, 0.25)]


def test_coefficient_scales_the_bonus_alone(device):
    simon = scene([(1, 1, 0)], bonus="fixed", bonus_coefficient=0.05, device=device)
    ((reward, goal_reward, bonus),) = record(simon, 1, "reward", "goal_reward", "bonus")
    assert goal_reward == 1.0
    assert bonus == float(np.float32(0.05))
    assert reward == float(np.float32(1.0) + np.float32(0.05))


def test_bonus_in_the_last_step_of_an_episode_is_paid(device):
    simon = scene([(0, 1, 0)], died=[True], device=device, **FIXED)
    assert record(simon, 1, "bonus", "terminated") == [(0.5, True)]


def test_item_that_comes_too_late_for_the_goal_still_pays_its_bonus(device):
    simon = scene([(1, 0, 0)], ticks=13, task_ticks=12, device=device, **FIXED)
    assert record(simon, 1, "goal_reward", "bonus") == [(0.0, 0.5)]


def test_bonus_goals_limits_who_pays(device):
    simon = scene([(0, 1, 0), (0, 1, 1)], bonus_goals=("c",), device=device, **FIXED)
    assert record(simon, 2, "bonus") == [0.0, 0.5]
    assert simon.exploration_set.tolist() == [False, False, True]


def test_items_between_and_beside_the_goals_never_pay(device):
    simon = scene([(1, 9, 1)], goal="c", goals=("c", "a"), device=device, **FIXED)
    assert record(simon, 1, "bonus") == [1.0]
    simon = scene([(9, 9, 1)], goal="c", goals=("c",), device=device, **FIXED)
    assert record(simon, 1, "bonus") == [0.5]


def test_no_bonus_shows_an_empty_exploration_set(device):
    simon = scene([(0, 1, 0)], device=device)
    assert record(simon, 1, "bonus", "reward") == [(0.0, 0.0)]
    assert simon.observation["exploration_set"].tolist() == [False] * 3


def test_all_goals_are_in_the_first_exploration_set(device):
    simon = scene([(0, 1, 0)], device=device, **DYNAMIC)
    assert simon.observation["exploration_set"].tolist() == [True] * 3
    assert record(simon, 1, "bonus") == [0.5]


def test_only_the_exploration_set_pays(device):
    simon = scene([(0, 1, 2)], device=device, **DYNAMIC)
    simon.set_exploration_set([True, False, True])
    assert record(simon, 1, "bonus") == [0.75]
    assert simon.observation["exploration_set"].tolist() == [True, False, True]


def test_set_membership_may_change_within_an_episode(device):
    # The second unit comes while b is out; back in the set, only the third can pay.
    script = [(0, 1, 0), (0, 2, 0), (0, 2, 0), (0, 3, 0)]
    simon = scene(script, device=device, **DYNAMIC)
    paid = record(simon, 1, "bonus")
    simon.set_exploration_set([True, False, True])
    paid += record(simon, 1, "bonus")
    simon.set_exploration_set([True, True, True])
    paid += record(simon, 2, "bonus")
    assert paid == [0.5, 0.0, 0.0, 0.125]


def test_exploration_set_keeps_to_bonus_goals(device):
    simon = scene([(0, 1, 1)], bonus_goals=("b",), device=device, **DYNAMIC)
    simon.set_exploration_set([True, True, True])
    assert simon.exploration_set.tolist() == [False, True, False]
    assert record(simon, 1, "bonus") == [0.5]


@pytest.mark.parametrize("bonus", ["none", "fixed"])
def test_exploration_set_is_constant_without_the_dynamic_bonus(bonus, device):
    simon = scene([(0, 1, 0)], bonus=bonus, device=device)
    with pytest.raises(ValueError, match=f"not '{bonus}'"):
        simon.set_exploration_set([True, True, True])


def test_other_decays_sum_to_their_geometric_series(device):
    # 0.9 + 0.81 + 0.729, then 0.9 ** 4; float32 rounds to about 1e-7.
    simon = scene([(0, 3, 0), (0, 4, 0)], bonus_decay=0.9, device=device, **FIXED)
    assert record(simon, 2, "bonus") == pytest.approx([2.439, 0.6561], abs=2e-6)


def test_shares_are_exact_powers_of_one_half(device):
    inventory = torch.arange(200, dtype=torch.int32, device=device)[None]
    bonus = ExplorationBonus(inventory, list(range(200)), 0.5)
    paid = torch.zeros(1, device=device)
    bonus.pay(torch.ones(1, dtype=torch.bool, device=device), out=paid)
    assert paid.tolist() == [0.0]
    shares = bonus.left_WS[0].tolist()
    assert shares[:127] == [math.ldexp(1.0, -held) for held in range(127)]
    assert shares[127:] == pytest.approx([0.0] * 73, abs=2.0**-126)


def test_huge_stacks_pay_at_most_one_per_item(device):
    simon = scene([(0, 2_000_000_000, 64), (0, 2_000_000_000, 2304)], device=device, **FIXED)
    first, second = record(simon, 2, "bonus")
    assert first == 2.0
    assert 0.0 <= second < 1e-15


def test_second_episode_counts_anew(device):
    script = [(0, 5, 0), (0, 0, 0), (0, 1, 0)]
    simon = scene(script, died=[True, False, False], device=device, **FIXED)
    act(simon, 2)
    assert record(simon, 1, "bonus") == [0.5]

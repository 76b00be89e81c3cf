"""Values against what followed, and at first tools."""

import numpy as np
import pytest

from lapis.inspect.values import (
    bootstrapped_returns,
    changes_at_first,
    first_held,
    fit,
    real_returns,
)
from lapis.minecraft.items import ITEM, ITEMS
from tests.inspect.recordings import a_recording, column

HALF = np.full((4, 1), 0.5, np.float32)


def test_real_returns_add_up_all_rewards_and_end_with_a_value():
    recording = a_recording(4, 1, reward_TW=column(0, 1, 0, 2), value_MW=column(9, 9, 9, 9, 8))
    return_TW, unreal_TW = real_returns(recording, HALF)
    # 2 + 8 / 2 = 6; 6 / 2 = 3; 1 + 3 / 2 = 2.5; 2.5 / 2 = 1.25
    assert return_TW[:, 0].tolist() == pytest.approx([1.25, 2.5, 3.0, 6.0])
    assert unreal_TW[:, 0].tolist() == [1 / 16, 1 / 8, 1 / 4, 1 / 2]


def test_nothing_follows_a_termination():
    recording = a_recording(
        4,
        1,
        reward_TW=column(0, 1, 0, 0),
        value_MW=column(9, 9, 9, 9, 8),
        terminated_TW=column(False, True, False, False),
        restarted_TW=column(False, False, True, False),
    )
    return_TW, unreal_TW = real_returns(recording, HALF)
    assert return_TW[[0, 1, 3], 0].tolist() == pytest.approx([0.5, 1.0, 4.0])
    assert unreal_TW[[0, 1, 3], 0].tolist() == [0.0, 0.0, 0.5]


def test_a_truncated_episode_ends_with_the_value_of_its_last_observation():
    recording = a_recording(
        4,
        1,
        reward_TW=column(0, 1, 0, 5),
        value_MW=column(9, 9, 6, 9, 8),
        truncated_TW=column(False, True, False, False),
        restarted_TW=column(False, False, True, False),
    )
    return_TW, unreal_TW = real_returns(recording, HALF)
    # 1 + 6 / 2 = 4; 4 / 2 = 2
    assert return_TW[:2, 0].tolist() == pytest.approx([2.0, 4.0])
    assert unreal_TW[:2, 0].tolist() == [0.25, 0.5]


def test_bootstrapped_returns_look_no_farther_than_their_window():
    recording = a_recording(4, 1, reward_TW=column(0, 1, 0, 2), value_MW=column(1, 2, 3, 4, 8))
    whole = bootstrapped_returns(recording, HALF, window=2, trace_decay=1.0)
    # Windows end with the values 3 and 8: 1 + 3 / 2, half of it; 2 + 8 / 2, half of it.
    assert whole[:, 0].tolist() == pytest.approx([1.25, 2.5, 3.0, 6.0])
    one_step = bootstrapped_returns(recording, HALF, window=2, trace_decay=0.0)
    assert one_step[:, 0].tolist() == pytest.approx([1.0, 2.5, 2.0, 6.0])


def test_a_last_window_may_be_shorter():
    recording = a_recording(4, 1, reward_TW=column(0, 1, 0, 2), value_MW=column(1, 2, 3, 4, 8))
    found = bootstrapped_returns(recording, HALF, window=3, trace_decay=1.0)
    # 4 / 2 = 2; 1 + 2 / 2 = 2; 2 / 2 = 1; and 2 + 8 / 2.
    assert found[:, 0].tolist() == pytest.approx([1.0, 2.0, 2.0, 6.0])


def test_the_fit_is_the_share_of_the_variance_that_is_explained():
    returns = np.array([[0.0], [2.0], [0.0], [2.0], [50.0]], np.float32)
    values = np.array([[1.0], [3.0], [1.0], [3.0], [0.0]], np.float32)
    first = np.array([[1], [1], [1], [1], [0]], bool)
    assert fit(values, returns, first) == 1.0  # constantly too high
    assert fit(np.ones_like(values), returns, first) == 0.0
    # Errors -1, 1, 0, 0 have variance 1 / 2, returns 1.
    wrong = np.array([[1.0], [1.0], [0.0], [2.0], [0.0]], np.float32)
    assert fit(wrong, returns, first) == 0.5
    assert fit(values, returns, np.zeros_like(first)) is None


def test_an_item_is_first_held_once_per_episode_if_it_was_not_there_from_the_start():
    #           gained, lost, gained again | new episode with one | lost, gained again
    has = column(0, 1, 0, 1, 1, 0, 1) > 0
    restarted = column(False, False, False, True, False, False)
    assert first_held(has, restarted)[:, 0].tolist() == [True] + [False] * 5
    # Without it from the start of the second episode:
    has[4:5] = False
    found = first_held(has, restarted)[:, 0].tolist()
    assert found == [True, False, False, False, False, True]


def test_the_change_of_value_is_taken_where_the_task_goes_on():
    pickaxe = ITEM["stone_pickaxe"]
    inventory = np.zeros((3, 4, len(ITEMS)), int)
    inventory[1:, :, pickaxe] = 1
    recording = a_recording(
        2,
        4,
        inventory_MWI=inventory,
        goal_TW=[[0, 1, 1, 0], [0, 0, 0, 0]],
        value_MW=[[0.1, 0.2, 0.1, 0.0], [0.4, 0.1, 0.9, 0.7], [5.0, 5.0, 5.0, 5.0]],
        task_over_TW=[[False, False, True, False], [False] * 4],
        terminated_TW=[[False, False, False, True], [False] * 4],
    )
    found = changes_at_first(recording, pickaxe, np.array([False, True]))
    # +0.3 and -0.1; the third world's task ended with it, the fourth's episode.
    assert found == {
        "count": 2,
        "change": pytest.approx(0.1),
        "needed_count": 1,
        "needed_change": pytest.approx(-0.1),
    }


def test_an_item_that_nobody_gains_changes_nothing():
    found = changes_at_first(a_recording(2, 1), ITEM["iron_pickaxe"], np.array([True]))
    nothing = {"count": 0, "change": None, "needed_count": 0, "needed_change": None}
    assert found == nothing


def test_returns_that_hardly_vary_have_no_fit():
    everywhere = np.ones((2, 1), bool)
    values = column(0.1, 0.4)
    assert fit(values, column(0.5, 0.5), everywhere) is None
    # Rounding is no spread: this was a fit of -2e10.
    assert fit(values, column(0.5, 0.500002), everywhere) is None
    # Errors lie 0.13 from their mean, returns 0.02.
    assert fit(values, column(0.5, 0.54), everywhere) == pytest.approx(1 - (0.13 / 0.02) ** 2)

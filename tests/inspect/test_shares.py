"""Where the time goes."""

import numpy as np
import pytest

from lapis.inspect.activity import by_group, shares, weighted_share
from lapis.minecraft.items import ITEM, ITEMS
from tests.inspect.recordings import a_recording


def test_shares_are_of_the_time_and_not_of_the_steps():
    category = np.array([[0, 2], [2, 0]])
    time = np.array([[4, 60], [0, 16]])
    assert shares(category, time, 4).tolist() == [0.25, 0.0, 0.75, 0.0]


def test_a_share_of_no_time_is_unknown():
    assert weighted_share(np.array([[True]]), np.array([[0]])) is None
    assert weighted_share(np.array([[True, False]]), np.array([[1, 3]])) == 0.25


def test_groups_tell_what_is_done_while_they_are_asked_for():
    stone, wooden = ITEM["stone_pickaxe"], ITEM["wooden_pickaxe"]
    inventory = np.zeros((5, 1, len(ITEMS)), int)
    inventory[1, 0, wooden] = 1
    recording = a_recording(
        4,
        1,
        # The second goal is of the group `iron`, the others are of `surface`; `gold` is not asked.
        goal_TW=[[0], [1], [1], [2]],
        ticks_TW=[[10], [60], [20], [10]],
        inventory_MWI=inventory,
        hand_TW=[[-1], [wooden], [-1], [-1]],
        depth_TW=[[0.0], [1.0], [0.5], [30.0]],
        task_over_TW=[[True], [False], [True], [False]],
        task_succeeded_TW=[[True], [False], [False], [False]],
        restarted_TW=[[False], [False], [False], [True]],
    )
    surface, iron = by_group(
        recording, np.array([0, 2, 0]), ["surface", "gold", "iron"], [wooden, stone]
    )
    # The last step only began an episode: 90 ticks were played.
    assert surface == {
        "group": "surface",
        "time": pytest.approx(1 / 9),
        "ended": 1,
        "solved": 1,
        "no_pickaxe": 1.0,
        "bare_hand": 1.0,
        "underground": 0.0,
    }
    assert iron == {
        "group": "iron",
        "time": pytest.approx(8 / 9),
        "ended": 1,
        "solved": 0,
        "no_pickaxe": 0.25,
        "bare_hand": 0.25,
        "underground": 0.75,
    }

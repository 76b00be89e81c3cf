"""The scripted player: the goals can be reached, in time, by allowed actions alone."""

import numpy as np
import pytest

from lapis.minecraft.goals import GOALS, IMPOSSIBLE
from lapis.worlds.techtree import ACTION, TechTreeWorld
from lapis.worlds.techtree.expert import Senses, attempt, log_budget, next_action
from tests.worlds.techtree.scenes import Scene


@pytest.fixture(scope="module")
def ticks() -> np.ndarray:
    """Ticks to each goal, shape (goal, world)."""
    worlds = 20
    return attempt([goal for goal in GOALS for _ in range(worlds)], seed=5).reshape(-1, worlds)


def test_100_goals_or_more_are_reached_in_a_fifth_of_the_worlds(ticks):
    # `attempt` ends with a check of the fault bits: every action was allowed.
    often = (ticks >= 0).mean(axis=1) >= 0.2
    assert often.sum() >= 100, [goal for goal, can in zip(GOALS, often, strict=True) if not can]


def test_every_group_up_to_diamond_is_reached_in_time(ticks):
    median = {
        goal: np.median(row[row >= 0])
        for goal, row in zip(GOALS, ticks, strict=True)
        if (row >= 0).any()
    }
    for goal in ("planks", "stone", "coal", "iron_pickaxe", "dye", "redstone", "gold_ingot"):
        assert median[goal] <= 6000
    assert median["diamond_pickaxe"] <= 6000
    # One held attack of 24 ticks breaks a block of soil in 15 and starts on the next.
    assert median["dirt"] == 24


def test_harder_goals_take_longer(ticks):
    median = {g: np.median(r[r >= 0]) for g, r in zip(GOALS, ticks, strict=True) if (r >= 0).any()}
    chain = ("log", "crafting_table", "wooden_pickaxe", "cobblestone", "stone", "iron_pickaxe")
    times = [median[goal] for goal in chain]
    assert times == sorted(times)


@pytest.mark.parametrize("goal", IMPOSSIBLE)
def test_the_impossible_goals_have_no_plan(goal):
    with pytest.raises(ValueError, match="cannot be obtained"):
        log_budget(goal)


@pytest.mark.parametrize(
    ("goal", "logs"),
    [
        ("planks", 1),
        # A wooden pickaxe is 3 planks and 2 sticks: 1 log. Four tables are left behind.
        ("cobblestone", 1 + 4),
        # Sticks of two more pickaxes: half a log; 3 smelts burn 2 planks: another half.
        ("diamond", 2 + 10),
    ],
)
def test_wood_is_gathered_for_the_whole_plan(goal, logs):
    assert log_budget(goal) == logs


@pytest.mark.parametrize(
    ("item", "height", "action"),
    [
        ("cobblestone", 64, "dig down"),
        ("coal", 49, "move on"),
        ("iron_ore", 49, "move on"),
        ("dye", 19, "dig down"),
        ("dye", 4, "move on"),
        ("gold_ore", 34, "dig down"),
        ("gold_ore", 19, "move on"),
        ("gold_ore", 4, "move on"),
        ("redstone", 19, "dig down"),
        ("redstone", 4, "move on"),
        ("diamond", 19, "dig down"),
        ("diamond", 4, "move on"),
    ],
)
def test_it_digs_down_to_where_the_ore_lies_and_looks_for_it_there(item, height, action):
    items = {"iron_pickaxe": 1, "log": 20}
    scene = Scene(inventory=items, hand="iron_pickaxe", height=height)
    assert next_action(Senses(scene.world, 0), item) == ACTION[action]


def test_a_log_by_hand_takes_at_least_60_ticks():
    assert attempt(["log"] * 20, seed=1).min() >= 60


def test_time_that_runs_out_is_a_failure():
    assert attempt(["diamond"], seed=1, limit_ticks=100).tolist() == [-1]


def test_an_unknown_goal_is_refused():
    with pytest.raises(ValueError, match="nonsense"):
        attempt(["nonsense"])


def test_with_a_log_in_hand_planks_are_one_craft_away():
    world = TechTreeWorld(1)
    view = Senses(world, 0)
    view.inventory[:] = 0
    view.inventory[GOALS.index("log")] = 2
    assert next_action(view, "planks") == ACTION["craft planks"]

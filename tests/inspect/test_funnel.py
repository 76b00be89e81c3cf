"""The way from empty hands to a goal."""

import numpy as np

from lapis.inspect.activity import chain, first_moments, funnel
from lapis.minecraft.items import ITEM, ITEMS
from tests.inspect.recordings import a_recording


def test_a_chain_goes_from_the_bottom_of_the_tech_tree_to_the_goal():
    assert chain("log") == ("log",)
    assert chain("stone_pickaxe") == (
        "log",
        "planks",
        "stick",
        "crafting_table",
        "wooden_pickaxe",
        "cobblestone",
        "stone_pickaxe",
    )


def test_the_first_moment_counts_within_the_first_task_alone():
    held_MW = np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0], [1, 1, 0]], bool)
    over_TW = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]], bool)
    # The second world holds it in its second task only, the third never.
    assert first_moments(held_MW, over_TW).tolist() == [2, -1, -1]


def test_what_comes_with_the_end_of_the_task_belongs_to_it():
    held_MW = np.array([[0], [0], [1], [1]], bool)
    over_TW = np.array([[0], [1], [0]], bool)
    assert first_moments(held_MW, over_TW).tolist() == [2]


def test_shares_and_medians_are_of_the_worlds_that_were_asked():
    inventory = np.zeros((5, 4, len(ITEMS)), int)
    inventory[1:, 0, ITEM["log"]] = 1
    inventory[3:, 1, ITEM["log"]] = 1
    inventory[4:, 1, ITEM["planks"]] = 1
    inventory[1:, 3, ITEM["planks"]] = 9  # was asked for something else
    over = np.zeros((4, 4), bool)
    over[3, :2] = True
    goals = np.tile([7, 7, 7, 0], (4, 1))
    ticks = np.full((4, 4), 4)
    ticks[0, 1] = 60
    recording = a_recording(
        4, 4, inventory_MWI=inventory, goal_TW=goals, task_over_TW=over, ticks_TW=ticks
    )
    found = funnel(recording, 7, ("log", "planks", "stick"))
    assert (found["worlds"], found["unfinished"]) == (3, 1)
    log, planks, stick = found["items"]
    # After 1 step of 4 ticks, and after 3 steps of 60, 4 and 4 ticks: 0.2 and 3.4 seconds.
    assert log == {"item": "log", "share": 2 / 3, "median_step": 2.0, "median_seconds": 1.8}
    assert planks == {"item": "planks", "share": 1 / 3, "median_step": 4, "median_seconds": 3.6}
    nobody = {"item": "stick", "share": 0.0, "median_step": None, "median_seconds": None}
    assert stick == nobody

"""What a person is told about a goal."""

import numpy as np
import pytest

from lapis.minecraft.goals import GOALS
from lapis.minecraft.items import ITEM, ITEMS
from lapis.play.hints import Hint, hint_for
from lapis.worlds.planning import Holdings


def told(goal: str, *near: str, hand: str = "", burn: int = 0, **held: int) -> Hint:
    inventory = np.zeros(len(ITEMS), int)
    for name, count in held.items():
        inventory[ITEM[name]] = count
    holdings = Holdings(inventory=inventory, stations=frozenset(near), burn=burn)
    return hint_for(goal, holdings, hand)


def parts(hint: Hint) -> dict[str, tuple[int, int]]:
    """Needed and held, by name."""
    return {part.name: (part.need, part.have) for part in hint.parts}


def test_a_recipe_lists_ingredients_and_station_with_what_is_held():
    hint = told("wooden_shovel", planks=3)
    assert hint.how == "Craft it near a crafting table."
    assert parts(hint) == {"planks": (1, 3), "stick": (2, 0), "crafting_table": (1, 0)}
    assert hint.next == "Craft stick."


def test_a_station_counts_when_it_is_held_or_near():
    hint = told("wooden_shovel", planks=1, stick=2, crafting_table=1)
    assert parts(hint)["crafting_table"] == (1, 1)
    assert hint.next == "Place crafting table."
    hint = told("wooden_shovel", "crafting_table", planks=1, stick=2)
    assert parts(hint)["crafting_table"] == (1, 1)
    assert hint.next == "Craft wooden shovel."


def test_what_needs_no_table_is_crafted_anywhere():
    hint = told("planks", log=1)
    assert (hint.how, hint.next) == ("Craft it anywhere. One craft makes 4.", "Craft planks.")
    assert parts(hint) == {"log": (1, 1)}


def test_the_first_step_towards_a_far_goal_is_told():
    hint = told("diamond_boots")
    assert parts(hint) == {"diamond": (4, 0), "crafting_table": (1, 0)}
    assert hint.next == "Dig the trunk of any tree."


def test_of_several_recipes_the_one_that_can_be_paid_is_told():
    assert parts(told("torch", stick=1)) == {"coal": (1, 0), "stick": (1, 1)}
    assert parts(told("torch", stick=1, charcoal=1)) == {"charcoal": (1, 1), "stick": (1, 1)}


def test_smelting_takes_a_furnace_and_fuel():
    hint = told("iron_ingot", iron_ore=2)
    assert hint.how == "Smelt it near a furnace. Wood and coal burn."
    assert parts(hint) == {"iron_ore": (1, 2), "furnace": (1, 0), "fuel": (1, 0)}
    hint = told("iron_ingot", "furnace", iron_ore=1, planks=2, coal=1)
    assert parts(hint)["fuel"] == (1, 3)
    assert hint.next == "Smelt iron ingot."
    assert parts(told("iron_ingot", "furnace", iron_ore=1, burn=200))["fuel"] == (1, 1)


@pytest.mark.parametrize(
    ("goal", "how"),
    [
        ("dirt", "Dig grass or dirt. Bare hands will do."),
        ("log", "Dig the trunk of any tree. Bare hands will do."),
        ("sapling", "Dig leaves, many of them. Bare hands will do."),
        ("cobblestone", "Dig stone. It takes a wooden pickaxe or a better one."),
        ("diamond", "Dig diamond ore, below height 16. It takes an iron pickaxe or a better one."),
    ],
)
def test_what_is_dug_says_where_and_with_what(goal, how):
    assert told(goal).how == how


def test_a_tool_must_be_in_hand():
    assert told("cobblestone", wooden_pickaxe=1).next == "Equip wooden pickaxe. Dig stone."
    assert told("cobblestone", hand="wooden_pickaxe", wooden_pickaxe=1).next == "Dig stone."
    # A better one will do, and counts as the part that is needed.
    hint = told("cobblestone", hand="iron_pickaxe", iron_pickaxe=1)
    assert (parts(hint), hint.next) == ({"wooden_pickaxe": (1, 1)}, "Dig stone.")


def test_one_more_is_wanted_of_what_is_held():
    assert told("planks", planks=10).next == "Dig the trunk of any tree."


def test_every_goal_has_a_hint_for_empty_hands():
    for goal in GOALS:
        hint = told(goal)
        assert hint.how.endswith("."), goal
        assert "_" not in hint.how + hint.next, goal
        # From nothing, everything but dirt and saplings begins with a tree.
        if goal not in ("dirt", "sapling"):
            assert hint.next == "Dig the trunk of any tree.", goal

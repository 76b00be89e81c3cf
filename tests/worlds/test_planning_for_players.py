"""What scripted players do next: hand-made situations."""

import numpy as np
import pytest

from lapis.minecraft.goals import GOALS, IMPOSSIBLE
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.planner import Action
from lapis.worlds.planning import (
    Holdings,
    PlayStyle,
    Task,
    bill_of,
    least_pickaxe,
    next_task,
)

CARRIES_COAL = PlayStyle(fuels=("coal",), stokes_ahead=True, spares_pickaxe=True)
BURNS_WOOD = PlayStyle(fuels=("planks", "coal", "log"), stokes_ahead=False, spares_pickaxe=False)


def holdings(*stations: str, burn: int = 0, **counts: int) -> Holdings:
    inventory = np.zeros(len(ITEMS), np.int32)
    for name, count in counts.items():
        inventory[ITEM[name]] = count
    return Holdings(inventory=inventory, stations=frozenset(stations), burn=burn)


@pytest.mark.parametrize(
    ("goal", "held", "task"),
    [
        ("planks", holdings(), Task(Action.GATHER, "log")),
        ("planks", holdings(log=1), Task(Action.CRAFT, "planks")),
        # Success is one more than is held.
        ("planks", holdings(planks=4), Task(Action.GATHER, "log")),
        ("stick", holdings(log=1), Task(Action.CRAFT, "planks")),
        # A pickaxe of 3 planks and 2 sticks, beside a table of 4 planks.
        ("wooden_pickaxe", holdings(planks=3, stick=2), Task(Action.GATHER, "log")),
        ("wooden_pickaxe", holdings(planks=7, stick=2), Task(Action.CRAFT, "crafting_table")),
        (
            "wooden_pickaxe",
            holdings(planks=3, stick=2, crafting_table=1),
            Task(Action.PLACE, "crafting_table"),
        ),
        (
            "wooden_pickaxe",
            holdings("crafting_table", planks=3, stick=2),
            Task(Action.CRAFT, "wooden_pickaxe"),
        ),
        ("cobblestone", holdings(wooden_pickaxe=1), Task(Action.GATHER, "cobblestone")),
        ("cobblestone", holdings(diamond_pickaxe=1), Task(Action.GATHER, "cobblestone")),
        # Ore first, then fuel, then the furnace, without the ore or coal it is to burn.
        ("iron_ingot", holdings(stone_pickaxe=1), Task(Action.GATHER, "iron_ore")),
        ("iron_ingot", holdings(stone_pickaxe=1, iron_ore=1), Task(Action.GATHER, "coal")),
        (
            "iron_ingot",
            holdings(iron_ore=1, coal=1, cobblestone=8, crafting_table=1),
            Task(Action.PLACE, "crafting_table"),
        ),
        (
            "iron_ingot",
            holdings("crafting_table", iron_ore=1, coal=1, cobblestone=8),
            Task(Action.CRAFT, "furnace"),
        ),
        ("iron_ingot", holdings(iron_ore=1, coal=1, furnace=1), Task(Action.PLACE, "furnace")),
        ("iron_ingot", holdings("furnace", iron_ore=1, coal=1), Task(Action.SMELT, "iron_ingot")),
        ("iron_ingot", holdings("furnace", iron_ore=1, burn=200), Task(Action.SMELT, "iron_ingot")),
        # 9 ingots take 1800 ticks, a lump of coal burns 1600.
        (
            "iron_block",
            holdings("furnace", stone_pickaxe=1, iron_ore=9, coal=1),
            Task(Action.GATHER, "coal"),
        ),
        (
            "iron_block",
            holdings("furnace", iron_ore=9, coal=1, burn=200),
            Task(Action.SMELT, "iron_ingot"),
        ),
        # A stone pickaxe spares the iron one, if it costs no way back to the trees.
        ("diamond", holdings(iron_pickaxe=1), Task(Action.GATHER, "diamond")),
        (
            "diamond",
            holdings("crafting_table", iron_pickaxe=1, cobblestone=3, stick=2),
            Task(Action.CRAFT, "stone_pickaxe"),
        ),
        (
            "diamond",
            holdings(iron_pickaxe=1, stone_pickaxe=1, cobblestone=3, stick=2),
            Task(Action.GATHER, "diamond"),
        ),
    ],
)
def test_the_next_task(goal, held, task):
    assert next_task(goal, held, CARRIES_COAL) == task


@pytest.mark.parametrize(
    ("goal", "held", "task"),
    [
        # The furnace comes first, then fuel for one smelt: any wood will do.
        ("stone", holdings(cobblestone=9, wooden_pickaxe=1), Task(Action.GATHER, "log")),
        ("stone", holdings(cobblestone=1, furnace=1), Task(Action.PLACE, "furnace")),
        ("stone", holdings("furnace", cobblestone=1), Task(Action.GATHER, "log")),
        ("stone", holdings("furnace", cobblestone=1, log=1), Task(Action.SMELT, "stone")),
        ("stone", holdings("furnace", cobblestone=1, burn=200), Task(Action.SMELT, "stone")),
        ("stone", holdings("furnace", cobblestone=1, burn=199), Task(Action.GATHER, "log")),
        (
            "diamond",
            holdings("crafting_table", iron_pickaxe=1, cobblestone=3, stick=2),
            Task(Action.GATHER, "diamond"),
        ),
    ],
)
def test_the_next_task_in_another_style(goal, held, task):
    assert next_task(goal, held, BURNS_WOOD) == task


@pytest.mark.parametrize("style", [CARRIES_COAL, BURNS_WOOD])
def test_every_goal_has_a_plan_that_comes_to_an_end(style):
    for goal in GOALS:
        held = holdings("crafting_table", "furnace")
        asked = []
        while goal not in asked:
            assert len(asked) < 500, f"no end to the plan for {goal}"
            asked.append(next_task(goal, held, style).item)
            # A generous world: everything that is asked for comes 64 at a time.
            held.inventory[ITEM[asked[-1]]] += 64


def test_impossible_goals_have_no_plan():
    for goal in IMPOSSIBLE:
        with pytest.raises(ValueError, match="cannot be obtained"):
            bill_of(goal)


def test_unknown_items_are_refused():
    with pytest.raises(ValueError, match="nonsense"):
        next_task("nonsense", holdings(), CARRIES_COAL)
    with pytest.raises(ValueError, match="nonsense"):
        bill_of("nonsense")


@pytest.mark.parametrize(
    ("item", "tool"),
    [
        ("dirt", None),
        ("log", None),
        ("cobblestone", "wooden_pickaxe"),
        ("coal", "wooden_pickaxe"),
        ("iron_ore", "stone_pickaxe"),
        ("dye", "stone_pickaxe"),
        ("gold_ore", "iron_pickaxe"),
        ("redstone", "iron_pickaxe"),
        ("diamond", "iron_pickaxe"),
        ("obsidian", "diamond_pickaxe"),
    ],
)
def test_the_least_pickaxe(item, tool):
    assert least_pickaxe(item) == tool


def test_a_bill_by_hand():
    # 2 sticks are half a craft of 2 planks; 4 planks are a log.
    assert bill_of("cobblestone") == {
        "cobblestone": 1,
        "wooden_pickaxe": 1,
        "planks": 3 + 1,
        "log": 1,
        "stick": 2,
        "crafting_table": 0,
    }
    assert bill_of("stone", "wooden_pickaxe") == {
        "wooden_pickaxe": 0,
        "stone": 1,
        "cobblestone": 1,
        "furnace": 0,
    }

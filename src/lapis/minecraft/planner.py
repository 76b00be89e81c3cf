"""What can be obtained from nothing, and a plan for each goal.

`obtainable` does not use the goals: it starts from an empty inventory and natural blocks and adds
what digging, crafting and smelting give until nothing new turns up. `plan` lists steps with counts
for one goal, and `least_ticks` the time they take if everything is within reach.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from math import ceil

from lapis.minecraft.blocks import DROP_CHANCE, DROP_ITEM, DROP_MAX, DROP_MIN, NATURAL, Block
from lapis.minecraft.digging import dig_ticks, harvests
from lapis.minecraft.goals import ALL_PREREQUISITES, DEPTH, GOALS, HOW, PREREQUISITES
from lapis.minecraft.items import ITEM, ITEMS, item_index
from lapis.minecraft.recipes import RECIPES, Station, recipes_for
from lapis.minecraft.smelting import BURN_TICKS, SMELT_TICKS, SMELTS
from lapis.minecraft.tools import TOOLS

FUEL = "planks"
"""What plans burn; a player with a furnace has found wood before."""

STATION_ITEM: dict[Station, str] = {Station.TABLE: "crafting_table", Station.FURNACE: "furnace"}
"""What is placed to have a station."""


class Action(IntEnum):
    """What a step of a plan does."""

    NONE = 0
    GATHER = 1
    """Dig until `count` items are gathered, holding the tool `using`."""
    CRAFT = 2
    """Craft `count` times, beside the station `using`; each gives the recipe's number of items."""
    PLACE = 3
    """Place the station where the following steps happen."""
    SMELT = 4
    """Smelt `count` items beside the station `using`; the fuel is in the inventory."""


@dataclass(frozen=True)
class Step:
    """One step of a plan."""

    action: Action
    item: str
    count: int
    using: str | None = None
    """Tool or station; None where bare hands are enough."""

    def __str__(self) -> str:
        using = f" ({self.using})" if self.using else ""
        return f"{self.action.name.lower()} {self.item} x{self.count}{using}"


def obtainable() -> frozenset[str]:
    """Every item that can be obtained, starting from an empty inventory."""
    held: frozenset[str] = frozenset()
    while new := _one_step_away(held) - held:
        held |= new
    return held


def plan(goal: str) -> tuple[Step, ...]:
    """Steps that lead from an empty inventory to one `goal` item.

    Each item is made in one go, from the bottom of the tech tree up, including tools, stations and
    fuel; leftovers are used. Stations are placed once. Each item is made by its first recipe.

    Raises:
        ValueError: `goal` cannot be obtained or is not a goal.
    """
    if goal not in GOALS:
        raise ValueError(f"goal={goal!r} cannot be planned; lapis.minecraft.goals.GOALS lists all")
    needed = sorted(ALL_PREREQUISITES[goal] | {goal}, key=lambda name: (DEPTH[name], ITEM[name]))
    demand = _demand(needed)
    steps: list[Step] = []
    for name in needed:
        steps.append(_step(name, demand[name]))
        if name in STATION_ITEM.values() and name != goal:
            steps.append(Step(Action.PLACE, name, 1))
    return tuple(steps)


def least_ticks(steps: tuple[Step, ...]) -> int:
    """Game ticks [50 ms] of digging and smelting in `steps`, on average.

    No walking, no search, one furnace; every item comes from the block that yields it fastest.
    """
    ticks = 0.0
    for step in steps:
        if step.action == Action.GATHER:
            ticks += step.count * _ticks_per_item(step.item, step.using)
        elif step.action == Action.SMELT:
            ticks += step.count * SMELT_TICKS
    return ceil(ticks)


def needed_at_once(goal: str) -> dict[str, int]:
    """For each prerequisite of a goal, the most that a single step toward it needs in hand.

    Stations and tools count once. Empty for goals that cannot be obtained, or are of other games.
    """
    needed = dict.fromkeys(ALL_PREREQUISITES.get(goal, ()), 1)
    for name in (goal, *needed):
        if HOW.get(name) == "craft":
            for ingredient, count in recipes_for(name)[0].ingredients.items():
                needed[ingredient] = max(needed[ingredient], count)
    return needed


def source_blocks(item: str) -> tuple[Block, ...]:
    """Natural blocks that may drop `item`.

    Raises:
        ValueError: `item` is not an item.
    """
    index = item_index(item)
    return tuple(block for block in Block if NATURAL[block] and index in DROP_ITEM[block])


_SMELT_INPUT = {smelt.output: smelt.input for smelt in SMELTS}


def _one_step_away(held: frozenset[str]) -> set[str]:
    """What can be dug, crafted or smelted by a player with plenty of each item in `held`."""
    hands = [None, *(name for name in held if name in TOOLS)]
    found = {
        name
        for name in ITEMS
        if any(harvests(block, hand) for block in source_blocks(name) for hand in hands)
    }
    stations = {Station.NONE, *(s for s, name in STATION_ITEM.items() if name in held)}
    for recipe in RECIPES:
        if recipe.ingredients.keys() <= held and recipe.station in stations:
            found.add(recipe.output)
    if Station.FURNACE in stations and any(BURN_TICKS[ITEM[name]] for name in held):
        found |= {smelt.output for smelt in SMELTS if smelt.input in held}
    return found


def _demand(needed: list[str]) -> Counter[str]:
    """Items to obtain of each of `needed`, whose last is the goal and which are sorted by depth."""
    demand = Counter({needed[-1]: 1})
    for name in needed:
        if name in TOOLS or name in STATION_ITEM.values():
            demand[name] = 1
    for name in reversed(needed):
        if HOW[name] == "craft":
            recipe = recipes_for(name)[0]
            crafts = ceil(demand[name] / recipe.count)
            for ingredient, count in recipe.ingredients.items():
                demand[ingredient] += crafts * count
        elif HOW[name] == "smelt":
            demand[_SMELT_INPUT[name]] += demand[name]
            # A fire goes out between two smelts, so each is lit anew.
            demand[FUEL] += ceil(demand[name] * SMELT_TICKS / BURN_TICKS[ITEM[FUEL]])
    return demand


def _step(name: str, count: int) -> Step:
    """The step that obtains `count` of an item whose prerequisites are at hand."""
    if HOW[name] == "smelt":
        return Step(Action.SMELT, name, count, STATION_ITEM[Station.FURNACE])
    if HOW[name] == "craft":
        recipe = recipes_for(name)[0]
        station = STATION_ITEM.get(recipe.station)
        return Step(Action.CRAFT, name, ceil(count / recipe.count), station)
    tool = next((tool for tool in PREREQUISITES[name] if tool in TOOLS), None)
    return Step(Action.GATHER, name, count, tool)


def _ticks_per_item(item: str, tool: str | None) -> float:
    """Mean digging ticks for one item, from the block that yields it fastest."""
    index = ITEM[item]
    times = []
    for block in source_blocks(item):
        outcome = list(DROP_ITEM[block]).index(index)
        mean = DROP_CHANCE[block, outcome] * (DROP_MIN[block, outcome] + DROP_MAX[block, outcome])
        times.append(dig_ticks(block, tool) / (float(mean) / 2))
    return min(times)

"""A scripted player that knows the tech tree: it shows that goals can be reached, and how fast.

It plays through the actions alone and reads the state that a player sees. It gathers wood for the
whole plan first, then digs down to where the next ore lies, and makes what it needs on the way.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from lapis.minecraft.items import ITEM, ITEMS, item_index
from lapis.minecraft.recipes import RECIPES, Recipe, Station
from lapis.minecraft.smelting import BURN_TICKS, SMELT_TICKS, SMELTS
from lapis.worlds.techtree.actions import ACTION, TOOL_ITEMS, Reach
from lapis.worlds.techtree.config import SURFACE, TechTreeConfig
from lapis.worlds.techtree.world import TechTreeWorld

_RECIPE: dict[str, Recipe] = {recipe.output: recipe for recipe in reversed(RECIPES)}
_SMELT_INPUT = {smelt.output: smelt.input for smelt in SMELTS}
_MINED: dict[str, tuple[Reach, str | None, int]] = {
    # item: what to gather, the least pickaxe, the highest level where it lies dense. Lapis is
    # 2.15 times as dense from 4 on as from 19 on; gold only a sixth denser, and there is lava.
    "dirt": (Reach.DIRT, None, SURFACE),
    "sapling": (Reach.LEAVES, None, SURFACE),
    "log": (Reach.LOG, None, SURFACE),
    "cobblestone": (Reach.STONE, "wooden_pickaxe", 49),
    "coal": (Reach.COAL_ORE, "wooden_pickaxe", 49),
    "iron_ore": (Reach.IRON_ORE, "stone_pickaxe", 49),
    "dye": (Reach.LAPIS_ORE, "stone_pickaxe", 4),
    "redstone": (Reach.REDSTONE_ORE, "iron_pickaxe", 4),
    "gold_ore": (Reach.GOLD_ORE, "iron_pickaxe", 19),
    "diamond": (Reach.DIAMOND_ORE, "iron_pickaxe", 4),
}
_PICKAXES = ("wooden_pickaxe", "stone_pickaxe", "iron_pickaxe", "diamond_pickaxe")
_SHALLOW_TABLES = 4
"""Logs for crafting tables that a plan leaves behind between the surface and the first iron."""
_DEEP_TABLES = 10
"""The same where an iron pickaxe leads further down: the way back for more wood is long."""


@dataclass(frozen=True)
class View:
    """What the expert sees of one world."""

    inventory: np.ndarray
    reach: np.ndarray
    height: int
    hand: int
    burn: int

    @classmethod
    def of(cls, world: TechTreeWorld, row: int) -> View:
        """What the player of one world sees; the world lives on the CPU."""
        state = world.state
        return cls(
            inventory=state.inventory[row].numpy(),
            reach=state.reach[row].numpy(),
            height=int(state.height[row]),
            hand=int(state.hand[row]),
            burn=int(state.burn[row]),
        )

    def count(self, item: str) -> int:
        """Items held."""
        return int(self.inventory[ITEM[item]])


def attempt(
    goals: Sequence[str],
    *,
    seed: int = 0,
    limit_ticks: int = 6000,
    config: TechTreeConfig | None = None,
) -> np.ndarray:
    """Plays one world for each of `goals`, from an empty inventory, with one try.

    Returns:
        Game ticks until the goal was held, -1 where the player died or the time ran out, int64 of
        shape (goal,).
    """
    world = TechTreeWorld(len(goals), seed=seed, config=config)
    columns = np.array([item_index(goal) for goal in goals])
    clock = np.zeros(len(goals), np.int64)
    finished = np.full(len(goals), -1, np.int64)
    playing = np.ones(len(goals), bool)
    while playing.any():
        action = np.zeros((len(goals), 1), np.int32)
        for row in np.flatnonzero(playing).tolist():
            action[row] = next_action(View.of(world, row), goals[row])
        # Who is done goes on walking; nobody looks.
        world.step(torch.from_numpy(action))
        clock += world.ticks.numpy()
        held = world.inventory.numpy()[np.arange(len(goals)), columns] > 0
        won = playing & held & (clock <= limit_ticks)
        finished[won] = clock[won]
        playing &= ~held & ~world.died.numpy() & (clock < limit_ticks)
    world.check()
    return finished


def next_action(view: View, goal: str) -> int:
    """The action that brings `goal` nearer, as the number of an action that is allowed now."""
    logs = log_budget(goal) - _wood_in_hand(view)
    if logs > 0 and view.height == SURFACE and goal not in ("dirt", "sapling"):
        return _mine(view, "log")
    # One more than is held, because success is a rise.
    return _obtain(view, goal, view.count(goal) + 1)


@functools.cache
def log_budget(goal: str) -> int:
    """Logs to gather before going underground."""
    bill: dict[str, float] = {}
    _add_cost(goal, 1, bill)
    underground = any(item in bill for item in _MINED if item not in ("dirt", "sapling", "log"))
    smelted = sum(bill.get(output, 0) for output in _SMELT_INPUT)
    fuel_planks = math.ceil(smelted * SMELT_TICKS / BURN_TICKS[ITEM["planks"]])
    tables = 0
    if "crafting_table" in bill:
        tables = 1
        if underground:
            tables = _DEEP_TABLES if "iron_pickaxe" in bill else _SHALLOW_TABLES
    return math.ceil(bill.get("log", 0) + fuel_planks / 4) + tables


def _add_cost(item: str, count: float, bill: dict[str, float]) -> None:
    """Adds what `count` of an item cost, tools included once, stations left to `log_budget`."""
    bill[item] = bill.get(item, 0) + count
    if item in _RECIPE:
        recipe = _RECIPE[item]
        for ingredient, number in recipe.ingredients.items():
            # Wood is counted in fractions: what is left of one craft serves the next.
            _add_cost(ingredient, number * count / recipe.count, bill)
        if recipe.station == Station.TABLE:
            bill.setdefault("crafting_table", 0)
    elif item in _SMELT_INPUT:
        _add_cost(_SMELT_INPUT[item], count, bill)
        bill.setdefault("furnace", 0)
    else:
        tool = _MINED[item][1]
        if tool is not None and tool not in bill:
            _add_cost(tool, 1, bill)


def _wood_in_hand(view: View) -> int:
    """Logs' worth of wood that is held or has gone into tools."""
    spent = sum(1.5 for tool in _PICKAXES if view.count(tool)) + view.count("crafting_table")
    wood = view.count("log") + view.count("planks") / 4 + view.count("stick") / 8
    return int(wood + spent)


def _obtain(view: View, item: str, count: int) -> int:
    """The next action towards holding `count` of an item; the caller knows that it holds less."""
    missing = count - view.count(item)
    if item in _RECIPE:
        recipe = _RECIPE[item]
        batches = math.ceil(missing / recipe.count)
        action = _gather_all(view, recipe.ingredients, batches)
        if action is None and recipe.station == Station.TABLE:
            action = _station(view, "crafting_table", recipe.ingredients, batches)
        return ACTION[f"craft {item}"] if action is None else action
    if item in _SMELT_INPUT:
        return _smelt(view, item, missing)
    return _mine(view, item)


def _gather_all(view: View, ingredients: Mapping[str, int], batches: int) -> int | None:
    """The next action towards all ingredients, made ones before what they are made of."""
    for name in sorted(ingredients, key=_depth, reverse=True):
        need = ingredients[name] * batches
        if view.count(name) < need:
            return _obtain(view, name, need)
    return None


@functools.cache
def _depth(item: str) -> int:
    if item in _RECIPE:
        return 1 + max(_depth(name) for name in _RECIPE[item].ingredients)
    return 1 + _depth(_SMELT_INPUT[item]) if item in _SMELT_INPUT else 0


def _station(view: View, station: str, kept: Mapping[str, int], batches: int) -> int | None:
    """The next action towards a station in reach, without spending what is kept for later."""
    if view.reach[Reach[station.upper()]] > 0:
        return None
    if view.count(station) > 0:
        return ACTION[f"place {station}"]
    recipe = _RECIPE[station]
    for name, number in recipe.ingredients.items():
        need = number + kept.get(name, 0) * batches
        if view.count(name) < need:
            return _obtain(view, name, need)
    return (
        ACTION[f"craft {station}"] if recipe.station == Station.NONE else _at_table(view, station)
    )


def _at_table(view: View, item: str) -> int:
    recipe = _RECIPE[item]
    action = _station(view, "crafting_table", recipe.ingredients, 1)
    return ACTION[f"craft {item}"] if action is None else action


def _smelt(view: View, item: str, count: int) -> int:
    source = _SMELT_INPUT[item]
    if view.count(source) < count:
        return _obtain(view, source, count)
    action = _station(view, "furnace", {source: count}, 1)
    if action is not None:
        return action
    if view.burn < SMELT_TICKS and not any(view.count(fuel) for fuel in ("coal", "planks", "log")):
        return _obtain(view, "planks", 1)
    return ACTION[f"smelt {item}"]


def _mine(view: View, item: str) -> int:
    kind, least, height = _MINED[item]
    if least is not None:
        action = _pickaxe(view, least)
        if action is not None:
            return action
    if view.reach[kind] > 0:
        return ACTION[f"gather {kind.name.lower()}"]
    if view.height > height:
        return ACTION["dig down"]
    if view.height < height and height == SURFACE:
        return ACTION["climb up"]
    return ACTION["move on"]


def _pickaxe(view: View, least: str) -> int | None:
    """The next action towards a good enough pickaxe in hand; the best that is held."""
    good = _PICKAXES[_PICKAXES.index(least) :]
    held = [name for name in good if view.count(name) > 0]
    if not held:
        return _obtain(view, least, 1)
    in_hand = ITEMS[TOOL_ITEMS[view.hand]] if view.hand >= 0 else None
    if in_hand == held[-1]:
        return None
    return ACTION[f"equip {held[-1]}"]

"""What to do next towards an item, by the tables of `lapis.minecraft` alone.

For scripted players that know the tech tree: a pure function of what is held and what stands
nearby. Where things lie and how to get there is each player's own affair.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lapis.minecraft.digging import harvests
from lapis.minecraft.items import ITEM, item_index
from lapis.minecraft.planner import Action, source_blocks
from lapis.minecraft.recipes import RECIPES, Recipe, Station
from lapis.minecraft.smelting import BURN_TICKS, SMELT_TICKS, SMELTS

PICKAXES: tuple[str, ...] = ("wooden_pickaxe", "stone_pickaxe", "iron_pickaxe", "diamond_pickaxe")
"""Pickaxes that plans make, each good for more than the one before."""

_RECIPE: dict[str, Recipe] = {recipe.output: recipe for recipe in reversed(RECIPES)}
_SMELT_INPUT = {smelt.output: smelt.input for smelt in SMELTS}
_TUNNEL_PICKAXE = "stone_pickaxe"


@dataclass(frozen=True)
class Task:
    """One thing to do."""

    action: Action
    item: str


@dataclass(frozen=True)
class Holdings:
    """What a plan starts from."""

    inventory: np.ndarray
    """Items held, shape (item,)."""
    stations: frozenset[str]
    """Those of crafting_table and furnace that can be used here."""
    burn: int
    """Ticks that are left of the last fuel."""

    def count(self, item: str) -> int:
        """Items held."""
        return int(self.inventory[ITEM[item]])


@dataclass(frozen=True, kw_only=True)
class PlayStyle:
    """How a player goes about things."""

    fuels: tuple[str, ...]
    """What may be burnt; the first is what is fetched for it."""
    stokes_ahead: bool
    """Whether fuel for all that is to be smelted is fetched before the furnace is set up."""
    spares_pickaxe: bool
    """Whether there is to be a stone pickaxe besides a better one, for the way."""


def next_task(goal: str, holdings: Holdings, style: PlayStyle) -> Task:
    """The task that brings one more `goal` nearer; all that it needs is held or nearby.

    Raises:
        ValueError: `goal` is not an item, or nothing gives it.
    """
    item_index(goal)
    return _Search(holdings, style).obtain(goal, holdings.count(goal) + 1)


def bill_of(goal: str, pickaxe: str | None = None) -> dict[str, float]:
    """All that one `goal` costs, by item: what is left of one craft serves the next.

    Each pickaxe counts once, a station that is needed counts zero times. `pickaxe` is the best one
    that is held already.

    Raises:
        ValueError: `goal` is not an item, or nothing gives it.
    """
    item_index(goal)
    bill: dict[str, float] = {}
    if pickaxe is not None:
        bill = dict.fromkeys(PICKAXES[: PICKAXES.index(pickaxe) + 1], 0)
    _add_cost(goal, 1, bill)
    return bill


@functools.cache
def least_pickaxe(item: str) -> str | None:
    """The least pickaxe with which a block gives `item`, None where bare hands are enough.

    Raises:
        ValueError: No natural block gives it.
    """
    for tool in (None, *PICKAXES):
        if any(harvests(block, tool) for block in source_blocks(item)):
            return tool
    raise ValueError(f"item={item!r} cannot be obtained: nothing gives it")


def _add_cost(item: str, count: float, bill: dict[str, float]) -> None:
    bill[item] = bill.get(item, 0) + count
    if item in _RECIPE:
        recipe = _RECIPE[item]
        for ingredient, number in recipe.ingredients.items():
            _add_cost(ingredient, number * count / recipe.count, bill)
        if recipe.station == Station.TABLE:
            bill.setdefault("crafting_table", 0)
    elif item in _SMELT_INPUT:
        _add_cost(_SMELT_INPUT[item], count, bill)
        bill.setdefault("furnace", 0)
    else:
        tool = least_pickaxe(item)
        if tool is not None and tool not in bill:
            _add_cost(tool, 1, bill)


@functools.cache
def _depth(item: str) -> int:
    """How many makings lie between an item and what is dug."""
    if item in _RECIPE:
        return 1 + max(_depth(name) for name in _RECIPE[item].ingredients)
    return 1 + _depth(_SMELT_INPUT[item]) if item in _SMELT_INPUT else 0


@dataclass(frozen=True)
class _Search:
    """Finds the next task; None where nothing is left to do."""

    holdings: Holdings
    style: PlayStyle

    def obtain(self, item: str, count: int) -> Task:
        """The next task towards holding `count` of an item; it is known that fewer are held."""
        missing = count - self.holdings.count(item)
        if item in _RECIPE:
            recipe = _RECIPE[item]
            batches = math.ceil(missing / recipe.count)
            task = self._ingredients(recipe.ingredients, batches)
            if task is None and recipe.station == Station.TABLE:
                task = self._station("crafting_table", recipe.ingredients, batches)
            return task or Task(Action.CRAFT, item)
        if item in _SMELT_INPUT:
            return self._smelt(item, missing)
        return self._gather(item)

    def _ingredients(self, ingredients: Mapping[str, int], batches: int) -> Task | None:
        """The next task towards all ingredients, made ones before what they are made of."""
        for name in sorted(ingredients, key=_depth, reverse=True):
            need = ingredients[name] * batches
            if self.holdings.count(name) < need:
                return self.obtain(name, need)
        return None

    def _station(self, station: str, kept: Mapping[str, int], batches: int) -> Task | None:
        """The next task towards a station nearby, without spending what is kept for later."""
        if station in self.holdings.stations:
            return None
        if self.holdings.count(station) > 0:
            return Task(Action.PLACE, station)
        recipe = _RECIPE[station]
        for name, number in recipe.ingredients.items():
            need = number + kept.get(name, 0) * batches
            if self.holdings.count(name) < need:
                return self.obtain(name, need)
        task = None
        if recipe.station == Station.TABLE:
            task = self._station("crafting_table", recipe.ingredients, 1)
        return task or Task(Action.CRAFT, station)

    def _smelt(self, item: str, count: int) -> Task:
        source = _SMELT_INPUT[item]
        if self.holdings.count(source) < count:
            return self.obtain(source, count)
        task = self._fuel(count) if self.style.stokes_ahead else None
        task = task or self._station("furnace", {source: count}, 1)
        return task or self._fuel(1) or Task(Action.SMELT, item)

    def _fuel(self, smelts: int) -> Task | None:
        fuels = self.style.fuels
        ticks = smelts * SMELT_TICKS - self.holdings.burn
        ticks -= sum(self.holdings.count(name) * int(BURN_TICKS[ITEM[name]]) for name in fuels)
        if ticks <= 0:
            return None
        more = math.ceil(ticks / BURN_TICKS[ITEM[fuels[0]]])
        return self.obtain(fuels[0], self.holdings.count(fuels[0]) + more)

    def _gather(self, item: str) -> Task:
        least = least_pickaxe(item)
        if least is None:
            return Task(Action.GATHER, item)
        level = PICKAXES.index(least)
        if not any(self.holdings.count(name) for name in PICKAXES[level:]):
            return self.obtain(least, 1)
        better = level > PICKAXES.index(_TUNNEL_PICKAXE)
        if self.style.spares_pickaxe and better and self._can_spare_pickaxe():
            return self.obtain(_TUNNEL_PICKAXE, 1)
        return Task(Action.GATHER, item)

    def _can_spare_pickaxe(self) -> bool:
        """Whether a cheap pickaxe is missing, and there is what it is made of."""
        holdings = self.holdings
        if holdings.count(_TUNNEL_PICKAXE) > 0 or holdings.count("cobblestone") < 3:
            return False
        has_table = "crafting_table" in holdings.stations or holdings.count("crafting_table") > 0
        planks = holdings.count("planks") + 4 * holdings.count("log")
        planks += 2 * (holdings.count("stick") // 2)
        return planks >= (2 if has_table else 6)

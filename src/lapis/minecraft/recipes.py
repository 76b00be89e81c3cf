"""Crafting: one craft per output item, with alternatives in order of preference.

A craft uses the first alternative for which the inventory has the ingredients. Impossible goals
have crafts too; one of their ingredients cannot be obtained.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from lapis.minecraft.data_files import load, read_only
from lapis.minecraft.items import ITEM, ITEMS


class Station(IntEnum):
    """What a recipe needs beside the player."""

    NONE = 0
    """The 2 x 2 grid of the inventory is enough."""
    TABLE = 1
    """A crafting table in reach."""
    FURNACE = 2
    """A furnace in reach."""


@dataclass(frozen=True)
class Recipe:
    """One way to craft an item."""

    output: str
    count: int
    """Items that one craft gives."""
    ingredients: Mapping[str, int]
    """Items that one craft takes."""
    station: Station
    shape: tuple[tuple[str | None, ...], ...]
    """Rows of the crafting grid."""


def _recipe(entry: dict[str, Any]) -> Recipe:
    shape = tuple(tuple(row) for row in entry["shape"])
    ingredients = Counter(cell for row in shape for cell in row if cell is not None)
    return Recipe(
        output=entry["output"],
        count=entry["count"],
        ingredients=dict(ingredients),
        station=Station[entry["station"].upper()],
        shape=shape,
    )


RECIPES: tuple[Recipe, ...] = tuple(_recipe(entry) for entry in load("recipes")["crafting"])
"""All recipes; alternatives of one output follow each other in order of preference."""

_CRAFTS: tuple[str, ...] = tuple(dict.fromkeys(recipe.output for recipe in RECIPES))
_ALTERNATIVES = [[recipe for recipe in RECIPES if recipe.output == name] for name in _CRAFTS]
_ALTERNATIVE_WIDTH = max(len(recipes) for recipes in _ALTERNATIVES)
_SLOT_WIDTH = max(len(recipe.ingredients) for recipe in RECIPES)


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Output counts, ingredient items and ingredient counts of every alternative."""
    output = np.zeros((len(_CRAFTS), _ALTERNATIVE_WIDTH), np.int32)
    item = np.full((len(_CRAFTS), _ALTERNATIVE_WIDTH, _SLOT_WIDTH), -1, np.int32)
    count = np.zeros_like(item)
    for craft, recipes in enumerate(_ALTERNATIVES):
        for alternative, recipe in enumerate(recipes):
            output[craft, alternative] = recipe.count
            for slot, (name, number) in enumerate(recipe.ingredients.items()):
                item[craft, alternative, slot] = ITEM[name]
                count[craft, alternative, slot] = number
    return read_only(output), read_only(item), read_only(count)


CRAFT_ITEM = read_only([ITEM[name] for name in _CRAFTS])
"""Item that each craft gives, int32, shape (craft,)."""

CRAFT_OF_ITEM = read_only([_CRAFTS.index(name) if name in _CRAFTS else -1 for name in ITEMS])
"""Craft that gives each item, -1 where none does, int32, shape (item,)."""

CRAFT_STATION = read_only([recipes[0].station for recipes in _ALTERNATIVES])
"""`Station` that each craft needs, the same for all its alternatives, int32, shape (craft,)."""

CRAFT_ALTERNATIVE_COUNT = read_only([len(recipes) for recipes in _ALTERNATIVES])
"""Alternatives of each craft, int32, shape (craft,)."""

CRAFT_OUTPUT_COUNT, CRAFT_INGREDIENT_ITEM, CRAFT_INGREDIENT_COUNT = _tables()
"""Items given, int32, shape (craft, alternative), 0 where there is no such alternative;
items taken and how many of each, int32, shape (craft, alternative, slot), padded with -1 and 0."""


def recipes_for(item: str) -> tuple[Recipe, ...]:
    """The recipes that give `item`, in order of preference; none for what is not crafted."""
    return tuple(recipe for recipe in RECIPES if recipe.output == item)

"""What the far side needs to know of Lapis, as JSON: it cannot import Lapis."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapis.minecraft.items import ITEM, ITEMS, STACK_SIZE
from lapis.minecraft.recipes import Recipe, Station, recipes_for
from lapis.minecraft.smelting import BURN_TICKS, FUEL_ITEM, SMELT_TICKS, SMELTS
from lapis.worlds.voxel.actions import (
    ACTION_SIZES,
    CAMERA_ANGLES,
    OFF_HAND_ITEMS,
    PITCH_LEVELS,
    SPECIALS,
    TOOL_ITEMS,
    Special,
    SpecialAction,
)

__all__ = ["make_tables", "needs"]

Kind = tuple[str, int | None]
"""A type of the game with its variant (`metadata`), None: any."""
Need = list[tuple[str, int | None, int]]
"""Kinds that have to be held, and how many of each."""

MOST_COUNTED = 63
"""Counts of items beyond this look alike, as in the voxel world."""

_VARIANT = {
    "dirt": 0,
    "cobblestone_wall": 0,
    "stonebrick": 0,
    "coal": 0,
    "dye": 4,
    "quartz_block": 0,
    "sand": 0,
    "sandstone": 0,
    "red_flower": 0,
    "yellow_flower": 0,
}
"""Items that are one variant of their type; the others are all of them."""
_OTHER_TYPES: dict[str, tuple[Kind, ...]] = {
    "log": (("log", None), ("log2", None)),
    "charcoal": (("coal", 1),),
}
_OF_OAK = ("wooden_door", "oak_stairs", "fence", "fence_gate", "boat")
"""Crafts whose planks must be of oak."""
_OAK = 0
_STONE = 0
"""Variant of stone that recipes take; granite, diorite and andesite are stone in the inventory."""
_WOODS = range(6)

_NO_BLOCKS = ("wooden_door", "sign", "iron_door", "cauldron", "redstone", "repeater")
"""Things that MineRL's `place` cannot place: in the game they are no blocks in the hand."""
# DEVIATION: MineRL changes the recipe, and burnt logs give coal instead of charcoal.
_MADE_AS = {"charcoal": "coal"}
"""What smelting is asked for by, where it has another name."""


def make_tables() -> dict[str, Any]:
    """All that `lapis.worlds.remote.far.minerl.tables.Tables` is made of."""
    return {
        "items": list(ITEMS),
        "kinds": [list(_kinds(name)) for name in ITEMS],
        "stack_sizes": STACK_SIZE.tolist(),
        "count_features": (np.log2(1.0 + np.arange(MOST_COUNTED + 1)) / 6.0).tolist(),
        "action_sizes": list(ACTION_SIZES),
        "camera_angles": list(CAMERA_ANGLES),
        "pitch_levels": list(PITCH_LEVELS),
        "specials": [_special(action) for action in SPECIALS],
        "tools": [ITEMS[item] for item in TOOL_ITEMS],
        "off_hand": [ITEMS[item] for item in OFF_HAND_ITEMS],
        "fuels": [
            [list(kind), int(BURN_TICKS[item])]
            for item in FUEL_ITEM.tolist()
            for kind in _kinds(ITEMS[item])
        ],
        "smelt_ticks": SMELT_TICKS,
    }


def _special(action: SpecialAction) -> dict[str, Any]:
    """The action of MineRL that stands for one of ours; without a command it never is allowed."""
    kind, (_, _, name) = action.kind, action.name.partition(" ")
    command, needed = "", list[Need]()
    if kind == Special.PLACE and name not in _NO_BLOCKS:
        command, needed = "place", [[(name, None, 1)]]
    elif kind == Special.EQUIP:
        command, needed = "equip", [[(name, None, 1)]]
    elif kind == Special.SMELT:
        command, needed = "nearbySmelt", _smelting(name)
    elif kind == Special.CRAFT:
        recipes = recipes_for(name)
        at_table = recipes[0].station == Station.TABLE
        command = "nearbyCraft" if at_table else "craft"
        needed = [need for recipe in recipes for need in needs(recipe)]
    return {
        "kind": kind.name.lower(),
        "item": name,
        "command": command,
        "argument": _MADE_AS.get(name, name),
        "needs": needed,
    }


def needs(recipe: Recipe) -> list[Need]:
    """What the game takes for a recipe: alternatives, of which one has to be held whole."""
    if recipe.output == "wooden_slab":  # All planks of one must be of the same wood.
        return [[("planks", wood, recipe.ingredients["planks"])] for wood in _WOODS]
    alternatives: list[Need] = [[]]
    for name, count in recipe.ingredients.items():
        kinds = _kinds(name)
        if name == "planks" and recipe.output in _OF_OAK:
            kinds = (("planks", _OAK),)
        elif name == "stone":
            kinds = (("stone", _STONE),)
        alternatives = [
            [*need, (type_name, variant, count)]
            for need in alternatives
            for type_name, variant in kinds
        ]
    return alternatives


def _smelting(name: str) -> list[Need]:
    (smelt,) = (each for each in SMELTS if each.output == name)
    return [[(type_name, variant, 1)] for type_name, variant in _kinds(smelt.input)]


def _kinds(name: str) -> tuple[Kind, ...]:
    """The kinds of the game that count as an item; an episode begins with the first of them."""
    return _OTHER_TYPES.get(name, ((name, _VARIANT.get(name)),))


assert all(name in ITEM for name in (*_VARIANT, *_OTHER_TYPES, *_OF_OAK, *_NO_BLOCKS, *_MADE_AS))

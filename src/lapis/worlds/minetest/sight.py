"""What players see: which nodes, and which classes of nodes they tell apart.

They see what lies close by on all sides, also behind what is in the way, and what rays meet that
fan out ahead. Both turn with the player, and not with its look up or down.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

__all__ = ["CELLS", "CELL_PLACES", "CLASSES", "RAYS", "RAY_DIRECTIONS", "told_sight"]

CELL_PLACES: tuple[tuple[int, int, int], ...] = tuple(
    (ahead, side, up)
    for ahead, side, up in itertools.product(range(-1, 4), range(-2, 3), range(-2, 4))
)
"""The cells close by: nodes ahead, to the right, and above the player's feet."""
CELLS: dict[tuple[int, int, int], int] = {place: n for n, place in enumerate(CELL_PLACES)}
"""Number of each cell; cells are the first columns of `fan_class`, rays the others."""
TURNS = (-75, -50, -30, -15, 0, 15, 30, 50, 75)
"""Of the rays, to the right [degrees]."""
SLOPES = (45, 25, 10, 0, -12, -25, -40, -60)
"""Of the rays, up [degrees]."""
REACH = 24
"""How far rays go [nodes]."""
RAYS = len(TURNS) * len(SLOPES)


def _direction(turn: float, slope: float) -> tuple[float, float, float]:
    flat = np.cos(np.radians(slope))
    return (
        float(np.cos(np.radians(turn)) * flat),
        float(np.sin(np.radians(turn)) * flat),
        float(np.sin(np.radians(slope))),
    )


RAY_DIRECTIONS: tuple[tuple[float, float, float], ...] = tuple(
    _direction(turn, slope) for turn, slope in itertools.product(TURNS, SLOPES)
)
"""Of each ray: ahead, to the right, up."""

_NAMED: dict[str, tuple[str, ...]] = {
    "air": ("air",),
    "unknown": ("ignore",),
    "gravel": ("default:gravel",),
    "clay": ("default:clay",),
    "cobble": ("default:cobble", "default:mossycobble"),
    "coal": ("default:stone_with_coal",),
    "copper": ("default:stone_with_copper",),
    "tin": ("default:stone_with_tin",),
    "iron": ("default:stone_with_iron",),
    "gold": ("default:stone_with_gold",),
    "mese": ("default:stone_with_mese", "default:mese"),
    "diamond": ("default:stone_with_diamond",),
    "furnace": ("default:furnace", "default:furnace_active"),
    "torch": ("default:torch", "default:torch_wall", "default:torch_ceiling"),
    "apple": ("default:apple",),
    "silver sand": ("default:silver_sand",),
}
"""Nodes by their names."""
_GROUPS: dict[str, str] = {
    "water": "water",
    "lava": "lava",
    "trunk": "tree",
    "leaves": "leaves",
    "flower": "flower",
    "sapling": "sapling",
    "plant": "flora",
    "sand": "sand",
    "soil": "soil",
    "stone": "stone",
    "planks": "wood",
}
"""Nodes by the game's groups; the first that fits counts."""
_REST: dict[str, bool] = {"solid": True, "loose": False}
"""All other nodes, by whether they stop a player."""

CLASSES: tuple[str, ...] = (*_NAMED, *_GROUPS, *_REST)
"""Names of all classes; a class's number is its place here."""


def told_sight() -> dict[str, Any]:
    """All of this, as the server needs to know it."""
    by_name = {name: CLASSES.index(group) for group, names in _NAMED.items() for name in names}
    groups = [{"group": group, "class": CLASSES.index(name)} for name, group in _GROUPS.items()]
    rest = [{"walkable": each, "class": CLASSES.index(name)} for name, each in _REST.items()]
    return {
        "class_of": by_name,
        "class_rules": [*groups, *rest],
        "cells": CELL_PLACES,
        "rays": RAY_DIRECTIONS,
        "reach": REACH,
    }

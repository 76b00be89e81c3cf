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


VIEW_DEGREES = 70
"""Angle of a picture, across and down: about that of the game's client, 72."""
_COLOURS: dict[str, tuple[int, int, int]] = {
    "air": (140, 186, 250),  # The sky.
    "unknown": (20, 20, 24),
    "gravel": (131, 125, 122),
    "clay": (182, 182, 190),
    "cobble": (110, 106, 104),
    "coal": (58, 56, 56),
    "copper": (176, 106, 58),
    "tin": (196, 196, 200),
    "iron": (170, 132, 110),
    "gold": (214, 188, 44),
    "mese": (242, 240, 60),
    "diamond": (132, 220, 236),
    "furnace": (92, 88, 86),
    "torch": (255, 214, 90),
    "apple": (206, 30, 26),
    "silver sand": (194, 188, 178),
    "water": (40, 84, 160),
    "lava": (236, 92, 16),
    "trunk": (92, 66, 40),
    "leaves": (46, 92, 32),
    "flower": (222, 96, 160),
    "sapling": (86, 140, 52),
    "plant": (84, 130, 44),
    "sand": (214, 206, 156),
    "soil": (96, 110, 52),
    "stone": (98, 94, 92),
    "planks": (158, 124, 76),
    "solid": (150, 110, 120),
    "loose": (200, 170, 180),
}
"""Of each class in pictures: about the mean of its texture."""


def told_sight(frame_side: int) -> dict[str, Any]:
    """All of this, as the server needs to know it; with pictures of so many pixels a side."""
    by_name = {name: CLASSES.index(group) for group, names in _NAMED.items() for name in names}
    groups = [{"group": group, "class": CLASSES.index(name)} for name, group in _GROUPS.items()]
    rest = [{"walkable": each, "class": CLASSES.index(name)} for name, each in _REST.items()]
    return {
        "class_of": by_name,
        "class_rules": [*groups, *rest],
        "cells": CELL_PLACES,
        "rays": RAY_DIRECTIONS,
        "reach": REACH,
        "frame_side": frame_side,
        "view_degrees": VIEW_DEGREES,
        "colours": [_COLOURS[name] for name in CLASSES],
    }

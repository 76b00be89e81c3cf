"""What the policy sees, in the layout of the voxel world."""

from __future__ import annotations

import math
from typing import Dict

import numpy as np

from lapis.worlds.remote.far.minerl.env import Seen
from lapis.worlds.remote.far.minerl.mask import off_hand
from lapis.worlds.remote.far.minerl.tables import Tables

VITALS = (
    "HEALTH",
    "FOOD",
    "SATURATION",
    "AIR",
    "EXPERIENCE",
    "ON_GROUND",
    "UNDER_WATER",
    "BURNING",
    "DUG",
    "TOOL_LEFT",
)
"""Columns of `vitals`."""
MOST_EXPERIENCE = 1395
FULL_AIR = 300
"""[ticks]."""


def shapes(tables: Tables, side: int) -> Dict[str, tuple]:
    """Shape of each observation of one world; frames are uint8, the others float32."""
    return {
        "inventory": (len(tables.items),),
        "vitals": (len(VITALS),),
        "hand": (1 + len(tables.tools),),
        "off_hand": (1 + len(tables.off_hand),),
        "frame": (side, side, 3),
    }


def features(
    seen: Seen, items: np.ndarray, on_ground: bool, tables: Tables
) -> Dict[str, np.ndarray]:
    """The observation of one world; `items` are its counts."""
    most = len(tables.count_features) - 1
    return {
        "inventory": tables.count_features[np.minimum(items, most)],
        "vitals": vitals(seen, on_ground),
        "hand": _one_hot(tables.tools, seen.hand),
        "off_hand": _one_hot(tables.off_hand, off_hand(seen)),
        "frame": seen.frame,
    }


def vitals(seen: Seen, on_ground: bool) -> np.ndarray:
    """Each between 0 and 1, in the order of `VITALS`."""
    experience = math.log2(1.0 + min(max(seen.experience, 0.0), MOST_EXPERIENCE))
    values = [
        seen.health / 20,
        seen.food / 20,
        seen.saturation / 20,
        seen.air / FULL_AIR,
        experience / math.log2(1.0 + MOST_EXPERIENCE),
        float(on_ground),
        float(seen.air < FULL_AIR),
        # DEVIATION: whether the player is burning, and how far a block is dug, is not told.
        0.0,
        0.0,
        seen.tool_left,
    ]
    return np.clip(np.array(values, np.float32), 0.0, 1.0)


def _one_hot(names, name: str) -> np.ndarray:
    """The first place stands for whatever is none of the names."""
    row = np.zeros(1 + len(names), np.float32)
    row[names.index(name) + 1 if name in names else 0] = 1.0
    return row

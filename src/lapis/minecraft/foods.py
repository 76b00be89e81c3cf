"""What can be eaten, and what it restores."""

from __future__ import annotations

import numpy as np

from lapis.minecraft.data_files import load, read_only
from lapis.minecraft.items import ITEMS

_FILE = load("foods")
_FOODS = {entry["item"]: entry for entry in _FILE["foods"]}

EAT_TICKS: int = _FILE["eat_ticks"]
"""Game ticks [50 ms] that eating takes."""

FOOD_ITEM = read_only([ITEMS.index(name) for name in _FOODS])
"""Items that can be eaten, int32, shape (food,)."""

FOOD_POINTS = read_only([_FOODS[n]["food"] if n in _FOODS else 0 for n in ITEMS])
"""Food [half drumsticks] that each item restores, int32, shape (item,)."""

FOOD_SATURATION = read_only(
    [_FOODS[n]["saturation"] if n in _FOODS else 0.0 for n in ITEMS], np.float32
)
"""Saturation that each item restores, float32, shape (item,)."""

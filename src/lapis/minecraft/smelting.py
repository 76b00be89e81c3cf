"""Smelting: what a furnace makes of what, and what it burns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapis.minecraft.data_files import load, read_only
from lapis.minecraft.items import ITEM, ITEMS

_FILE = load("recipes")


@dataclass(frozen=True)
class Smelt:
    """One item made of one other in a furnace."""

    output: str
    input: str
    experience: float
    """Points per item."""


SMELTS: tuple[Smelt, ...] = tuple(
    Smelt(entry["output"], entry["input"], entry["experience"]) for entry in _FILE["smelting"]
)
"""All smelts; each has its own output."""

SMELT_TICKS: int = _FILE["smelt_ticks"]
"""Game ticks [50 ms] that one item takes."""

SMELT_ITEM = read_only([ITEM[smelt.output] for smelt in SMELTS])
"""Item that each smelt gives, int32, shape (smelt,)."""

SMELT_INPUT = read_only([ITEM[smelt.input] for smelt in SMELTS])
"""Item that each smelt takes, int32, shape (smelt,)."""

SMELT_EXPERIENCE = read_only([smelt.experience for smelt in SMELTS], np.float32)
"""Experience points per item, float32, shape (smelt,)."""

FUEL_ITEM = read_only([ITEM[entry["item"]] for entry in _FILE["fuels"]])
"""Items that burn, in the order in which a furnace takes them, int32, shape (fuel,).

Coal and charcoal come first, then raw wood, then things made of wood from cheap to dear.
"""

FUEL_TICKS = read_only([entry["burn_ticks"] for entry in _FILE["fuels"]])
"""Game ticks [50 ms] that one item of each fuel burns, int32, shape (fuel,)."""


_BURN_TICKS = {entry["item"]: entry["burn_ticks"] for entry in _FILE["fuels"]}
BURN_TICKS = read_only([_BURN_TICKS.get(name, 0) for name in ITEMS])
"""Game ticks [50 ms] that one item burns, 0 for what does not, int32, shape (item,)."""

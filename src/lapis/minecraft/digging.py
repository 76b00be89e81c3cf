"""How long a block takes to dig with the item in hand, and whether it gives its drop."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np

from lapis.minecraft.blocks import (
    BLOCK_TIER,
    BLOCK_TOOL,
    BLOCK_TOOL_REQUIRED,
    HARDNESS,
    UNBREAKABLE,
    Block,
)
from lapis.minecraft.data_files import read_only
from lapis.minecraft.items import ITEMS, item_index
from lapis.minecraft.tools import SWORD_SPEED_ON_LEAVES, TOOL_KIND, TOOL_TIER, TOOLS, ToolKind

NEVER = -1
"""Ticks for a block that cannot be dug."""


def harvests(block: Block, item: str | None) -> bool:
    """Whether digging `block` with `item` in hand (None: bare hand) gives its drop."""
    if HARDNESS[block] == UNBREAKABLE:
        return False
    if not BLOCK_TOOL_REQUIRED[block]:
        return True
    if item is None:
        return False
    index = item_index(item)
    return bool(TOOL_KIND[index] == BLOCK_TOOL[block] and TOOL_TIER[index] >= BLOCK_TIER[block])


def dig_ticks(block: Block, item: str | None) -> int:
    """Game ticks [50 ms] to break `block` with `item` in hand (None: bare hand).

    A tick does `speed / hardness / (30 if the drop is given else 100)` of the work, so the block
    breaks after the least whole number of ticks that does all of it. A block that breaks
    immediately takes one tick, and one that cannot be dug `NEVER`.
    """
    if HARDNESS[block] == UNBREAKABLE:
        return NEVER
    hardness = Fraction(str(HARDNESS[block]))
    divisor = 30 if harvests(block, item) else 100
    return max(1, ceil(hardness * divisor / _speed(block, item)))


def _speed(block: Block, item: str | None) -> Fraction:
    """Digging speed: 1 for a bare hand or a tool that is made for something else."""
    if item is None:
        return Fraction(1)
    kind = TOOL_KIND[item_index(item)]
    if kind == ToolKind.SWORD and BLOCK_TOOL[block] == ToolKind.SHEARS:
        return Fraction(str(SWORD_SPEED_ON_LEAVES))
    if kind != ToolKind.NONE and kind == BLOCK_TOOL[block]:
        return Fraction(str(TOOLS[item].speed))
    return Fraction(1)


_IN_HAND = (None, *ITEMS)

DIG_TICKS = read_only([[dig_ticks(block, item) for item in _IN_HAND] for block in Block])
"""`dig_ticks` for every block and item in hand, int32, shape (block, 1 + item).

Column 0 is the bare hand, column 1 + i is item i.
"""

HARVESTS = read_only([[harvests(block, item) for item in _IN_HAND] for block in Block], np.bool_)
"""`harvests` for every block and item in hand, bool, shape (block, 1 + item)."""

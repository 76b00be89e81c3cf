"""Tools: kind, tier, speed and durability."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from lapis.minecraft.data_files import load, read_only
from lapis.minecraft.items import ITEMS

__all__ = [
    "DURABILITY",
    "HAND_TIER",
    "SWORD_SPEED_ON_LEAVES",
    "TOOLS",
    "TOOL_KIND",
    "TOOL_SPEED",
    "TOOL_TIER",
    "WEAR_PER_BLOCK",
    "Tool",
    "ToolKind",
]


class ToolKind(IntEnum):
    """What a tool is made for."""

    NONE = 0
    PICKAXE = 1
    AXE = 2
    SHOVEL = 3
    SWORD = 4
    HOE = 5
    SHEARS = 6


@dataclass(frozen=True)
class Tool:
    """A tool in the player's hand."""

    name: str
    kind: ToolKind
    tier: int
    """Harvest level: wood and gold 0, stone 1, iron 2, diamond 3."""
    speed: float
    """Factor of the digging speed on blocks that the kind is made for."""
    durability: int
    """Uses before it breaks."""
    wear_per_block: int
    """Uses that breaking a block of hardness above zero costs."""


HAND_TIER = -1
"""Harvest level of the bare hand and of everything that is no tool."""

_FILE = load("tools")
_WEAR = {entry["kind"]: entry["wear_per_block"] for entry in _FILE["kinds"]}

SWORD_SPEED_ON_LEAVES: float = _FILE["sword_speed_on_leaves"]
"""A sword is made for no block here but cuts leaves a little faster than a hand."""


def _tools() -> dict[str, Tool]:
    tools = {
        "shears": Tool(
            name="shears",
            kind=ToolKind.SHEARS,
            tier=0,
            speed=_FILE["shears_speed_on_leaves"],
            durability=_FILE["shears_durability"],
            wear_per_block=_WEAR["shears"],
        )
    }
    for material in _FILE["materials"]:
        for kind in (k for k in ToolKind if k not in (ToolKind.NONE, ToolKind.SHEARS)):
            name = f"{material['material']}_{kind.name.lower()}"
            tools[name] = Tool(
                name=name,
                kind=kind,
                tier=material["tier"],
                speed=material["speed"],
                durability=material["durability"],
                wear_per_block=_WEAR[kind.name.lower()],
            )
    return tools


TOOLS: dict[str, Tool] = _tools()
"""The 26 tools by item name."""

TOOL_KIND = read_only([TOOLS[n].kind if n in TOOLS else ToolKind.NONE for n in ITEMS])
"""`ToolKind` of each item, int32, shape (item,)."""

TOOL_TIER = read_only([TOOLS[n].tier if n in TOOLS else HAND_TIER for n in ITEMS])
"""Harvest level of each item, `HAND_TIER` for what is no tool, int32, shape (item,)."""

TOOL_SPEED = read_only([TOOLS[n].speed if n in TOOLS else 1.0 for n in ITEMS], np.float32)
"""Digging speed on blocks that the tool is made for, 1 for no tool, float32, shape (item,)."""

DURABILITY = read_only([TOOLS[n].durability if n in TOOLS else 0 for n in ITEMS])
"""Uses before each tool breaks, 0 for what is no tool, int32, shape (item,)."""

WEAR_PER_BLOCK = read_only([TOOLS[n].wear_per_block if n in TOOLS else 0 for n in ITEMS])
"""Uses that breaking a block of hardness above zero costs each tool, int32, shape (item,)."""

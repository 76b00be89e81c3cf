"""Tools: kind, tier, speed and durability."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from lapis.minecraft.data_files import load, read_only
from lapis.minecraft.items import ITEMS


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
"""Harvest level of the bare hand and of everything that is not a tool."""

_FILE = load("tools")
_WEAR = {entry["kind"]: entry["wear_per_block"] for entry in _FILE["kinds"]}

SWORD_SPEED_ON_LEAVES: float = _FILE["sword_speed_on_leaves"]
"""A sword is made for no block here but cuts leaves a little faster than a hand."""


TOOLS: dict[str, Tool] = {
    "shears": Tool(
        kind=ToolKind.SHEARS,
        tier=0,
        speed=_FILE["shears_speed_on_leaves"],
        durability=_FILE["shears_durability"],
        wear_per_block=_WEAR["shears"],
    )
} | {
    f"{material['material']}_{kind}": Tool(
        kind=ToolKind[kind.upper()],
        tier=material["tier"],
        speed=material["speed"],
        durability=material["durability"],
        wear_per_block=wear,
    )
    for material in _FILE["materials"]
    for kind, wear in _WEAR.items()
    if kind != "shears"
}
"""The 26 tools by item name."""

TOOL_KIND = read_only([TOOLS[n].kind if n in TOOLS else ToolKind.NONE for n in ITEMS])
"""`ToolKind` of each item, int32, shape (item,)."""

TOOL_TIER = read_only([TOOLS[n].tier if n in TOOLS else HAND_TIER for n in ITEMS])
"""Harvest level of each item, `HAND_TIER` for what is not a tool, int32, shape (item,)."""

DURABILITY = read_only([TOOLS[n].durability if n in TOOLS else 0 for n in ITEMS])
"""Uses before each tool breaks, 0 for what is not a tool, int32, shape (item,)."""

WEAR_PER_BLOCK = read_only([TOOLS[n].wear_per_block if n in TOOLS else 0 for n in ITEMS])
"""Uses that breaking a block of hardness above zero costs each tool, int32, shape (item,)."""

"""Blocks: hardness, the tool they ask for, what they drop, and the item that places them."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from lapis.minecraft.data_files import load, padded, read_only
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.tools import ToolKind


class Block(IntEnum):
    """Kinds of blocks. Only ever append."""

    AIR = 0
    STONE = 1
    GRASS = 2
    DIRT = 3
    COBBLESTONE = 4
    PLANKS = 5
    BEDROCK = 6
    WATER = 7
    LAVA = 8
    SAND = 9
    GRAVEL = 10
    CLAY = 11
    SANDSTONE = 12
    OBSIDIAN = 13
    COAL_ORE = 14
    IRON_ORE = 15
    LAPIS_ORE = 16
    REDSTONE_ORE = 17
    GOLD_ORE = 18
    DIAMOND_ORE = 19
    OAK_LOG = 20
    SPRUCE_LOG = 21
    BIRCH_LOG = 22
    JUNGLE_LOG = 23
    ACACIA_LOG = 24
    DARK_OAK_LOG = 25
    OAK_LEAVES = 26
    SPRUCE_LEAVES = 27
    BIRCH_LEAVES = 28
    JUNGLE_LEAVES = 29
    ACACIA_LEAVES = 30
    DARK_OAK_LEAVES = 31
    OAK_SAPLING = 32
    SPRUCE_SAPLING = 33
    BIRCH_SAPLING = 34
    JUNGLE_SAPLING = 35
    ACACIA_SAPLING = 36
    DARK_OAK_SAPLING = 37
    TALL_GRASS = 38
    RED_FLOWER = 39
    YELLOW_FLOWER = 40
    CACTUS = 41
    CRAFTING_TABLE = 42
    FURNACE = 43
    TORCH = 44
    CHEST = 45
    WOODEN_BUTTON = 46
    WOODEN_PRESSURE_PLATE = 47
    WOODEN_DOOR = 48
    WOODEN_SLAB = 49
    OAK_STAIRS = 50
    FENCE = 51
    FENCE_GATE = 52
    TRAPDOOR = 53
    LADDER = 54
    LEVER = 55
    STONE_BUTTON = 56
    STONE_PRESSURE_PLATE = 57
    STONE_SLAB = 58
    STONE_STAIRS = 59
    COBBLESTONE_WALL = 60
    STONEBRICK = 61
    STONE_BRICK_STAIRS = 62
    COAL_BLOCK = 63
    HEAVY_WEIGHTED_PRESSURE_PLATE = 64
    TRIPWIRE_HOOK = 65
    TRAPPED_CHEST = 66
    IRON_BARS = 67
    IRON_DOOR = 68
    IRON_TRAPDOOR = 69
    RAIL = 70
    CAULDRON = 71
    HOPPER = 72
    IRON_BLOCK = 73
    ANVIL = 74
    LAPIS_BLOCK = 75
    REDSTONE_TORCH = 76
    NOTEBLOCK = 77
    DROPPER = 78
    PISTON = 79
    DETECTOR_RAIL = 80
    ACTIVATOR_RAIL = 81
    REDSTONE_BLOCK = 82
    LIGHT_WEIGHTED_PRESSURE_PLATE = 83
    GOLDEN_RAIL = 84
    GOLD_BLOCK = 85
    JUKEBOX = 86
    DIAMOND_BLOCK = 87
    GLASS = 88
    SIGN = 89
    REDSTONE_WIRE = 90
    REPEATER = 91
    OPEN_WOODEN_DOOR = 92
    OPEN_TRAPDOOR = 93
    OPEN_FENCE_GATE = 94
    FARMLAND = 95


UNBREAKABLE = -1.0
"""Hardness of what cannot be dug."""

_ENTRIES = load("blocks")["blocks"]
assert [entry["name"] for entry in _ENTRIES] == [block.name.lower() for block in Block]


def _column(key: str) -> list:
    return [entry[key] for entry in _ENTRIES]


def _drops(position: int) -> list[list]:
    return [[drop[position] for drop in entry["drops"]] for entry in _ENTRIES]


HARDNESS = read_only([UNBREAKABLE if h is None else h for h in _column("hardness")], np.float64)
"""Hardness, `UNBREAKABLE` for air, liquids and bedrock, float64, shape (block,)."""

BLOCK_TOOL = read_only([ToolKind[kind.upper()] for kind in _column("tool")])
"""`ToolKind` made for the block, int32, shape (block,)."""

BLOCK_TOOL_REQUIRED = read_only(_column("tool_required"), np.bool_)
"""Whether a block gives nothing without that tool, bool, shape (block,)."""

BLOCK_TIER = read_only(_column("tier"))
"""Lowest harvest level that gives the drop where a tool is required, int32, shape (block,)."""

SOLID = read_only(_column("solid"), np.bool_)
"""Whether a block stops a body, bool, shape (block,)."""

REPLACEABLE = read_only(_column("replaceable"), np.bool_)
"""Whether a block can be placed over it, bool, shape (block,)."""

NATURAL = read_only(_column("natural"), np.bool_)
"""Whether worlds are generated with the block, bool, shape (block,)."""

DROP_ITEM = padded([[ITEM[name] for name in row] for row in _drops(0)], -1)
"""What a block may drop, int32, shape (block, outcome), padded with -1.

A broken block draws at most one outcome; what the chances leave of 1 is nothing.
"""

DROP_MIN = padded(_drops(1), 0)
"""Fewest items of each outcome, int32, shape (block, outcome)."""

DROP_MAX = padded(_drops(2), 0)
"""Most items of each outcome, all numbers from fewest to most being equally likely, int32."""

DROP_CHANCE = padded(_drops(3), 0.0, np.float32)
"""Chance of each outcome, float32, shape (block, outcome)."""

EXPERIENCE_MIN = read_only([low for low, _ in _column("experience")])
"""Fewest experience points when the block is harvested, int32, shape (block,)."""

EXPERIENCE_MAX = read_only([high for _, high in _column("experience")])
"""Most experience points, all numbers in between being equally likely, int32, shape (block,)."""


_PLACED = dict(zip(_column("placed_by"), Block, strict=True))
BLOCK_OF_ITEM = read_only([_PLACED.get(name, Block.AIR) for name in ITEMS])
"""Block that each item places, `Block.AIR` for what is not placed, int32, shape (item,)."""

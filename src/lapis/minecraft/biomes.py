"""Biomes: trees, woods, surface and tufts of grass."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from lapis.minecraft.blocks import Block
from lapis.minecraft.data_files import load, read_only


class Biome(IntEnum):
    """Kinds of land. Only ever append."""

    PLAINS = 0
    FOREST = 1
    BIRCH_FOREST = 2
    ROOFED_FOREST = 3
    TAIGA = 4
    JUNGLE = 5
    SAVANNA = 6
    DESERT = 7
    EXTREME_HILLS = 8
    SWAMP = 9


class Wood(IntEnum):
    """Kinds of trees."""

    OAK = 0
    SPRUCE = 1
    BIRCH = 2
    JUNGLE = 3
    ACACIA = 4
    DARK_OAK = 5


_ENTRIES = load("biomes")["biomes"]
assert [entry["name"] for entry in _ENTRIES] == [biome.name.lower() for biome in Biome]


def _column(key: str) -> list:
    return [entry[key] for entry in _ENTRIES]


def _shares(key: str) -> np.ndarray:
    weights = np.array(_column(key), np.float64)
    return read_only(weights / weights.sum(), np.float32)


BIOME_TREES = read_only(_column("trees_per_chunk"), np.float32)
"""Mean trees in a chunk of 16 x 16 columns, float32, shape (biome,)."""

BIOME_WOOD_SHARE = read_only(
    [[woods.get(wood.name.lower(), 0.0) for wood in Wood] for woods in _column("woods")],
    np.float32,
)
"""Share of each wood among a biome's trees, float32, shape (biome, wood); zeros without trees."""

BIOME_SURFACE = read_only([Block[name.upper()] for name in _column("surface")])
"""Top block, int32, shape (biome,)."""

BIOME_GRASS_TUFTS = read_only(_column("grass_tufts_per_chunk"), np.float32)
"""Mean tufts of tall grass in a chunk, float32, shape (biome,)."""

BIOME_CACTI = read_only(_column("cacti_per_chunk"), np.float32)
"""Mean cacti in a chunk, float32, shape (biome,)."""

BIOME_SPAWN = _shares("spawn_weight")
"""Probability that a player starts in the biome, float32, shape (biome,)."""

BIOME_AREA = _shares("area_weight")
"""Share of the land, float32, shape (biome,)."""

WOOD_LOG = read_only([Block[f"{wood.name}_LOG"] for wood in Wood])
"""Log block of each wood, int32, shape (wood,)."""

WOOD_LEAVES = read_only([Block[f"{wood.name}_LEAVES"] for wood in Wood])
"""Leaves block of each wood, int32, shape (wood,)."""

"""Minecraft's tables and the shape of the land in the form that the generator's kernels read."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import warp as wp

from lapis.minecraft import biomes
from lapis.minecraft.biomes import Biome, Wood
from lapis.minecraft.blocks import Block
from lapis.minecraft.ores import VEINS
from lapis.worlds.launching import filled
from lapis.worlds.rng import chances
from lapis.worlds.voxel.config import VoxelConfig

CHUNK = 16
"""Blocks along each side of the areas that tables of density speak of."""
TREE_CELL = 2
"""Blocks between places where trees may stand."""
SKY = 14
"""Layers that the ground leaves free below the world's ceiling, for trees."""

JUNGLE_WORLDS = 0.2
"""Share of the worlds that have a jungle.

DEVIATION: elsewhere jungles cover 2 % of the land, but players start in them as often as in
forest, plains or taiga. Here a world is an island of two or three biomes: the one around the start
is drawn by the table of starts, with jungle at this share, and the others by area, jungle left out.
"""

WOODED = 3.0
"""Trees in a chunk from which on a biome counts as wooded.

DEVIATION: elsewhere whoever finds no trees can walk on. Here a world is finite, so that the second
biome is a wooded one wherever the first is not. The few trees of a swamp are not enough.
"""

LAND: dict[Biome, tuple[float, float, float]] = {
    Biome.PLAINS: (4.0, 10.0, 5.0),
    Biome.FOREST: (5.0, 17.0, 4.0),
    Biome.BIRCH_FOREST: (5.0, 17.0, 4.0),
    Biome.ROOFED_FOREST: (5.0, 13.0, 2.0),
    Biome.TAIGA: (6.0, 21.0, 1.0),
    Biome.JUNGLE: (6.0, 20.0, 3.0),
    Biome.SAVANNA: (5.0, 11.0, 2.0),
    Biome.DESERT: (5.0, 14.0, 0.0),
    Biome.EXTREME_HILLS: (15.0, 42.0, 0.0),
    Biome.SWAMP: (0.2, 6.0, 2.0),
}
"""Mean height above the sea and its spread [blocks], and mean flowers in a chunk, by biome.

Most land is within half of the spread; flowers are those of both colors.
"""

VEIN_SHAPE: dict[Block, tuple[float, float]] = {
    Block.DIRT: (2.0, 1.65),
    Block.GRAVEL: (2.0, 1.65),
    Block.COAL_ORE: (1.5, 1.03),
    Block.IRON_ORE: (1.0, 0.69),
    Block.GOLD_ORE: (1.0, 0.685),
    Block.REDSTONE_ORE: (0.8, 0.7005),
    Block.DIAMOND_ORE: (0.8, 0.70),
    Block.LAPIS_ORE: (0.8, 0.693),
}
"""Half of a vein's length and its mean radius [blocks].

Both are set so that the mean number of blocks in a chunk is Minecraft's; the numbers of veins and
their heights are Minecraft's own. The order is that of generation: no vein replaces an earlier one.
"""


class Purpose(IntEnum):
    """What a number is drawn for; all of them in the stream of `GENERATION_STEP`."""

    BIOME_COUNT = 1
    BIOME = 2  # ... + 2
    HOME = 5  # ... + 1
    SITE = 7  # ... + 5
    LAKE = 13  # ... + 2
    YAW = 16
    HEIGHT = 20  # ... + octave
    BORDER = 30  # ... + biome of the world
    SHORE = 34
    GROUND_PATCH = 35
    COLUMN = 36
    VEIN = 40  # ... + kind of vein
    CAVE = 50
    TREE_ROW = 51
    TREE = 52
    PLANT = 53
    DESCENT = 54
    RAVINE = 55


GENERATION_STEP = -1
"""Takes the place of the step in the hash, so that no draw in play repeats one of these."""


@wp.struct
class GenerationRules:
    """Constant tables. Chances as `chances` gives them; totals run over the biomes."""

    seed: int
    first_world: int
    size: int
    height: int
    home_total: wp.array[int]
    area_weight: wp.array[int]
    wooded_weight: wp.array[int]
    # By biome
    is_wooded: wp.array[int]
    rise: wp.array[float]
    relief: wp.array[float]
    surface: wp.array[int]
    tree_chance: wp.array[int]
    wood_total: wp.array2d[int]
    tuft_chance: wp.array[int]
    flower_chance: wp.array[int]
    cactus_chance: wp.array[int]
    # By wood
    log: wp.array[int]
    leaves: wp.array[int]
    # By kind of vein
    vein_block: wp.array[int]
    vein_tries: wp.array[int]
    vein_low: wp.array[int]
    vein_span: wp.array[int]
    vein_is_triangular: wp.array[int]
    vein_half_length: wp.array[float]
    vein_radius: wp.array[float]


def make_generation_rules(config: VoxelConfig, device: str, **identity: int) -> Any:
    """The `GenerationRules` for one device; `identity` is seed and first world."""
    numbers = {"size": config.size, "height": config.height, **identity}
    return filled(GenerationRules, numbers | _land() | _plants() | _veins(), device)


def home_shares() -> np.ndarray:
    """Probability of each biome around the start, shape (biome,)."""
    shares = biomes.BIOME_SPAWN.astype(np.float64)
    shares[Biome.JUNGLE] = 0.0
    shares *= (1.0 - JUNGLE_WORLDS) / shares.sum()
    shares[Biome.JUNGLE] = JUNGLE_WORLDS
    return shares


def _land() -> dict[str, np.ndarray]:
    area = biomes.BIOME_AREA.astype(np.float64)
    area[Biome.JUNGLE] = 0.0
    is_wooded = biomes.BIOME_TREES >= WOODED
    return {
        "home_total": chances(np.cumsum(home_shares())),
        "area_weight": chances(area / area.sum()),
        "wooded_weight": chances(area * is_wooded / area.sum()),
        "is_wooded": is_wooded.astype(np.int32),
        "rise": np.array([LAND[biome][0] for biome in Biome], np.float32),
        "relief": np.array([LAND[biome][1] for biome in Biome], np.float32),
        "surface": biomes.BIOME_SURFACE,
    }


def _plants() -> dict[str, np.ndarray]:
    columns = CHUNK * CHUNK
    flowers = np.array([LAND[biome][2] for biome in Biome])
    # Dark oaks are two blocks thick and may stand in every other cell only.
    cells = np.full(len(Biome), columns / TREE_CELL**2)
    cells[biomes.BIOME_WOOD_SHARE[:, Wood.DARK_OAK] > 0.0] /= 2
    return {
        "tree_chance": chances(biomes.BIOME_TREES / cells),
        "wood_total": chances(np.cumsum(biomes.BIOME_WOOD_SHARE.astype(np.float64), axis=1)),
        "tuft_chance": chances(biomes.BIOME_GRASS_TUFTS / columns),
        "flower_chance": chances(flowers / columns),
        # Cacti stand in every other column only: they never touch.
        "cactus_chance": chances(biomes.BIOME_CACTI / (columns / 2)),
        "log": biomes.WOOD_LOG,
        "leaves": biomes.WOOD_LEAVES,
    }


def _veins() -> dict[str, np.ndarray]:
    veins = [VEINS[block] for block in VEIN_SHAPE]
    half_length, radius = np.array(list(VEIN_SHAPE.values()), np.float32).T
    return {
        "vein_block": np.array([vein.block for vein in veins], np.int32),
        "vein_tries": np.array([vein.tries for vein in veins], np.int32),
        "vein_low": np.array([vein.y_min for vein in veins], np.int32),
        "vein_span": np.array([vein.y_max - vein.y_min for vein in veins], np.int32),
        "vein_is_triangular": np.array([vein.shape == "triangular" for vein in veins], np.int32),
        "vein_half_length": half_length,
        "vein_radius": radius,
    }

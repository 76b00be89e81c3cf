"""Trees and other plants: on soil, whole, and as many as the tables of the biomes say."""

import functools

import numpy as np
import pytest

from lapis.minecraft.biomes import (
    BIOME_CACTI,
    BIOME_GRASS_TUFTS,
    BIOME_TREES,
    BIOME_WOOD_SHARE,
    WOOD_LEAVES,
    WOOD_LOG,
    Biome,
    Wood,
)
from lapis.minecraft.blocks import Block
from tests.worlds.voxel.generated_worlds import (
    EARTH,
    LEAVES,
    LOGS,
    PLANTS,
    Worlds,
    generate,
    highest,
    is_any,
    neighbors,
)

WORLD_COUNT = 120


@functools.cache
def worlds() -> Worlds:
    return generate(WORLD_COUNT, size=64, seed=5)


@functools.cache
def soil() -> np.ndarray:
    """The block that each column of ground ends with, shape (world, x, z)."""
    blocks = worlds().blocks
    surface = highest(is_any(blocks, EARTH))
    return np.take_along_axis(blocks, surface[..., None], axis=3)[..., 0]


def below(blocks: np.ndarray) -> np.ndarray:
    """The block under each place."""
    return np.concatenate([np.full_like(blocks[..., :1], Block.BEDROCK), blocks[..., :-1]], axis=3)


@functools.cache
def trunks(wood: Wood) -> np.ndarray:
    """Whether a column holds the lowest log of a trunk, shape (world, x, z)."""
    log = worlds().blocks == WOOD_LOG[wood]
    return (log & ~is_any(below(worlds().blocks), LOGS)).any(axis=3)


@functools.cache
def corners(wood: Wood) -> np.ndarray:
    """One column of each tree: trunks of dark oaks have four."""
    columns = trunks(wood)
    if wood == Wood.DARK_OAK:
        return columns & ~np.roll(columns, 1, axis=1) & ~np.roll(columns, 1, axis=2)
    return columns


@functools.cache
def far_from_home() -> np.ndarray:
    x, _, z = worlds().cells().T[..., None]
    place = np.arange(64)
    away_x, away_z = (np.abs((place - home + 32) % 64 - 32) > 4 for home in (x, z))
    return away_x[:, :, None] | away_z[:, None, :]


def test_every_world_has_wood():
    logs = is_any(worlds().blocks, LOGS).sum(axis=(1, 2, 3))
    assert logs.min() >= 20


def test_trunks_stand_on_grass():
    blocks = worlds().blocks
    log = is_any(blocks, LOGS)
    under = below(blocks)[log]
    assert log.any()
    assert is_any(under, (*LOGS, Block.GRASS)).all()


def test_trees_of_each_wood_have_leaves_of_their_own():
    blocks = worlds().blocks
    for wood in Wood:
        log = blocks == WOOD_LOG[wood]
        leaves = blocks == WOOD_LEAVES[wood]
        assert log.any()
        world, x, z, y = np.nonzero(log & ~np.roll(log, -1, axis=3))
        beside = leaves[world, x, z, y + 1]
        for dx, dz in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            for dy in (0, 1):
                beside |= leaves[world, (x + dx) % 64, (z + dz) % 64, y + dy]
        assert beside.mean() > 0.95, wood


def test_no_leaves_hang_far_from_logs_of_their_wood():
    blocks = worlds().blocks
    for wood in Wood:
        columns = (blocks == WOOD_LOG[wood]).any(axis=3)
        near = np.zeros_like(columns)
        for dx in range(-3, 4):
            for dz in range(-3, 4):
                near |= np.roll(columns, (dx, dz), axis=(1, 2))
        leaves = (blocks == WOOD_LEAVES[wood]).any(axis=3)
        assert not (leaves & ~near).any(), wood


def test_trees_per_chunk_are_those_of_the_biome():
    for biome in Biome:
        here = (worlds().biome == biome) & far_from_home()
        places = (here & (soil() == Block.GRASS)).sum()
        for wood in Wood:
            count = (corners(wood) & here).sum()
            expected = BIOME_TREES[biome] * BIOME_WOOD_SHARE[biome, wood] * places / 256
            # Trees of neighboring cells are independent, so counts spread like Poisson's or less;
            # the thick trunks of dark oaks find no room at shores and borders.
            allowed = 4 * np.sqrt(expected) + (0.12 * expected if wood == Wood.DARK_OAK else 0)
            assert abs(count - expected) <= allowed, (biome, wood)


def test_trunks_of_two_trees_never_touch():
    for wood in set(Wood) - {Wood.DARK_OAK}:
        columns = trunks(wood)
        for beside in neighbors(columns):
            assert not (columns & beside).any(), wood


def test_jungle_trees_are_tall_and_dark_oaks_thick():
    logs = {wood: (worlds().blocks == WOOD_LOG[wood]).sum(axis=3) for wood in Wood}
    assert logs[Wood.JUNGLE].max() >= 12
    assert logs[Wood.OAK].max() == 6
    assert logs[Wood.BIRCH].max() == 7
    thick = trunks(Wood.DARK_OAK)
    partners = sum(beside.astype(int) for beside in neighbors(thick))
    assert (partners[thick] >= 2).all()


def test_plants_stand_on_grass_under_the_trees_or_the_sky():
    blocks = worlds().blocks
    plant = is_any(blocks, PLANTS)
    assert (below(blocks)[plant] == Block.GRASS).all()
    for block in PLANTS:
        assert (blocks == block).any()


@pytest.mark.parametrize("biome", [Biome.PLAINS, Biome.SAVANNA, Biome.JUNGLE])
def test_tufts_per_chunk_are_those_of_the_biome(biome):
    here = (worlds().biome == biome) & far_from_home()
    blocks = worlds().blocks
    free = ~is_any(blocks, (*LOGS, *LEAVES)) & (below(blocks) == Block.GRASS)
    places = (free.any(axis=3) & here).sum()
    count = ((blocks == Block.TALL_GRASS).any(axis=3) & here).sum()
    expected = BIOME_GRASS_TUFTS[biome] * places / 256
    assert abs(count - expected) < 4 * np.sqrt(expected)


def test_cacti_stand_on_sand_and_touch_nothing():
    blocks = worlds().blocks
    cactus = blocks == Block.CACTUS
    assert is_any(below(blocks)[cactus], (Block.SAND, Block.CACTUS)).all()
    solid = is_any(blocks, (*EARTH, Block.CACTUS))
    for beside in neighbors(solid):
        assert not (cactus & beside).any()
    height = cactus.sum(axis=3)
    assert set(np.unique(height)) == {0, 1, 2, 3}
    desert = worlds().biome == Biome.DESERT
    assert not cactus[~desert].any()
    # Slopes bear none, so there are somewhat fewer than in the table.
    per_chunk = (height[desert & (soil() == Block.SAND)] > 0).mean() * 256
    assert 0.4 * BIOME_CACTI[Biome.DESERT] < per_chunk <= BIOME_CACTI[Biome.DESERT]


def test_leaves_and_plants_leave_the_ground_whole():
    blocks = worlds().blocks
    green = is_any(blocks, (*LEAVES, *LOGS, *PLANTS))
    above = np.flip(np.cumsum(np.flip(is_any(blocks, EARTH), axis=3), axis=3), axis=3)
    # Grass may overhang a cave's mouth, so that few columns have green under ground.
    assert (above[green] > 0).mean() < 0.001


def test_every_world_has_wood_for_all_goals():
    logs = is_any(generate(128, size=64, seed=0).blocks, LOGS).sum(axis=(1, 2, 3))
    # The trees of a swamp alone can be as few as 16 logs, in this seed.
    assert logs.min() >= 32

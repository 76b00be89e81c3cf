import numpy as np
import pytest

from lapis.minecraft.biomes import (
    BIOME_AREA,
    BIOME_CACTI,
    BIOME_GRASS_TUFTS,
    BIOME_SPAWN,
    BIOME_SURFACE,
    BIOME_TREES,
    BIOME_WOOD_SHARE,
    WOOD_LEAVES,
    WOOD_LOG,
    Biome,
    Wood,
)
from lapis.minecraft.blocks import Block
from lapis.minecraft.foods import EAT_TICKS, FOOD_ITEM, FOOD_POINTS, FOOD_SATURATION
from lapis.minecraft.items import ITEM


@pytest.mark.parametrize(
    ("biome", "trees"),
    [
        (Biome.FOREST, 10),
        (Biome.BIRCH_FOREST, 10),
        (Biome.TAIGA, 10),
        (Biome.JUNGLE, 50),
        (Biome.SAVANNA, 1),
        (Biome.SWAMP, 2),
        (Biome.PLAINS, 0.05),
        (Biome.EXTREME_HILLS, 0.1),
        (Biome.DESERT, 0),
    ],
)
def test_trees_per_chunk(biome, trees):
    assert BIOME_TREES[biome] == pytest.approx(trees)


def test_wood_shares_sum_to_one_where_trees_stand():
    sums = BIOME_WOOD_SHARE.sum(1)
    np.testing.assert_allclose(sums[BIOME_TREES > 0], 1, atol=1e-6)  # float32
    assert (sums[BIOME_TREES == 0] == 0).all()
    assert BIOME_WOOD_SHARE[Biome.FOREST, Wood.OAK] == pytest.approx(0.8)


def test_every_wood_grows_somewhere():
    assert (BIOME_WOOD_SHARE.max(0) > 0).all()


def test_players_start_in_the_spawn_biomes_of_the_game():
    start = {biome for biome in Biome if BIOME_SPAWN[biome] > 0}
    assert start == {Biome.PLAINS, Biome.FOREST, Biome.TAIGA, Biome.JUNGLE}
    assert BIOME_SPAWN.sum() == pytest.approx(1)


def test_area_shares_follow_from_the_stated_zones():
    # Three zones share 98 %: plains is 1/6 of the warm, 1/6 of the medium and 1/4 of the cool one.
    assert BIOME_AREA[Biome.PLAINS] == pytest.approx(0.98 / 3 * (1 / 6 + 1 / 6 + 1 / 4), rel=1e-4)
    assert BIOME_AREA[Biome.DESERT] == pytest.approx(0.98 / 3 * 3 / 6, rel=1e-4)
    assert BIOME_AREA.sum() == pytest.approx(1)


def test_only_the_desert_is_sand_and_grows_cacti():
    assert {Biome(b) for b in np.flatnonzero(BIOME_SURFACE == Block.SAND)} == {Biome.DESERT}
    assert {Biome(b) for b in np.flatnonzero(BIOME_CACTI)} == {Biome.DESERT}


def test_tufts_of_grass():
    expected = {Biome.PLAINS: 10, Biome.JUNGLE: 25, Biome.SAVANNA: 20, Biome.FOREST: 2}
    assert {biome: int(BIOME_GRASS_TUFTS[biome]) for biome in expected} == expected


def test_woods_name_their_blocks():
    assert WOOD_LOG[Wood.DARK_OAK] == Block.DARK_OAK_LOG
    assert WOOD_LEAVES[Wood.SPRUCE] == Block.SPRUCE_LEAVES


def test_an_apple_restores_four_points():
    apple = ITEM["apple"]
    assert list(FOOD_ITEM) == [apple]
    assert (FOOD_POINTS[apple], EAT_TICKS) == (4, 32)
    assert FOOD_SATURATION[apple] == pytest.approx(2.4)
    assert FOOD_POINTS.sum() == 4

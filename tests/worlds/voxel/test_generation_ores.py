"""Ores and caves: as many blocks as Minecraft has, at its heights."""

import functools

import numpy as np
import pytest

from lapis.minecraft.biomes import Biome
from lapis.minecraft.blocks import Block
from lapis.minecraft.ores import VEINS
from lapis.worlds.voxel.generation.rules import VEIN_SHAPE
from tests.worlds.voxel.generated_worlds import (
    EARTH,
    ORES,
    Worlds,
    generate,
    highest,
    is_any,
    neighbors,
)

WORLD_COUNT = 64
CHUNK_COUNT = 16 * WORLD_COUNT
RANGES = {
    Block.COAL_ORE: (120, 140),
    Block.IRON_ORE: (70, 80),
    Block.GOLD_ORE: (7, 8),
    Block.REDSTONE_ORE: (24, 25),
    Block.DIAMOND_ORE: (2.6, 3.4),
    Block.LAPIS_ORE: (3, 4),
}


@functools.cache
def worlds(caves: bool) -> Worlds:
    return generate(WORLD_COUNT, size=64, seed=8, caves=caves)


def per_chunk(cells: np.ndarray) -> np.ndarray:
    chunks = cells.reshape(WORLD_COUNT, 4, 16, 4, 16, -1)
    return chunks.sum(axis=(2, 4, 5)).ravel()


@pytest.mark.parametrize("caves", [False, True])
@pytest.mark.parametrize("ore", RANGES, ids=lambda ore: ore.name)
def test_ores_per_chunk_are_those_of_minecraft(ore, caves):
    counts = per_chunk(worlds(caves).blocks == ore)
    low, high = RANGES[ore]
    margin = 3 * counts.std() / np.sqrt(CHUNK_COUNT)
    assert margin < 0.1 * low
    assert low - margin <= counts.mean() <= high + margin


@pytest.mark.parametrize("block", VEIN_SHAPE, ids=lambda block: block.name)
def test_veins_lie_at_their_heights(block):
    vein = VEINS[block]
    deep = worlds(False).blocks[..., : 56 if block in (Block.DIRT, Block.GRAVEL) else None]
    heights = np.nonzero(deep == block)[3]
    reach = sum(VEIN_SHAPE[block]) * 1.15 + 0.5
    assert heights.min() >= max(1, vein.y_min - reach)
    assert heights.max() < vein.y_max + reach
    if vein.shape == "triangular":
        assert abs(heights.mean() - 15) < 1
    elif vein.y_max <= 32:
        # The ends are thinned out by bedrock, and by veins that reach beyond them.
        assert abs(heights.mean() - vein.y_max / 2) < 2


@pytest.mark.parametrize("block", [Block.DIRT, Block.GRAVEL])
def test_pockets_in_the_stone_are_as_common_as_the_table_says(block):
    land = highest(is_any(worlds(False).blocks, (*EARTH, *ORES))).mean()
    deep = per_chunk(worlds(False).blocks[..., 5:55] == block).mean()
    assert deep * land / 50 == pytest.approx(VEINS[block].blocks_per_chunk, rel=0.12)


def test_ores_replace_stone_alone():
    blocks = worlds(False).blocks
    surface = highest(is_any(blocks, (*EARTH, *ORES)))
    top_block = np.take_along_axis(blocks, surface[..., None], axis=3)[..., 0]
    # Stone comes up to the surface among hills only.
    bare = is_any(top_block, (Block.STONE, *ORES))
    assert bare.any()
    assert (worlds(False).biome[bare] == Biome.EXTREME_HILLS).all()
    under_ground = (np.arange(96) > 4) & (np.arange(96) <= surface[..., None])
    assert is_any(blocks[under_ground], (*EARTH, *ORES)).all()
    for layer in range(1, 4):
        below = np.take_along_axis(blocks, surface[..., None] - layer, axis=3)[..., 0]
        assert not is_any(below[~bare & (top_block != Block.CLAY)], ORES).any()


def test_veins_hold_together():
    iron = worlds(False).blocks == Block.IRON_ORE
    touching = np.zeros_like(iron)
    for beside in neighbors(iron):
        touching |= beside
    touching[..., 1:] |= iron[..., :-1]
    touching[..., :-1] |= iron[..., 1:]
    assert touching[iron].mean() > 0.85


def test_caves_open_some_of_the_ground_and_of_its_surface():
    before, after = worlds(False).blocks, worlds(True).blocks
    ground = is_any(before, (*EARTH, *ORES))
    opened = ground & is_any(after, (Block.AIR, Block.LAVA))
    assert 0.03 < opened.sum() / ground.sum() < 0.08
    surface = highest(is_any(before, (*EARTH, *ORES)))
    broken = np.take_along_axis(after, surface[..., None], axis=3)[..., 0] == Block.AIR
    worlds_with_entry = broken.any(axis=(1, 2)).mean()
    assert worlds_with_entry > 0.8
    assert broken.mean() < 0.05


def test_caves_are_high_enough_to_walk_in_and_show_ores():
    after = worlds(True).blocks[..., 11:55]
    air = after == Block.AIR
    two_high = air[..., :-1] & air[..., 1:]
    walkable = np.zeros_like(air)
    walkable[..., :-1] |= two_high
    walkable[..., 1:] |= two_high
    assert walkable[air].mean() > 0.9
    ore = is_any(after, ORES)
    beside_air = np.zeros_like(ore)
    for beside in neighbors(air):
        beside_air |= beside
    assert (ore & beside_air).sum() / WORLD_COUNT > 20


def test_some_caves_are_chambers():
    air = worlds(True).blocks[..., 12:50] == Block.AIR
    side = air.copy()
    for shift in range(1, 5):
        side &= np.roll(air, shift, axis=1)
    for shift in range(1, 5):
        air = air & np.roll(side, shift, axis=2)
    assert (air & side).any(axis=(1, 2, 3)).mean() > 0.5


def test_caves_change_nothing_but_the_ground():
    before, after = worlds(False).blocks, worlds(True).blocks
    for block in (Block.BEDROCK, Block.WATER):
        np.testing.assert_array_equal(before == block, after == block)

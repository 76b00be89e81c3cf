"""The generated land: blocks in their places, no seams, a safe start, exact summaries."""

import functools

import numpy as np
import pytest

from lapis.minecraft.biomes import BIOME_SPAWN, Biome
from lapis.minecraft.blocks import NATURAL, SOLID, Block
from lapis.minecraft.ores import BEDROCK_TOP, LAVA_LEVEL
from lapis.worlds.voxel.config import SEA_LEVEL
from lapis.worlds.voxel.generation.rules import JUNGLE_WORLDS, SKY
from tests.worlds.voxel.generated_worlds import (
    EARTH,
    LEAVES,
    LOGS,
    ORES,
    Worlds,
    generate,
    highest,
    is_any,
    neighbors,
)


@functools.cache
def many() -> Worlds:
    return generate(100)


@functools.cache
def uncarved() -> Worlds:
    return generate(100, caves=False)


def ground() -> np.ndarray:
    """The y of the highest block of ground before caves, shape (world, x, z)."""
    return highest(is_any(uncarved().blocks, (*EARTH, *ORES)))


def test_every_block_is_one_that_nature_makes():
    assert NATURAL[np.unique(many().blocks)].all()


def test_the_floor_is_bedrock_and_ragged():
    bedrock = many().blocks == Block.BEDROCK
    assert bedrock[..., 0].all()
    assert not bedrock[..., BEDROCK_TOP + 1 :].any()
    shares = bedrock.mean(axis=(0, 1, 2))[1 : BEDROCK_TOP + 1]
    np.testing.assert_allclose(shares, [0.8, 0.6, 0.4, 0.2], atol=0.02)


def test_lava_lies_below_its_level_alone_and_fills_the_caves_there():
    blocks = many().blocks
    assert (blocks == Block.LAVA).any()
    assert not (blocks[..., LAVA_LEVEL:] == Block.LAVA).any()
    assert not (blocks[..., :LAVA_LEVEL] == Block.AIR).any()


def test_water_fills_what_is_open_up_to_the_sea_level():
    wet = ground() < SEA_LEVEL
    assert 0.02 < wet.mean() < 0.3
    blocks = many().blocks
    water = blocks == Block.WATER
    assert (water[..., SEA_LEVEL] == wet).all()
    assert not water[..., SEA_LEVEL + 1 :].any()
    assert not water[~wet].any()


def test_water_has_no_air_or_lava_beside_or_below_it():
    blocks = many().blocks
    water = blocks == Block.WATER
    empty = is_any(blocks, (Block.AIR, Block.LAVA))
    for beside in neighbors(empty):
        assert not (water & beside).any()
    assert not (water[..., 1:] & empty[..., :-1]).any()


def test_every_world_has_water_and_sand():
    blocks = many().blocks.reshape(100, -1)
    assert (blocks == Block.WATER).any(axis=1).all()
    assert (blocks == Block.SAND).any(axis=1).mean() > 0.95
    assert (blocks == Block.CLAY).any(axis=1).mean() > 0.5


def test_land_is_mostly_between_60_and_80_and_leaves_room_for_trees():
    worlds = generate(60, size=64, caves=False)
    heights = highest(is_any(worlds.blocks, (*EARTH, *ORES)))
    assert heights.max() <= 96 - SKY
    assert ((heights >= 60) & (heights <= 80)).mean() > 0.9
    hilly = heights[worlds.biome == Biome.EXTREME_HILLS]
    flat = heights[worlds.biome == Biome.PLAINS]
    assert hilly.mean() > flat.mean() + 4
    assert heights[worlds.biome == Biome.SWAMP].mean() < SEA_LEVEL + 3


@pytest.mark.parametrize("height", [80, 128])
def test_other_heights_work(height):
    worlds = generate(20, height=height)
    surface = highest(is_any(worlds.blocks, EARTH))
    assert surface.max() <= height - SKY
    assert (surface >= SEA_LEVEL).mean() > 0.5


@pytest.mark.parametrize("axis", [1, 2])
def test_there_is_no_seam_where_the_world_wraps_around(axis):
    heights = ground()
    steps = np.abs(heights - np.roll(heights, 1, axis))
    assert steps.max() > 0
    by_place = steps.mean(axis=(0, 3 - axis))
    # Columns of one world go up and down together: the spread over worlds gives the error.
    error = steps.mean(axis=3 - axis)[:, 0].std() / np.sqrt(len(steps))
    assert abs(by_place[0] - by_place[1:].mean()) < 4 * error


def test_biomes_do_not_break_at_the_wrap():
    biome = many().biome
    changes = (biome != np.roll(biome, 1, axis=1)).mean(axis=(0, 2))
    assert changes[0] < 2 * changes[1:].mean()


def test_worlds_have_two_or_three_biomes():
    counts = [len(np.unique(biome)) for biome in many().biome]
    assert set(counts) == {2, 3}
    assert 0.3 < np.mean(np.array(counts) == 2) < 0.7


def test_biomes_around_the_start_follow_the_table_and_a_fifth_are_jungles():
    worlds = generate(1500, size=16)
    x, _, z = worlds.cells().T
    home = worlds.biome[np.arange(1500), x, z]
    shares = BIOME_SPAWN * (1 - JUNGLE_WORLDS) / (1 - BIOME_SPAWN[Biome.JUNGLE])
    shares[Biome.JUNGLE] = 0.2
    for biome in Biome:
        error = np.sqrt(shares[biome] * (1 - shares[biome]) / 1500)
        assert abs((home == biome).mean() - shares[biome]) <= 4 * error, biome
    has_jungle = (worlds.biome == Biome.JUNGLE).any(axis=(1, 2))
    assert abs(has_jungle.mean() - 0.2) < 4 * np.sqrt(0.2 * 0.8 / 1500)


@pytest.mark.parametrize("size", [16, 32, 64])
def test_players_start_on_dry_ground_under_the_open_sky(size):
    worlds = generate(100, size=size, seed=11)
    state = worlds.state
    position = state.position.numpy()
    row = np.arange(100)
    x, y, z = worlds.cells().T
    np.testing.assert_array_equal(position[:, [0, 2]] % 1, 0.5)
    np.testing.assert_array_equal(position[:, 1], y)
    columns = worlds.blocks[row, x, z]
    below = columns[row, y - 1]
    assert SOLID[below].all()
    assert is_any(below, EARTH).all()
    above = np.arange(96) >= y[:, None]
    assert (columns[above] == Block.AIR).all()
    assert (state.on_ground == 1).all()
    np.testing.assert_array_equal(state.fall_from.numpy(), y)
    assert not state.velocity.any()
    assert not state.pitch.any()


def test_neither_trees_nor_liquids_touch_the_player_at_the_start():
    worlds = generate(100, size=64, seed=12)
    touching = (*LOGS, *LEAVES, Block.WATER, Block.LAVA, Block.CACTUS)
    for world, (x, y, z) in enumerate(worlds.cells()):
        around = worlds.blocks[world].take(range(x - 1, x + 2), axis=0, mode="wrap")
        around = around.take(range(z - 1, z + 2), axis=1, mode="wrap")
        assert not is_any(around[..., y : y + 2], touching).any()


def test_players_look_in_all_directions():
    yaw = generate(200, size=16).state.yaw.numpy()
    assert yaw.min() >= 0
    assert yaw.max() < 3600
    assert (np.bincount(yaw // 900, minlength=4) > 25).all()


def test_torches_are_gone():
    worlds = Worlds(2)
    worlds.state.torch.fill_(5)
    worlds.state.torch_count.fill_(5)
    worlds.generate()
    assert (worlds.state.torch == -1).all()
    assert (worlds.state.torch_count == 0).all()


@pytest.mark.parametrize("size", [16, 32, 64])
def test_summaries_say_what_the_blocks_say(size):
    worlds = generate(8, size=size)
    filled = worlds.blocks != Block.AIR
    np.testing.assert_array_equal(worlds.state.top.numpy(), highest(filled) + 1)
    cubes = filled.reshape(8, size // 4, 4, size // 4, 4, 24, 4).any(axis=(2, 4, 6))
    np.testing.assert_array_equal(worlds.state.bricks.numpy(), cubes)
    layers = cubes.any((1, 2)) * np.arange(1, 25)
    np.testing.assert_array_equal(worlds.state.ceiling.numpy(), layers.max(1))

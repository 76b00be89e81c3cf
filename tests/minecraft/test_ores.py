import pytest

from lapis.minecraft.blocks import Block
from lapis.minecraft.ores import VEINS, expected_density

SETTINGS = {  # size, tries, y min, y max (exclusive)
    Block.COAL_ORE: (17, 20, 0, 128),
    Block.IRON_ORE: (9, 20, 0, 64),
    Block.GOLD_ORE: (9, 2, 0, 32),
    Block.REDSTONE_ORE: (8, 8, 0, 16),
    Block.DIAMOND_ORE: (8, 1, 0, 16),
    Block.LAPIS_ORE: (7, 1, 0, 31),
    Block.GRAVEL: (33, 8, 0, 256),
    Block.DIRT: (33, 10, 0, 256),
}


def test_vein_settings_are_the_defaults_of_the_game():
    found = {b: (v.size, v.tries, v.y_min, v.y_max) for b, v in VEINS.items()}
    assert found == SETTINGS


def test_diamond_density_by_hand():
    # 3 blocks a chunk over 16 layers of 256 blocks.
    assert expected_density(Block.DIAMOND_ORE, 11) == pytest.approx(3 / 16 / 256)
    assert expected_density(Block.DIAMOND_ORE, 16) == 0.0


def test_coal_density_by_hand():
    # 130 blocks a chunk over 128 layers of 256 blocks.
    assert expected_density(Block.COAL_ORE, 60) == pytest.approx(130 / 128 / 256)
    assert expected_density(Block.COAL_ORE, 128) == 0.0


def test_lapis_lies_in_a_triangle_around_y_15():
    # The sum of two draws from 0..15 is 15 in 16 of 256 cases, 0 and 30 in one.
    assert expected_density(Block.LAPIS_ORE, 15) == pytest.approx(3.5 * 16 / 256 / 256)
    assert expected_density(Block.LAPIS_ORE, 0) == pytest.approx(3.5 / 256 / 256)
    assert expected_density(Block.LAPIS_ORE, 30) == pytest.approx(3.5 / 256 / 256)
    assert expected_density(Block.LAPIS_ORE, 31) == 0.0


def test_densities_sum_to_the_blocks_of_a_chunk():
    for block, vein in VEINS.items():
        total = sum(expected_density(block, y) for y in range(256)) * 256
        assert total == pytest.approx(vein.blocks_per_chunk), block


def test_mean_blocks_lie_in_the_quoted_ranges():
    quoted = {
        Block.COAL_ORE: (120, 140),
        Block.IRON_ORE: (70, 80),
        Block.GOLD_ORE: (7, 8),
        Block.REDSTONE_ORE: (24, 25),
        Block.DIAMOND_ORE: (3, 3),
        Block.LAPIS_ORE: (3, 4),
    }
    for block, (low, high) in quoted.items():
        assert low <= VEINS[block].blocks_per_chunk <= high


def test_veins_hold_fewer_blocks_than_their_size():
    for vein in VEINS.values():
        assert 0 < vein.blocks_per_vein < vein.size
    assert VEINS[Block.COAL_ORE].blocks_per_vein == 6.5


def test_a_block_without_veins_is_named_in_the_error():
    with pytest.raises(ValueError, match=r"Block.PLANKS.* forms no veins"):
        expected_density(Block.PLANKS, 10)

import numpy as np
import pytest

from lapis.minecraft.blocks import (
    BLOCK_OF_ITEM,
    BLOCK_TOOL,
    BLOCK_TOOL_REQUIRED,
    DROP_CHANCE,
    DROP_ITEM,
    DROP_MAX,
    DROP_MIN,
    EXPERIENCE_MAX,
    EXPERIENCE_MIN,
    HARDNESS,
    NATURAL,
    REPLACEABLE,
    SOLID,
    UNBREAKABLE,
    Block,
)
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.tools import ToolKind


def outcomes(block):
    return {
        ITEMS[item]: (int(low), int(high), round(float(chance), 4))
        for item, low, high, chance in zip(
            DROP_ITEM[block], DROP_MIN[block], DROP_MAX[block], DROP_CHANCE[block], strict=True
        )
        if item >= 0
    }


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (Block.STONE, {"cobblestone": (1, 1, 1.0)}),
        (Block.GRASS, {"dirt": (1, 1, 1.0)}),
        (Block.GRAVEL, {"flint": (1, 1, 0.1), "gravel": (1, 1, 0.9)}),
        (Block.CLAY, {"clay_ball": (4, 4, 1.0)}),
        (Block.OAK_LEAVES, {"sapling": (1, 1, 0.05), "apple": (1, 1, 0.005)}),
        (Block.DARK_OAK_LEAVES, {"sapling": (1, 1, 0.05), "apple": (1, 1, 0.005)}),
        (Block.BIRCH_LEAVES, {"sapling": (1, 1, 0.05)}),
        (Block.JUNGLE_LEAVES, {"sapling": (1, 1, 0.025)}),
        (Block.TALL_GRASS, {"wheat_seeds": (1, 1, 0.125)}),
        (Block.ACACIA_LOG, {"log": (1, 1, 1.0)}),
        (Block.COAL_ORE, {"coal": (1, 1, 1.0)}),
        (Block.IRON_ORE, {"iron_ore": (1, 1, 1.0)}),
        (Block.LAPIS_ORE, {"dye": (4, 8, 1.0)}),
        (Block.REDSTONE_ORE, {"redstone": (4, 5, 1.0)}),
        (Block.DIAMOND_ORE, {"diamond": (1, 1, 1.0)}),
        (Block.GLASS, {}),
        (Block.BEDROCK, {}),
        (Block.CRAFTING_TABLE, {"crafting_table": (1, 1, 1.0)}),
    ],
    ids=lambda value: value.name.lower() if isinstance(value, Block) else "",
)
def test_drops(block, expected):
    assert outcomes(block) == expected


def test_chances_of_a_block_never_exceed_one():
    assert (DROP_CHANCE.sum(1) <= 1 + 1e-6).all()  # float32 rounding of 0.1 + 0.9
    assert (DROP_MIN <= DROP_MAX).all()
    assert (DROP_CHANCE[DROP_ITEM < 0] == 0).all()
    assert (DROP_MIN[DROP_ITEM >= 0] >= 1).all()


@pytest.mark.parametrize(
    ("block", "low", "high"),
    [
        (Block.COAL_ORE, 0, 2),
        (Block.LAPIS_ORE, 2, 5),
        (Block.REDSTONE_ORE, 1, 5),
        (Block.DIAMOND_ORE, 3, 7),
        (Block.IRON_ORE, 0, 0),
        (Block.STONE, 0, 0),
    ],
)
def test_experience(block, low, high):
    assert (EXPERIENCE_MIN[block], EXPERIENCE_MAX[block]) == (low, high)


def test_placing_a_block_and_breaking_it_gives_the_item_back():
    # Stone and gravel change when dug, glass breaks, the rest is the item that was placed.
    exceptions = {"stone": "cobblestone", "glass": None}
    for item in np.flatnonzero(BLOCK_OF_ITEM):
        name = ITEMS[item]
        given = exceptions.get(name, name)
        drops = outcomes(Block(BLOCK_OF_ITEM[item]))
        if given is None:
            assert drops == {}
        else:
            assert given in drops, name


def test_placed_wood_is_oak():
    assert BLOCK_OF_ITEM[ITEM["log"]] == Block.OAK_LOG
    assert BLOCK_OF_ITEM[ITEM["sapling"]] == Block.OAK_SAPLING


def test_what_is_no_block_places_nothing():
    for name in ("stick", "coal", "iron_pickaxe", "dye", "boat", "quartz"):
        assert BLOCK_OF_ITEM[ITEM[name]] == Block.AIR


def test_only_liquids_air_and_bedrock_are_unbreakable():
    unbreakable = {block for block in Block if HARDNESS[block] == UNBREAKABLE}
    assert unbreakable == {Block.AIR, Block.WATER, Block.LAVA, Block.BEDROCK}


def test_bodies_pass_through_plants_and_liquids_only():
    passable = {block for block in Block if NATURAL[block] and not SOLID[block]}
    plants = {Block.TALL_GRASS, Block.RED_FLOWER, Block.YELLOW_FLOWER}
    assert passable == {Block.AIR, Block.WATER, Block.LAVA} | plants
    replaceable = {block for block in Block if REPLACEABLE[block]}
    assert replaceable == {Block.AIR, Block.WATER, Block.LAVA, Block.TALL_GRASS}


def test_a_required_tool_is_always_a_pickaxe():
    required = BLOCK_TOOL_REQUIRED & (HARDNESS != UNBREAKABLE)
    assert (BLOCK_TOOL[required] == ToolKind.PICKAXE).all()
    assert required.sum() > 20


def test_blocks_fit_one_byte():
    assert max(Block) < 256
    assert [int(block) for block in Block] == list(range(len(Block)))

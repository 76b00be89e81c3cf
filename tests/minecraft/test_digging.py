import pytest

from lapis.minecraft.blocks import Block
from lapis.minecraft.digging import DIG_TICKS, HARVESTS, NEVER, dig_ticks, harvests
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.tools import (
    DURABILITY,
    HAND_TIER,
    TOOL_KIND,
    TOOL_TIER,
    TOOLS,
    WEAR_PER_BLOCK,
    ToolKind,
)

MATERIALS = ("wooden", "stone", "iron", "diamond", "golden")

# Ticks by hand and with the right tool of wood, stone, iron, diamond and gold, as the Minecraft
# wiki prints them (page Breaking); in brackets where the block breaks but gives nothing.
SHOVEL_05 = ("shovel", "15 8 4 3 2 2")
AXE_2 = ("axe", "60 30 15 10 8 5")
AXE_25 = ("axe", "75 38 19 13 10 7")
IRON_TIER_1 = ("pickaxe", "(300) (150) 23 15 12 (25)")
IRON_TIER_2 = ("pickaxe", "(300) (150) (75) 15 12 (25)")
WIKI = {
    Block.DIRT: SHOVEL_05,
    Block.SAND: SHOVEL_05,
    # Often printed in one row with dirt; its hardness is 0.6, so the formula gives grass's times.
    Block.GRAVEL: ("shovel", "18 9 5 3 3 2"),
    Block.GRASS: ("shovel", "18 9 5 3 3 2"),
    Block.OAK_LOG: AXE_2,
    Block.DARK_OAK_LOG: AXE_2,
    Block.PLANKS: AXE_2,
    Block.CRAFTING_TABLE: AXE_25,
    Block.CHEST: AXE_25,
    Block.OAK_LEAVES: ("pickaxe", "6 6 6 6 6 6"),
    Block.STONE: ("pickaxe", "(150) 23 12 8 6 4"),
    Block.COBBLESTONE: ("pickaxe", "(200) 30 15 10 8 5"),
    Block.COAL_ORE: ("pickaxe", "(300) 45 23 15 12 8"),
    Block.IRON_ORE: IRON_TIER_1,
    Block.LAPIS_ORE: IRON_TIER_1,
    Block.GOLD_ORE: IRON_TIER_2,
    Block.REDSTONE_ORE: IRON_TIER_2,
    Block.DIAMOND_ORE: IRON_TIER_2,
    Block.FURNACE: ("pickaxe", "(350) 53 27 18 14 9"),
    Block.OBSIDIAN: ("pickaxe", "(5000) (2500) (1250) (834) 188 (417)"),
}


def test_dig_times_are_those_of_the_wiki():
    for block in WIKI:
        kind, row = WIKI[block]
        tools = [None, *(f"{material}_{kind}" for material in MATERIALS)]
        for tool, printed in zip(tools, row.split(), strict=True):
            assert dig_ticks(block, tool) == int(printed.strip("()")), (block.name, tool)
            assert harvests(block, tool) == (not printed.startswith("(")), (block.name, tool)


def test_the_tables_agree_with_the_functions():
    assert DIG_TICKS.shape == HARVESTS.shape == (len(Block), 1 + len(ITEMS))
    for block in Block:
        for column, item in enumerate((None, *ITEMS)):
            assert DIG_TICKS[block, column] == dig_ticks(block, item)
            assert HARVESTS[block, column] == harvests(block, item)


def test_a_tool_made_for_another_block_digs_like_a_hand():
    assert dig_ticks(Block.OAK_LOG, "diamond_pickaxe") == 60
    assert dig_ticks(Block.STONE, "diamond_axe") == 150
    assert not harvests(Block.STONE, "diamond_axe")
    assert dig_ticks(Block.DIRT, "iron_hoe") == 15
    assert dig_ticks(Block.DIRT, "planks") == 15


def test_leaves_fall_to_swords_and_shears():
    # 0.2 * 30 / 1.5 = 4 ticks; 0.2 * 30 / 15 = 0.4, which is at once.
    assert dig_ticks(Block.BIRCH_LEAVES, "wooden_sword") == 4
    assert dig_ticks(Block.BIRCH_LEAVES, "shears") == 1
    assert dig_ticks(Block.BIRCH_LEAVES, "diamond_axe") == 6


def test_what_has_no_hardness_breaks_in_one_tick():
    assert dig_ticks(Block.TORCH, None) == 1
    assert dig_ticks(Block.TALL_GRASS, None) == 1


def test_what_cannot_be_dug_never_breaks():
    for block in [Block.AIR, Block.WATER, Block.LAVA, Block.BEDROCK]:
        assert (DIG_TICKS[block] == NEVER).all()
        assert not HARVESTS[block].any()


def test_storage_blocks_ask_for_the_tier_of_their_ore():
    assert harvests(Block.IRON_BLOCK, "stone_pickaxe")
    assert not harvests(Block.IRON_BLOCK, "wooden_pickaxe")
    assert harvests(Block.GOLD_BLOCK, "iron_pickaxe")
    assert not harvests(Block.DIAMOND_BLOCK, "stone_pickaxe")


def test_an_unknown_item_in_hand_is_named_in_the_error():
    with pytest.raises(ValueError, match="'emerald_pickaxe' is not an item"):
        dig_ticks(Block.STONE, "emerald_pickaxe")


@pytest.mark.parametrize(
    ("material", "tier", "speed", "durability"),
    [
        ("wooden", 0, 2, 59),
        ("stone", 1, 4, 131),
        ("iron", 2, 6, 250),
        ("golden", 0, 12, 32),
        ("diamond", 3, 8, 1561),
    ],
)
def test_tool_tables(material, tier, speed, durability):
    for kind in ("pickaxe", "axe", "shovel", "sword", "hoe"):
        name = f"{material}_{kind}"
        item = ITEM[name]
        assert TOOL_KIND[item] == ToolKind[kind.upper()]
        assert (TOOL_TIER[item], TOOLS[name].speed, DURABILITY[item]) == (tier, speed, durability)


def test_there_are_26_tools_and_the_rest_counts_as_a_hand():
    assert len(TOOLS) == (TOOL_KIND != ToolKind.NONE).sum() == 26
    others = TOOL_KIND == ToolKind.NONE
    assert (TOOL_TIER[others] == HAND_TIER).all()
    assert (DURABILITY[others] == 0).all()
    assert (WEAR_PER_BLOCK[others] == 0).all()


def test_a_sword_wears_twice_as_fast_as_a_pickaxe():
    assert WEAR_PER_BLOCK[ITEM["iron_pickaxe"]] == 1
    assert WEAR_PER_BLOCK[ITEM["iron_sword"]] == 2
    assert WEAR_PER_BLOCK[ITEM["iron_hoe"]] == 0

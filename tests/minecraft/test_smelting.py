import json
from pathlib import Path

import pytest

from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.smelting import (
    BURN_TICKS,
    FUEL_ITEM,
    FUEL_TICKS,
    SMELT_INPUT,
    SMELT_ITEM,
    SMELT_TICKS,
    SMELTS,
)

GAME = json.loads(Path(__file__).with_name("mc_recipes_1_11_2.json").read_text())["smelting"]


def test_smelts_are_those_of_the_game():
    # Charcoal is a variant of coal in 1.11.2.
    game = {(r["output"], tuple(r["ingredients"].items())) for r in GAME}
    names = {"charcoal": "coal"}
    ours = {(names.get(s.output, s.output), ((s.input, 1),)) for s in SMELTS}
    assert ours <= game
    # What is left out: ore blocks, which no pickaxe of the worlds picks up whole, and variants.
    assert {output for output, _ in game - ours} == {
        "coal",
        "diamond",
        "dye",
        "redstone",
        "stonebrick",
    }


def test_smelting_tables_name_output_and_input():
    pairs = {ITEMS[o]: ITEMS[i] for o, i in zip(SMELT_ITEM, SMELT_INPUT, strict=True)}
    assert pairs == {
        "stone": "cobblestone",
        "iron_ingot": "iron_ore",
        "gold_ingot": "gold_ore",
        "charcoal": "log",
        "glass": "sand",
    }
    assert SMELT_TICKS == 200


@pytest.mark.parametrize(
    ("item", "ticks"),
    [
        ("coal", 1600),
        ("charcoal", 1600),
        ("coal_block", 16000),
        ("log", 300),
        ("planks", 300),
        ("oak_stairs", 300),
        ("fence", 300),
        ("trapdoor", 300),
        ("crafting_table", 300),
        ("chest", 300),
        ("wooden_slab", 150),
        ("stick", 100),
        ("sapling", 100),
        ("wooden_pickaxe", 200),
        ("sign", 200),
        ("wooden_door", 200),
        ("bowl", 100),
        ("boat", 400),
        ("stone_pickaxe", 0),
        ("iron_door", 0),
        ("cobblestone", 0),
    ],
)
def test_burn_time(item, ticks):
    assert BURN_TICKS[ITEM[item]] == ticks


def test_each_fuel_is_listed_once_and_coal_burns_first():
    order = [ITEMS[item] for item in FUEL_ITEM]
    assert order[:4] == ["coal", "charcoal", "planks", "log"]
    assert order[-1] == "coal_block"
    assert len(set(order)) == len(order) == (BURN_TICKS > 0).sum()
    assert (BURN_TICKS[FUEL_ITEM] == FUEL_TICKS).all()


def test_a_lump_of_coal_smelts_eight_items():
    assert BURN_TICKS[ITEM["coal"]] // SMELT_TICKS == 8

"""The table of what Minecraft's items are in Minetest's game; no server is needed."""

import collections

import pytest

from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEMS
from lapis.minecraft.smelting import FUEL_ITEM
from lapis.worlds.minetest.counterparts import (
    COUNTERPARTS,
    KIND_ITEM,
    KINDS,
    told_fuels,
    told_nodes,
    told_special,
)
from lapis.worlds.minetest.tree import load_game
from lapis.worlds.voxel.actions import SPECIAL, SPECIALS

REGISTERED = load_game()["items"]


def told(name):
    return told_special(SPECIALS[SPECIAL[name]])


def test_all_names_are_those_of_the_two_games():
    assert set(COUNTERPARTS) <= set(ITEMS)
    assert set(KINDS) <= set(REGISTERED)
    counted = collections.Counter(kind for kinds in COUNTERPARTS.values() for kind in kinds)
    assert set(counted.values()) == {1}, "one item of the game counts as one of Minecraft's"
    for kind, item in zip(KINDS, KIND_ITEM, strict=True):
        assert kind in COUNTERPARTS[ITEMS[item]]


def test_tools_are_tools_and_blocks_are_nodes():
    for name, kinds in COUNTERPARTS.items():
        is_tool = name.endswith(("_pickaxe", "_axe", "_shovel", "_sword", "_hoe"))
        assert {REGISTERED[kind]["type"] == "tool" for kind in kinds} == {is_tool}, name
        if told_special_of_placing(name):
            assert {REGISTERED[kind]["type"] for kind in kinds} == {"node"}, name


def told_special_of_placing(name):
    return f"place {name}" in SPECIAL and told(f"place {name}")["kind"] == "place"


def test_what_the_game_lacks_is_masked():
    lacking = (
        "place crafting_table", "craft crafting_table", "craft bowl", "craft shears",
        "craft golden_pickaxe", "equip golden_pickaxe", "equip shield", "equip diamond_hoe",
        "craft iron_boots", "smelt charcoal", "craft lever", "craft redstone_torch", "none",
    )  # fmt: skip
    assert {told(name)["kind"] for name in lacking} == {"none"}
    # What opens could not be opened.
    assert {told(f"place {name}")["kind"] for name in ("wooden_door", "trapdoor")} == {"none"}


@pytest.mark.parametrize("item", ["planks", "stick", "wooden_pickaxe", "furnace", "boat", "chest"])
def test_crafts_give_the_counterpart_of_what_is_known_alone(item):
    special = told(f"craft {item}")
    assert special["kind"] == "craft"
    assert special["crafts"][0]["name"] == COUNTERPARTS[item][0]
    for craft in special["crafts"]:
        for recipe in craft["recipes"]:
            assert {name for part in recipe["parts"] for name in part["names"]} <= set(KINDS)


def test_pickaxe_of_stone_by_hand():
    (craft,) = told("craft stone_pickaxe")["crafts"]
    (recipe,) = craft["recipes"]
    assert craft["name"] == "default:pick_stone"
    assert (recipe["width"], recipe["places"]) == (3, 8)
    laid = {part["place"]: part["names"][0] for part in recipe["parts"]}
    stone, stick = "default:cobble", "default:stick"
    assert laid == {1: stone, 2: stone, 3: stone, 5: stick, 8: stick}


def test_smelting_is_the_games():
    assert told("smelt iron_ingot")["inputs"] == [{"name": "default:iron_lump", "seconds": 3}]
    assert {each["name"] for each in told("smelt glass")["inputs"]} == {*COUNTERPARTS["sand"]}
    assert told("smelt stone")["inputs"] == [{"name": "default:cobble", "seconds": 3}]


def test_coal_burns_first_and_the_rest_in_minecrafts_order():
    fuels = [each["name"] for each in told_fuels()]
    assert fuels[0] == "default:coal_lump"
    order = [ITEMS[KIND_ITEM[KINDS.index(name)]] for name in fuels]
    assert list(dict.fromkeys(order)) == [
        ITEMS[item] for item in FUEL_ITEM.tolist() if ITEMS[item] in order
    ]
    assert {each["seconds"] > 0 for each in told_fuels()} == {True}


def test_nodes_are_shown_as_what_they_are_and_the_rest_by_whether_it_stops():
    nodes = told_nodes()
    assert set(nodes["class_of"].values()) <= set(map(int, Block))
    assert {rule["class"] for rule in nodes["class_rules"]} <= set(map(int, Block))
    assert [rule["walkable"] for rule in nodes["class_rules"][-2:]] == [True, False]
    shown, groups = nodes["class_of"], [rule.get("group") for rule in nodes["class_rules"]]
    rest = {
        name
        for name, item in REGISTERED.items()
        if item.get("y_max") is not None and name not in shown
        if not any((item["groups"] or {}).get(group) for group in groups)
    }
    assert rest == {
        "butterflies:butterfly_red", "butterflies:butterfly_violet", "butterflies:butterfly_white",
        "default:apple", "default:bush_stem", "default:mese", "default:stone",
        "default:stone_with_copper", "default:stone_with_mese", "default:stone_with_tin",
        "flowers:mushroom_brown", "flowers:mushroom_red",
    }  # fmt: skip
    assert shown["default:stone_with_coal"] == Block.COAL_ORE

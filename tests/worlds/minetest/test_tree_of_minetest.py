"""The tech tree that is derived from what a game has registered."""

import json

import pytest

from lapis.worlds.minetest.server import write_registry
from lapis.worlds.minetest.tree import GAME_FILE, derive, game_tree, load_game


def natural(drops, dig_seconds, y_max=31000, **more):
    return (
        item(y_max=y_max, drops=[{"item": each} for each in drops], dig_seconds=dig_seconds) | more
    )


def item(recipes=(), fuel=0, groups=None, **more):
    return {"groups": groups or {}, "recipes": list(recipes), "fuel_seconds": fuel, **more}


def recipe(*items, method="normal"):
    return {"method": method, "items": [*items, *[""] * (9 - len(items))], "width": 3}


SMALL = {
    "default:tree": natural(["default:tree"], {"": 3.0, "default:pick": 3.0}, groups={"tree": 1}),
    "default:pick": item([recipe("group:tree", "group:tree")]),
    "default:rock": natural(["default:pebble"], {"default:pick": 1.0}),
    "default:pebble": item(),
    "default:furnace": item([recipe(*["default:pebble"] * 8)]),
    "default:ore": natural(["default:lump"], {"default:pick": 2.0}, y_max=-100),
    "default:lump": item(),
    "default:coal": natural(["default:coal_lump"], {"default:pick": 2.0}, y_max=64),
    "default:coal_lump": item(fuel=40),
    "default:bar": item([recipe("default:lump", method="cooking")]),
    "stairs:stair": item([recipe("default:pebble")]),
    "default:deep": natural(["default:gem"], {"default:pick": 2.0}, y_max=-900),
    "default:gem": item(),
}


def test_small_tree_by_hand():
    tree = derive(SMALL, -200)
    assert tree.depth == {
        "default:tree": 0, "default:pick": 1, "default:pebble": 2, "default:lump": 2,
        "default:coal_lump": 2, "default:furnace": 3, "stairs:stair": 3, "default:bar": 4,
    }  # fmt: skip
    assert tree.ways["default:bar"].how == "smelt"
    assert tree.ways["default:bar"].needs == (
        "default:coal_lump",
        "default:furnace",
        "default:lump",
    )
    assert tree.all_needs["default:furnace"] == {"default:tree", "default:pick", "default:pebble"}
    # A bar takes coal and lumps, of which lumps lie deeper.
    assert tree.groups == ("surface", "stone", "coal", "lump")
    assert tree.group["default:bar"] == tree.group["default:lump"] == "lump"
    assert tree.group["default:pick"] == "surface"
    assert tree.group["default:furnace"] == "stone"
    assert "stairs:stair" not in tree.goals
    assert tree.goals[0] == "default:tree"
    assert tree.goals[-1] == "default:bar"


def test_what_lies_deeper_than_the_land_is_left_out():
    assert "default:gem" not in derive(SMALL, -899).ways
    assert "default:gem" in derive(SMALL, -900).ways


def test_game_leads_from_bare_hands_to_gold():
    tree = game_tree(-352)
    assert len(tree.goals) == 116
    assert tree.groups == ("surface", "stone", "coal", "clay", "copper", "tin", "iron", "gold")
    assert tree.ways["default:cobble"].needs == ("default:pick_wood",)
    assert tree.ways["default:iron_lump"].needs == ("default:pick_stone",)
    assert tree.depth["default:steel_ingot"] == 1 + tree.depth["default:iron_lump"] == 7
    assert tree.ways["default:steel_ingot"].how == "smelt"
    for name in tree.goals:
        assert tree.depth[name] == 1 + max(
            (tree.depth[each] for each in tree.ways[name].needs), default=-1
        )


def test_deeper_land_has_mese_and_diamonds():
    assert set(game_tree(-1100).groups) - set(game_tree(-352).groups) == {"mese", "diamond"}


@pytest.mark.usefixtures("engine")
def test_data_file_is_what_the_installed_game_says():
    told = json.loads(write_registry(load_game()["biome"]))
    if told["engine"] != load_game()["engine"]:
        pytest.skip(f"the file is of version {load_game()['engine']}, not {told['engine']}")
    assert told == json.loads(GAME_FILE.read_text())

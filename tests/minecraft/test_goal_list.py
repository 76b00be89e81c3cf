import json
from pathlib import Path

import pytest

from lapis.minecraft.goals import (
    ALL_GOALS,
    ALL_PREREQUISITES,
    DEPTH,
    GOAL_GROUP,
    GOALS,
    GROUPS,
    HOW,
    IMPOSSIBLE,
    MISSING_INGREDIENT,
    PREREQUISITES,
    STEPPING_STONE_COUNT,
    goals_of_group,
    groups_of,
)
from lapis.minecraft.recipes import Station, recipes_for
from lapis.minecraft.smelting import SMELTS
from lapis.minecraft.tools import TOOLS

REFERENCE = json.loads(Path(__file__).with_name("goals_reference.json").read_text())["goals"]


def test_groups_have_the_sizes_of_the_paper():
    sizes = {group: len(goals_of_group(group)) for group in GROUPS}
    assert sizes == {
        "surface": 24,
        "stone": 16,
        "coal": 3,
        "iron": 25,
        "lapis": 2,
        "redstone": 10,
        "gold": 15,
        "diamond": 12,
        "impossible": 6,
    }


def test_there_are_107_goals_and_6_impossible_ones():
    assert (len(GOALS), len(IMPOSSIBLE), len(ALL_GOALS)) == (107, 6, 113)
    assert len(set(ALL_GOALS)) == 113
    assert GOAL_GROUP.shape == (113,)


def test_depths_and_prerequisites_agree_with_an_independent_derivation():
    assert tuple(entry["name"] for entry in REFERENCE) == GOALS
    for entry in REFERENCE:
        name = entry["name"]
        assert DEPTH[name] == entry["depth"], name
        assert ALL_PREREQUISITES[name] == set(entry["all_prerequisites"]), name
        assert STEPPING_STONE_COUNT[name] == entry["is_prerequisite_of"], name


def test_direct_prerequisites_are_ingredients_station_and_tool():
    for goal in GOALS:
        if HOW[goal] == "craft":
            recipe = recipes_for(goal)[0]
            needed = set(recipe.ingredients)
            if recipe.station == Station.TABLE:
                needed.add("crafting_table")
            assert set(PREREQUISITES[goal]) == needed
        elif HOW[goal] == "smelt":
            source = next(smelt.input for smelt in SMELTS if smelt.output == goal)
            assert set(PREREQUISITES[goal]) == {source, "furnace"}
        else:
            assert all(name in TOOLS for name in PREREQUISITES[goal])


def test_prerequisites_of_an_iron_pickaxe():
    assert set(PREREQUISITES["iron_pickaxe"]) == {"iron_ingot", "stick", "crafting_table"}
    assert "furnace" in ALL_PREREQUISITES["iron_pickaxe"]
    assert DEPTH["iron_pickaxe"] == 8
    assert DEPTH["log"] == 0


def test_impossible_goals_want_what_only_the_nether_has():
    assert set(MISSING_INGREDIENT) == set(IMPOSSIBLE)
    assert MISSING_INGREDIENT["redstone_lamp"] == "glowstone"
    others = {n for g, n in MISSING_INGREDIENT.items() if g != "redstone_lamp"}
    assert others == {"quartz"}


def test_an_unknown_group_is_named_in_the_error():
    with pytest.raises(ValueError, match=r"group='emerald' is not one of surface, stone"):
        goals_of_group("emerald")


def test_groups_of_goals():
    assert groups_of(["diamond", "dirt"]) == ("diamond", "surface")
    assert groups_of(["dirt", "prize"]) == ()

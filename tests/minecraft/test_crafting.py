import json
from pathlib import Path

import numpy as np

from lapis.minecraft.goals import ALL_GOALS, HOW, IMPOSSIBLE
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.recipes import (
    CRAFT_ALTERNATIVE_COUNT,
    CRAFT_INGREDIENT_COUNT,
    CRAFT_INGREDIENT_ITEM,
    CRAFT_ITEM,
    CRAFT_OF_ITEM,
    CRAFT_OUTPUT_COUNT,
    CRAFT_STATION,
    RECIPES,
    Station,
    recipes_for,
)

GAME = json.loads(Path(__file__).with_name("mc_recipes_1_11_2.json").read_text())["crafting"]

CRAFTED = [goal for goal in ALL_GOALS if HOW.get(goal, "craft") == "craft"]

# Recipes of the game that Lapis does not have, and why.
UNPACKING = [
    ("coal", "coal_block"),
    ("dye", "lapis_block"),
    ("redstone", "redstone_block"),
    ("gold_ingot", "gold_block"),
    ("iron_ingot", "iron_block"),
    ("diamond", "diamond_block"),
]
OTHER_MATERIAL = {  # ingredients that no world of Lapis holds, or other variants of the output
    "dirt": [{"dirt": 2, "gravel": 2}],
    "stone": [
        {"cobblestone": 2, "quartz": 2},
        {"stone": 4},
        {"stone": 1, "quartz": 1},
        {"stone": 1, "cobblestone": 1},
    ],
    "stone_slab": [{"brick_block": 3}, {"nether_brick": 3}, {"quartz_block": 3}],
    "cobblestone_wall": [{"mossy_cobblestone": 6}],
    "stonebrick": [{"stone_slab": 2}, {"stonebrick": 1, "vine": 1}],
    "iron_ingot": [{"iron_nugget": 9}],
    "gold_ingot": [{"gold_nugget": 9}],
    "quartz_block": [{"stone_slab": 2}, {"quartz_block": 2}],
}


def as_set(recipes):
    return {(count, tuple(sorted(items.items()))) for count, items in recipes}


def in_the_game(item):
    return as_set((r["count"], r["ingredients"]) for r in GAME if r["output"] == item)


def left_out(item):
    unpacked = [{block: 1} for output, block in UNPACKING if output == item]
    ingredients = unpacked + OTHER_MATERIAL.get(item, [])
    wanted = {tuple(sorted(entry.items())) for entry in ingredients}
    found = {recipe for recipe in in_the_game(item) if recipe[1] in wanted}
    assert len(found) == len(wanted), f"a recipe of {item} that is left out is not in the game"
    return found


def shipped(item):
    # Charcoal is a variant of coal in 1.11.2.
    names = {"charcoal": "coal"}
    return as_set(
        (r.count, {names.get(n, n): c for n, c in r.ingredients.items()}) for r in recipes_for(item)
    )


def test_recipes_are_those_of_the_game():
    for goal in [goal for goal in ALL_GOALS if goal != "dye"]:
        assert shipped(goal) == in_the_game(goal) - left_out(goal)


def test_lapis_lazuli_is_only_mined():
    assert recipes_for("dye") == ()


def test_every_goal_that_is_not_mined_or_smelted_has_one_craft():
    assert [ITEMS[item] for item in CRAFT_ITEM] == CRAFTED
    assert len(CRAFT_ITEM) == 100


def test_a_recipe_needs_a_table_exactly_if_it_does_not_fit_two_by_two():
    for recipe in RECIPES:
        largest = max(len(recipe.shape), max(len(row) for row in recipe.shape))
        assert largest <= 3
        assert recipe.station == (Station.TABLE if largest > 2 else Station.NONE)


def test_alternatives_of_a_craft_share_its_station():
    for craft, item in enumerate(CRAFT_ITEM):
        stations = {recipe.station for recipe in recipes_for(ITEMS[item])}
        assert stations == {Station(CRAFT_STATION[craft])}


def test_the_tables_hold_what_the_recipes_say():
    for craft, item in enumerate(CRAFT_ITEM):
        recipes = recipes_for(ITEMS[item])
        assert CRAFT_ALTERNATIVE_COUNT[craft] == len(recipes)
        assert CRAFT_OF_ITEM[item] == craft
        for alternative, recipe in enumerate(recipes):
            taken = np.zeros(len(ITEMS), int)
            slots = CRAFT_INGREDIENT_ITEM[craft, alternative]
            used = slots >= 0
            np.add.at(taken, slots[used], CRAFT_INGREDIENT_COUNT[craft, alternative][used])
            assert {ITEMS[i]: int(taken[i]) for i in np.flatnonzero(taken)} == recipe.ingredients
            assert CRAFT_OUTPUT_COUNT[craft, alternative] == recipe.count
        assert (CRAFT_INGREDIENT_ITEM[craft, len(recipes) :] == -1).all()
        assert (CRAFT_OUTPUT_COUNT[craft, len(recipes) :] == 0).all()
    assert (CRAFT_INGREDIENT_COUNT[CRAFT_INGREDIENT_ITEM < 0] == 0).all()
    assert (CRAFT_INGREDIENT_COUNT[CRAFT_INGREDIENT_ITEM >= 0] > 0).all()
    assert (CRAFT_OF_ITEM >= 0).sum() == len(CRAFT_ITEM)


def test_a_torch_prefers_coal_to_charcoal():
    first, second = recipes_for("torch")
    assert first.ingredients == {"coal": 1, "stick": 1}
    assert second.ingredients == {"charcoal": 1, "stick": 1}
    assert (first.count, first.station) == (4, Station.NONE)


def test_a_piston_takes_four_kinds_of_items():
    (recipe,) = recipes_for("piston")
    expected = {"planks": 3, "cobblestone": 4, "iron_ingot": 1, "redstone": 1}
    assert recipe.ingredients == expected
    assert recipe.station == Station.TABLE
    craft = CRAFT_OF_ITEM[ITEM["piston"]]
    assert {ITEMS[i] for i in CRAFT_INGREDIENT_ITEM[craft, 0]} == set(expected)


def test_impossible_goals_have_crafts():
    assert all(CRAFT_OF_ITEM[ITEM[goal]] >= 0 for goal in IMPOSSIBLE)

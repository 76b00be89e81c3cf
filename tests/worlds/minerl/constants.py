"""Recipes of Minecraft 1.11.2 as MineRL's dump has them, with the variants that it leaves out."""

import itertools
import json
from pathlib import Path

OF_OAK = ("wooden_door", "oak_stairs", "fence", "fence_gate", "boat")
# Ways to make an item out of itself or of what nobody gathers; the adapter does not offer them.
HIDDEN = (
    ("stone_slab", {"quartz_block": 3}),
    ("quartz_block", {"quartz_block": 2}),
    ("quartz_block", {"stone_slab": 2}),
    ("stonebrick", {"stone_slab": 2}),
    ("stonebrick", {"stonebrick": 1, "vine": 1}),
)


def load(client):
    """The constants in the folder of the package `minerl`."""
    return json.loads((Path(client) / "herobraine/hero/mc_constants.json").read_text())


def game_recipes(constants):
    """As `FakeGame` takes them, in the order of the game."""
    numbers = {name: itertools.count() for name in ("planks", "wooden_slab", "torch")}
    recipes = []
    for entry in constants["craftingRecipes"]:
        output, plain = entry["outputItemName"], entry.get("ingredients", {})
        if (output, plain) in HIDDEN:
            continue
        number = next(numbers[output]) if output in numbers else 0
        ingredients = {
            (name, variant_of(name, output, number, entry["type"])): count
            for name, count in plain.items()
        }
        made = number if output in ("planks", "wooden_slab") else 0
        recipes.append((output, made, entry["outputCount"], ingredients))
    return recipes


def variant_of(name, output, number, kind):
    """Recipes of the ore dictionary take any wood, the others one; one of each where all count."""
    if name == "log":
        return number
    if name == "log2":
        return number - 4
    if name == "planks":
        one = number if output == "wooden_slab" else 0
        return one if kind == "ShapedRecipes" else None
    fixed = {"dye": 4, "stone": 0, "coal": number if output == "torch" else 0}
    return fixed.get(name)

"""Items in all worlds: what an episode begins with, who pays what, what burns, what drops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from lapis.minecraft import blocks, digging, recipes, smelting, tools
from lapis.worlds.fault import Fault
from lapis.worlds.launching import filled
from lapis.worlds.limits import COUNTED
from lapis.worlds.rng import chances

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

MOST_ITEMS = int(COUNTED.most)
"""Of a kind, with which an episode may begin."""
MOST_COUNTED = 63
"""Counts of items beyond this look alike; log2(1 + 63) / 6 is 1."""


@wp.struct
class Making:
    """Recipes and fuels; recipe r of craft c is at first_recipe[c] <= r < first_recipe[c + 1]."""

    first_recipe: wp.array[int]
    craft_item: wp.array[int]
    craft_needs_table: wp.array[int]
    recipe_output: wp.array[int]
    ingredient_item: wp.array2d[int]
    ingredient_count: wp.array2d[int]
    smelt_item: wp.array[int]
    smelt_input: wp.array[int]
    smelt_ticks: int
    fuel_item: wp.array[int]
    fuel_ticks: wp.array[int]


def make_making(device: str) -> Any:
    """Minecraft's recipes and fuels as `Making` for one device."""
    alternative_count = recipes.CRAFT_ALTERNATIVE_COUNT
    real = np.arange(recipes.CRAFT_OUTPUT_COUNT.shape[1]) < alternative_count[:, None]
    tables = {
        "first_recipe": np.concatenate([[0], np.cumsum(alternative_count)]),
        "craft_item": recipes.CRAFT_ITEM,
        "craft_needs_table": recipes.CRAFT_STATION == recipes.Station.TABLE,
        "recipe_output": recipes.CRAFT_OUTPUT_COUNT[real],
        "ingredient_item": recipes.CRAFT_INGREDIENT_ITEM[real],
        "ingredient_count": recipes.CRAFT_INGREDIENT_COUNT[real],
        "smelt_item": smelting.SMELT_ITEM,
        "smelt_input": smelting.SMELT_INPUT,
        "smelt_ticks": smelting.SMELT_TICKS,
        "fuel_item": smelting.FUEL_ITEM,
        "fuel_ticks": smelting.FUEL_TICKS,
    }
    return filled(Making, tables, device)


def digging_tables(block: Sequence[int], tool_items: Sequence[int]) -> dict[str, np.ndarray]:
    """Dig times, drops and tools of some blocks and tools, as the `Rules` of worlds name them."""
    in_hand = [0, *(item + 1 for item in tool_items)]
    tool = list(tool_items)
    return {
        "dig_ticks": digging.DIG_TICKS[np.ix_(block, in_hand)],
        "harvests": digging.HARVESTS[np.ix_(block, in_hand)].astype(np.int32),
        "drop_item": blocks.DROP_ITEM[block],
        "drop_least": blocks.DROP_MIN[block],
        "drop_spread": (blocks.DROP_MAX - blocks.DROP_MIN + 1)[block],
        "drop_chance": chances(np.cumsum(blocks.DROP_CHANCE[block].astype(np.float64), axis=1)),
        "tool_item": np.array(tool, np.int32),
        "tool_durability": tools.DURABILITY[tool],
        "tool_wear": tools.WEAR_PER_BLOCK[tool],
    }


def count_features() -> np.ndarray:
    """What counts up to `MOST_COUNTED` look like; logarithms differ in the last bit by device."""
    return (np.log2(1.0 + np.arange(MOST_COUNTED + 1)) / 6.0).astype(np.float32)


@wp.func
def take_items(
    world: int,
    first_items_in: wp.array2d[int],
    fault_io: wp.array[int],
    inventory_out: wp.array2d[int],
):
    """Fills the inventory with which an episode begins."""
    for item in range(inventory_out.shape[1]):
        count = first_items_in[world, item]
        if count < 0:
            fault_io[world] = fault_io[world] | Fault.NEGATIVE_INVENTORY
            count = int(0)
        if count > MOST_ITEMS:
            fault_io[world] = fault_io[world] | Fault.HUGE_INVENTORY
            count = int(0)
        inventory_out[world, item] = count


@wp.func
def can_pay(making: Making, world: int, recipe: int, inventory_in: wp.array2d[int]) -> bool:
    """Whether the inventory holds all ingredients of a recipe."""
    for slot in range(making.ingredient_item.shape[1]):
        item = making.ingredient_item[recipe, slot]
        if item < 0:
            return True
        if inventory_in[world, item] < making.ingredient_count[recipe, slot]:
            return False
    return True


@wp.func
def payable_recipe(making: Making, world: int, craft: int, inventory_in: wp.array2d[int]) -> int:
    """The first recipe of a craft that the inventory can pay, -1: none."""
    for recipe in range(making.first_recipe[craft], making.first_recipe[craft + 1]):
        if can_pay(making, world, recipe, inventory_in):
            return recipe
    return -1


@wp.func
def craft_one(making: Making, world: int, craft: int, inventory_io: wp.array2d[int]):
    """Crafts what the first payable recipe gives; there is one."""
    recipe = payable_recipe(making, world, craft, inventory_io)
    for slot in range(making.ingredient_item.shape[1]):
        item = making.ingredient_item[recipe, slot]
        if item >= 0:
            count = making.ingredient_count[recipe, slot]
            inventory_io[world, item] = inventory_io[world, item] - count
    made = making.craft_item[craft]
    inventory_io[world, made] = inventory_io[world, made] + making.recipe_output[recipe]


@wp.func
def has_fire(
    making: Making,
    world: int,
    burn: int,
    smelted: int,
    fuel_count: int,
    inventory_in: wp.array2d[int],
) -> bool:
    """Whether the fire and the fuel held last for one item, the item to be smelted left out.

    Only the first `fuel_count` kinds of fuel count.
    """
    ticks = burn
    for fuel in range(fuel_count):
        if ticks >= making.smelt_ticks:
            return True
        item = making.fuel_item[fuel]
        count = inventory_in[world, item]
        if item == smelted:
            count = count - 1
        if count > 0:
            # No more than could be needed: the product of a hoard would not fit.
            ticks = ticks + wp.min(count, making.smelt_ticks) * making.fuel_ticks[fuel]
    return ticks >= making.smelt_ticks


@wp.func
def burn_fuel(making: Making, world: int, burn: int, inventory_io: wp.array2d[int]) -> int:
    """Feeds the furnace in the order of fuels until it lasts for one item; returns its ticks."""
    # The player does not choose the fuel, and the fire waits between two smelts.
    for fuel in range(making.fuel_item.shape[0]):
        item = making.fuel_item[fuel]
        while burn < making.smelt_ticks and inventory_io[world, item] > 0:
            inventory_io[world, item] = inventory_io[world, item] - 1
            burn = burn + making.fuel_ticks[fuel]
    return burn - making.smelt_ticks

"""Crafting and fire, the same in all worlds: who pays what, and what burns.

The functions take the rules of any world that holds the tables of recipes and fuels by the names
used here: `first_recipe`, `ingredient_item`, `ingredient_count`, `recipe_output`, `craft_item`,
`fuel_item`, `fuel_ticks` and `smelt_ticks`.
"""

from typing import Any

import warp as wp

wp.set_module_options({"enable_backward": False, "fuse_fp": False})


@wp.func
def can_pay(rules: Any, world: int, recipe: int, inventory_in: wp.array2d[int]) -> bool:
    """Whether the inventory holds all ingredients of a recipe."""
    for slot in range(rules.ingredient_item.shape[1]):
        item = rules.ingredient_item[recipe, slot]
        if item < 0:
            return True
        if inventory_in[world, item] < rules.ingredient_count[recipe, slot]:
            return False
    return True


@wp.func
def payable_recipe(rules: Any, world: int, craft: int, inventory_in: wp.array2d[int]) -> int:
    """The first recipe of a craft that the inventory can pay, -1: none."""
    for recipe in range(rules.first_recipe[craft], rules.first_recipe[craft + 1]):
        if can_pay(rules, world, recipe, inventory_in):
            return recipe
    return -1


@wp.func
def craft_one(rules: Any, world: int, craft: int, inventory_io: wp.array2d[int]):
    """Crafts what the first payable recipe gives; there is one."""
    recipe = payable_recipe(rules, world, craft, inventory_io)
    for slot in range(rules.ingredient_item.shape[1]):
        item = rules.ingredient_item[recipe, slot]
        if item >= 0:
            count = rules.ingredient_count[recipe, slot]
            inventory_io[world, item] = inventory_io[world, item] - count
    made = rules.craft_item[craft]
    inventory_io[world, made] = inventory_io[world, made] + rules.recipe_output[recipe]


@wp.func
def has_fire(
    rules: Any,
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
        if ticks >= rules.smelt_ticks:
            return True
        item = rules.fuel_item[fuel]
        count = inventory_in[world, item]
        if item == smelted:
            count = count - 1
        if count > 0:
            # No more than could be needed: the product of a hoard would not fit.
            ticks = ticks + wp.min(count, rules.smelt_ticks) * rules.fuel_ticks[fuel]
    return ticks >= rules.smelt_ticks


@wp.func
def burn_fuel(rules: Any, world: int, burn: int, inventory_io: wp.array2d[int]) -> int:
    """Feeds the furnace in the order of fuels until it lasts for one item; returns its ticks."""
    # The player does not choose the fuel, and the fire waits between two smelts.
    for fuel in range(rules.fuel_item.shape[0]):
        item = rules.fuel_item[fuel]
        while burn < rules.smelt_ticks and inventory_io[world, item] > 0:
            inventory_io[world, item] = inventory_io[world, item] - 1
            burn = burn + rules.fuel_ticks[fuel]
    return burn - rules.smelt_ticks

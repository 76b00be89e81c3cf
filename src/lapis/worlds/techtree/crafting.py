"""Making and using things: craft, smelt, place, equip, eat."""

# Kernels are read by Warp's compiler, whose types are not Python's.
# pyright: reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportIndexIssue=false, reportOperatorIssue=false, reportAttributeAccessIssue=false

import warp as wp

from lapis.worlds.techtree.actions import FIRST, Kind, Reach
from lapis.worlds.techtree.body import FULL_FOOD
from lapis.worlds.techtree.rules import Rules

# ruff: noqa: UP018, RUF046 (Warp takes a bare 0 for a constant, int(0) for a variable.)

wp.set_module_options({"enable_backward": False})

EAT = wp.constant(FIRST[Kind.EAT])
PLACE = wp.constant(FIRST[Kind.PLACE])
SMELT = wp.constant(FIRST[Kind.SMELT])
CRAFT = wp.constant(FIRST[Kind.CRAFT])
EQUIP = wp.constant(FIRST[Kind.EQUIP])
TABLE = wp.constant(int(Reach.CRAFTING_TABLE))
FURNACE = wp.constant(int(Reach.FURNACE))
_PLAIN_FUELS = wp.constant(4)  # coal, charcoal, planks, logs: the first of the table


@wp.func
def can_pay(rules: Rules, world: int, recipe: int, inventory_in: wp.array2d[int]) -> bool:
    """Whether the inventory holds all ingredients of a recipe."""
    for slot in range(rules.ingredient_item.shape[1]):
        item = rules.ingredient_item[recipe, slot]
        if item < 0:
            return True
        if inventory_in[world, item] < rules.ingredient_count[recipe, slot]:
            return False
    return True


@wp.func
def payable_recipe(rules: Rules, world: int, craft: int, inventory_in: wp.array2d[int]) -> int:
    """The first recipe of a craft that the inventory can pay, -1: none."""
    for recipe in range(rules.first_recipe[craft], rules.first_recipe[craft + 1]):
        if can_pay(rules, world, recipe, inventory_in):
            return recipe
    return -1


@wp.func
def has_fire(
    rules: Rules,
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
def burn_fuel(rules: Rules, world: int, burn: int, inventory_io: wp.array2d[int]) -> int:
    """Feeds the furnace in the order of fuels until it lasts for one item; returns its ticks."""
    # DEVIATION: the player does not choose the fuel, and the fire waits between two smelts.
    for fuel in range(rules.fuel_item.shape[0]):
        item = rules.fuel_item[fuel]
        while burn < rules.smelt_ticks and inventory_io[world, item] > 0:
            inventory_io[world, item] = inventory_io[world, item] - 1
            burn = burn + rules.fuel_ticks[fuel]
    return burn - rules.smelt_ticks


@wp.kernel
def make(
    # Rules:
    rules: Rules,
    # State in:
    chosen_in: wp.array[int],
    # State in/out:
    inventory_io: wp.array2d[int],
    hand_io: wp.array[int],
    wear_io: wp.array2d[int],
    burn_io: wp.array[int],
    ticks_io: wp.array[int],
):
    """Crafts one recipe's worth, or smelts a batch as large as ore and plain fuel allow."""
    world = wp.tid()
    action = chosen_in[world]
    if action < SMELT or action >= EQUIP:
        return
    if action >= CRAFT:
        craft = action - CRAFT
        recipe = payable_recipe(rules, world, craft, inventory_io)
        for slot in range(rules.ingredient_item.shape[1]):
            item = rules.ingredient_item[recipe, slot]
            if item >= 0:
                count = rules.ingredient_count[recipe, slot]
                inventory_io[world, item] = inventory_io[world, item] - count
        made = rules.craft_item[craft]
        inventory_io[world, made] = inventory_io[world, made] + rules.recipe_output[recipe]
        ticks_io[world] = rules.handling_ticks
    else:
        smelted = rules.smelt_input[action - SMELT]
        made = rules.smelt_item[action - SMELT]
        burn = burn_io[world]
        count = int(0)
        while count < rules.smelt_batch:
            # The mask has seen to the first item; nobody burns his furniture for the others.
            if count > 0 and (
                inventory_io[world, smelted] == 0
                or not has_fire(rules, world, burn, smelted, _PLAIN_FUELS, inventory_io)
            ):
                break
            inventory_io[world, smelted] = inventory_io[world, smelted] - 1
            burn = burn_fuel(rules, world, burn, inventory_io)
            count = count + 1
        inventory_io[world, made] = inventory_io[world, made] + count
        burn_io[world] = burn
        # DEVIATION: smelting burns fuel, but takes no longer than a craft, as in the paper.
        ticks_io[world] = rules.handling_ticks
        # The fire may have taken a tool, even that in hand; the next of its kind will be new.
        for tool in range(rules.tool_item.shape[0]):
            if inventory_io[world, rules.tool_item[tool]] == 0:
                wear_io[world, tool] = 0
                if hand_io[world] == tool:
                    hand_io[world] = -1


@wp.kernel
def handle(
    # Rules:
    rules: Rules,
    # State in:
    chosen_in: wp.array[int],
    # State in/out:
    inventory_io: wp.array2d[int],
    hand_io: wp.array[int],
    reach_io: wp.array2d[int],
    food_io: wp.array[int],
    saturation_io: wp.array[int],
    ticks_io: wp.array[int],
):
    """Places a station, takes a tool in hand, or eats."""
    world = wp.tid()
    action = chosen_in[world]
    if action >= EQUIP:
        hand_io[world] = action - EQUIP
        ticks_io[world] = rules.handling_ticks
    elif action >= PLACE and action < SMELT:
        station = action - PLACE
        item = rules.station_item[station]
        inventory_io[world, item] = inventory_io[world, item] - 1
        reach_io[world, TABLE + station] = reach_io[world, TABLE + station] + 1
        ticks_io[world] = rules.handling_ticks
    elif action >= EAT and action < PLACE:
        meal = action - EAT
        item = rules.food_item[meal]
        inventory_io[world, item] = inventory_io[world, item] - 1
        food = wp.min(food_io[world] + rules.food_points[meal], FULL_FOOD)
        food_io[world] = food
        saturation = saturation_io[world] + rules.food_saturation[meal]
        saturation_io[world] = wp.min(saturation, food * 1000)
        ticks_io[world] = rules.eat_ticks

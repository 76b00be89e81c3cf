"""Making and using things: craft, smelt, place, equip, eat."""

import warp as wp

from lapis.worlds.making import burn_fuel, craft_one, has_fire
from lapis.worlds.techtree.actions import FIRST, Kind, Reach
from lapis.worlds.techtree.body import FULL_FOOD
from lapis.worlds.techtree.rules import Rules

wp.set_module_options({"enable_backward": False})

EAT = FIRST[Kind.EAT]
PLACE = FIRST[Kind.PLACE]
SMELT = FIRST[Kind.SMELT]
CRAFT = FIRST[Kind.CRAFT]
EQUIP = FIRST[Kind.EQUIP]
_PLAIN_FUELS = 4  # coal, charcoal, planks, logs: the first of the table


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
        craft_one(rules, world, action - CRAFT, inventory_io)
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
            # DEVIATION: fuel is taken in the order of the table, and the fire waits.
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
        reach_io[world, Reach.CRAFTING_TABLE + station] = (
            reach_io[world, Reach.CRAFTING_TABLE + station] + 1
        )
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

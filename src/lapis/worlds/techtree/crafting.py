"""Making and using things: craft, smelt, place, equip, eat."""

import warp as wp

from lapis.worlds.making import burn_fuel, craft_one, has_fire
from lapis.worlds.techtree.actions import CRAFT, EAT, EQUIP, PLACE, SMELT, Reach
from lapis.worlds.techtree.body import FULL_FOOD
from lapis.worlds.techtree.rules import Rules
from lapis.worlds.techtree.state import Body, Game, Pack, Spot

wp.set_module_options({"enable_backward": False})

_PLAIN_FUELS = 4  # coal, charcoal, planks, logs: the first of the table


@wp.kernel
def make(
    # Rules:
    rules: Rules,
    # State in/out:
    game_io: Game,
    pack_io: Pack,
    spot_io: Spot,
):
    """Crafts one recipe's worth, or smelts a batch as large as ore and plain fuel allow."""
    world = wp.tid()
    action = game_io.chosen[world]
    if action < SMELT or action >= EQUIP:
        return
    if action >= CRAFT:
        craft_one(rules.making, world, action - CRAFT, pack_io.inventory)
        game_io.ticks[world] = rules.handling_ticks
    else:
        smelted = rules.making.smelt_input[action - SMELT]
        made = rules.making.smelt_item[action - SMELT]
        burn = spot_io.burn[world]
        count = int(0)
        while count < rules.smelt_batch:
            # The mask has seen to the first item; nobody burns his furniture for the others.
            if count > 0 and (
                pack_io.inventory[world, smelted] == 0
                or not has_fire(rules.making, world, burn, smelted, _PLAIN_FUELS, pack_io.inventory)
            ):
                break
            pack_io.inventory[world, smelted] = pack_io.inventory[world, smelted] - 1
            # DEVIATION: fuel is taken in the order of the table, and the fire waits.
            burn = burn_fuel(rules.making, world, burn, pack_io.inventory)
            count = count + 1
        pack_io.inventory[world, made] = pack_io.inventory[world, made] + count
        spot_io.burn[world] = burn
        # DEVIATION: smelting burns fuel, but takes no longer than a craft, as in the paper.
        game_io.ticks[world] = rules.handling_ticks
        # The fire may have taken a tool, even that in hand; the next of its kind will be new.
        for tool in range(rules.tool_item.shape[0]):
            if pack_io.inventory[world, rules.tool_item[tool]] == 0:
                pack_io.wear[world, tool] = 0
                if pack_io.hand[world] == tool:
                    pack_io.hand[world] = -1


@wp.kernel
def handle(
    # Rules:
    rules: Rules,
    # State in/out:
    game_io: Game,
    pack_io: Pack,
    spot_io: Spot,
    body_io: Body,
):
    """Places a station, takes a tool in hand, or eats."""
    world = wp.tid()
    action = game_io.chosen[world]
    if action >= EQUIP:
        pack_io.hand[world] = action - EQUIP
        game_io.ticks[world] = rules.handling_ticks
    elif action >= PLACE and action < SMELT:
        station = action - PLACE
        item = rules.station_item[station]
        pack_io.inventory[world, item] = pack_io.inventory[world, item] - 1
        kind = Reach.CRAFTING_TABLE + station
        spot_io.reach[world, kind] = spot_io.reach[world, kind] + 1
        game_io.ticks[world] = rules.handling_ticks
    elif action >= EAT and action < PLACE:
        meal = action - EAT
        item = rules.food_item[meal]
        pack_io.inventory[world, item] = pack_io.inventory[world, item] - 1
        food = wp.min(body_io.food[world] + rules.food_points[meal], FULL_FOOD)
        body_io.food[world] = food
        saturation = body_io.saturation[world] + rules.food_saturation[meal]
        body_io.saturation[world] = wp.min(saturation, food * 1000)
        game_io.ticks[world] = rules.eat_ticks

"""Digging the block under the crosshair, by Minecraft's dig times, tools and wear."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.rng import fold
from lapis.worlds.techtree.body import EXHAUSTION_OF_BLOCK
from lapis.worlds.voxel.body import eye_block, tired
from lapis.worlds.voxel.breaking import break_block
from lapis.worlds.voxel.grid import block_of
from lapis.worlds.voxel.rules import Rules
from lapis.worlds.voxel.state import Body, Game, Grid, Pack, Sight

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

HANDICAP = 5  # times as long with the eyes in water, and again off the ground


@wp.func
def dig(
    rules: Rules,
    world: int,
    tick: int,
    game_in: Game,
    grid_io: Grid,
    body_io: Body,
    pack_io: Pack,
    sight_io: Sight,
) -> bool:
    """Digs for one tick at the block under the crosshair; returns whether it broke."""
    # DEVIATION: no pause of 5 ticks between two blocks.
    place = sight_io.looked_at[world]
    if place != sight_io.target[world]:
        sight_io.target[world] = place
        sight_io.dug[world] = 0.0
    if place < 0:
        return False
    block = block_of(grid_io, world, place)
    in_hand = column_in_hand(rules, world, pack_io)
    ticks = rules.dig_ticks[block, in_hand]
    if ticks < 0:
        return False
    instant = rules.instant[block] > 0
    under_water = eye_block(world, body_io.position[world], grid_io) == Block.WATER
    stands = body_io.on_ground[world] > 0
    sight_io.dug[world] = dug_after(sight_io.dug[world], ticks, instant, under_water, stands)
    if sight_io.dug[world] < 1.0:
        return False
    sight_io.target[world] = -1
    sight_io.dug[world] = 0.0
    body_io.exhaustion[world] = tired(body_io.exhaustion[world], EXHAUSTION_OF_BLOCK)
    harvested = rules.harvests[block, in_hand] > 0
    chance = fold(wp.uint32(game_in.chance[world]), tick)
    break_block(rules, world, place, harvested, chance, grid_io, body_io, pack_io)
    if in_hand > 0 and not instant:
        wear_tool(rules, world, rules.tool_wear[in_hand - 1], pack_io)
    return True


@wp.func
def diggable(rules: Rules, world: int, place: int, grid_in: Grid, pack_in: Pack) -> bool:
    """Whether there is a block at the place, and one that can be dug."""
    if place < 0:
        return False
    block = block_of(grid_in, world, place)
    return rules.dig_ticks[block, column_in_hand(rules, world, pack_in)] >= 0


@wp.func
def column_in_hand(rules: Rules, world: int, pack_in: Pack) -> int:
    """The column of the tables of digging for what the player holds."""
    if pack_in.hand[world] < 0:
        return 0
    return rules.tool_of_item[pack_in.hand[world]] + 1


@wp.func
def dug_after(dug: float, ticks: int, instant: bool, under_water: bool, stands: bool) -> float:
    """The share of a block that is dug after one tick more, 1 when it breaks.

    Counts in whole units of work, 25 of which are one unhindered tick: no rounding adds up.
    """
    # DEVIATION: hindrances multiply the whole ticks of the table, not the exact time behind them.
    if instant:
        return 1.0
    units = HANDICAP * HANDICAP
    need = ticks * units
    if under_water:
        units = units // HANDICAP
    if not stands:
        units = units // HANDICAP
    done = int(wp.floor(dug * float(need) + 0.5)) + units
    if done >= need:
        return 1.0
    return float(done) / float(need)


@wp.func
def wear_tool(rules: Rules, world: int, uses: int, pack_io: Pack):
    """Wears the tool in hand by some uses; a worn-out tool is gone."""
    # DEVIATION: of each kind of tool only the one in use has wear.
    item = pack_io.hand[world]
    tool = rules.tool_of_item[item]
    wear = pack_io.wear[world, tool] + uses
    if wear >= rules.tool_durability[tool]:
        wear = int(0)
        pack_io.inventory[world, item] = pack_io.inventory[world, item] - 1
        # DEVIATION: the next one of its kind takes its place, as a player's habit would have it.
        if pack_io.inventory[world, item] == 0:
            pack_io.hand[world] = -1
    pack_io.wear[world, tool] = wear

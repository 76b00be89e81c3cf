"""Digging the block under the crosshair, by Minecraft's dig times, tools and wear."""

import warp as wp

from lapis.worlds.rng import fold
from lapis.worlds.techtree.body import EXHAUSTION_OF_BLOCK
from lapis.worlds.voxel.body import tired
from lapis.worlds.voxel.breaking import break_block
from lapis.worlds.voxel.grid import block_at, x_of, y_of, z_of
from lapis.worlds.voxel.rules import Rules

# Sums and products are rounded one by one, so that CPU and GPU agree to the last bit.
wp.set_module_options({"enable_backward": False, "fuse_fp": False})

HANDICAP = 5  # times as long with the eyes in water, and again off the ground


@wp.func
def dig(
    rules: Rules,
    world: int,
    tick: int,
    under_water: bool,
    looked_at_in: wp.array[int],
    position_in: wp.array2d[float],
    on_ground_in: wp.array[int],
    chance_in: wp.array[int],
    blocks_io: wp.array4d[wp.uint8],
    top_io: wp.array3d[wp.uint8],
    bricks_io: wp.array4d[wp.uint8],
    ceiling_io: wp.array[int],
    torch_io: wp.array2d[int],
    station_io: wp.array2d[int],
    station_count_io: wp.array[int],
    burn_io: wp.array[int],
    target_io: wp.array[int],
    dug_io: wp.array[float],
    hand_io: wp.array[int],
    wear_io: wp.array2d[int],
    inventory_io: wp.array2d[int],
    experience_io: wp.array[int],
    exhaustion_io: wp.array[int],
) -> bool:
    """Digs for one tick at the block under the crosshair; returns whether it broke."""
    # DEVIATION: no pause of 5 ticks between two blocks.
    place = looked_at_in[world]
    if place != target_io[world]:
        target_io[world] = place
        dug_io[world] = 0.0
    if place < 0:
        return False
    block = block_under(world, place, blocks_io)
    in_hand = column_in_hand(rules, world, hand_io)
    ticks = rules.dig_ticks[block, in_hand]
    if ticks < 0:
        return False
    dug_io[world] = dug_after(
        dug_io[world], ticks, rules.instant[block] > 0, under_water, on_ground_in[world] > 0
    )
    if dug_io[world] < 1.0:
        return False
    target_io[world] = -1
    dug_io[world] = 0.0
    exhaustion_io[world] = tired(exhaustion_io[world], EXHAUSTION_OF_BLOCK)
    break_block(
        rules,
        world,
        place,
        rules.harvests[block, in_hand] > 0,
        fold(wp.uint32(chance_in[world]), tick),
        position_in,
        blocks_io,
        top_io,
        bricks_io,
        ceiling_io,
        torch_io,
        station_io,
        station_count_io,
        burn_io,
        inventory_io,
        experience_io,
    )
    if rules.instant[block] == 0:
        tool = in_hand - 1
        if tool >= 0:
            wear_tool(rules, world, rules.tool_wear[tool], hand_io, wear_io, inventory_io)
    return True


@wp.func
def diggable(
    rules: Rules,
    world: int,
    place: int,
    hand_in: wp.array[int],
    blocks_in: wp.array4d[wp.uint8],
) -> bool:
    """Whether there is a block at the place, and one that can be dug."""
    if place < 0:
        return False
    block = block_under(world, place, blocks_in)
    return rules.dig_ticks[block, column_in_hand(rules, world, hand_in)] >= 0


@wp.func
def block_under(world: int, place: int, blocks_in: wp.array4d[wp.uint8]) -> int:
    """The block at a place."""
    size = blocks_in.shape[1]
    height = blocks_in.shape[3]
    x = x_of(place, size, height)
    return int(block_at(blocks_in, world, x, y_of(place, height), z_of(place, size, height)))


@wp.func
def column_in_hand(rules: Rules, world: int, hand_in: wp.array[int]) -> int:
    """The column of the tables of digging for what the player holds."""
    if hand_in[world] < 0:
        return 0
    return rules.tool_of_item[hand_in[world]] + 1


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
def wear_tool(
    rules: Rules,
    world: int,
    uses: int,
    hand_io: wp.array[int],
    wear_io: wp.array2d[int],
    inventory_io: wp.array2d[int],
):
    """Wears the tool in hand by some uses; a worn-out tool is gone."""
    # DEVIATION: of each kind of tool only the one in use has wear.
    item = hand_io[world]
    tool = rules.tool_of_item[item]
    wear = wear_io[world, tool] + uses
    if wear >= rules.tool_durability[tool]:
        wear = int(0)
        inventory_io[world, item] = inventory_io[world, item] - 1
        # DEVIATION: the next one of its kind takes its place, as a player's habit would have it.
        if inventory_io[world, item] == 0:
            hand_io[world] = -1
    wear_io[world, tool] = wear

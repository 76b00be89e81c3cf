"""Breaking blocks: gathering what is in reach, digging down, climbing and tunneling."""

import warp as wp

from lapis.worlds.rng import below, draw
from lapis.worlds.techtree.actions import FIRST, Kind, Reach
from lapis.worlds.techtree.body import (
    EXHAUSTION_OF_BLOCK,
    EXHAUSTION_OF_JUMP,
    EXHAUSTION_OF_SPRINT,
    SPRINT_FOOD,
)
from lapis.worlds.techtree.config import LEVEL_BLOCKS, LOWEST, SOIL_BLOCKS, SURFACE
from lapis.worlds.techtree.rules import Purpose, Rules

wp.set_module_options({"enable_backward": False})

MOVE = FIRST[Kind.MOVE]
DIG_DOWN = FIRST[Kind.DIG_DOWN]
CLIMB = FIRST[Kind.CLIMB]
GATHER = FIRST[Kind.GATHER]
AFTER_GATHER = FIRST[Kind.EAT]
_SOIL_BOTTOM = SURFACE - SOIL_BLOCKS
JUMP_TICKS = 12  # a jump onto the next step of a stair
FALL_DAMAGE = (LEVEL_BLOCKS - 3) * 1000  # one point per block beyond three


@wp.func
def collect(
    rules: Rules,
    world: int,
    stream: wp.uint32,
    kind: int,
    place: int,
    inventory_io: wp.array2d[int],
):
    """Puts the drop of a broken block into the inventory; `place` numbers the step's blocks."""
    number = draw(stream, Purpose.DROP + 2 * place)
    for line in range(rules.drop_item.shape[1]):
        item = rules.drop_item[kind, line]
        if item >= 0 and number < rules.drop_chance[kind, line]:
            amount = rules.drop_least[kind, line]
            spread = rules.drop_spread[kind, line]
            if spread > 1:
                amount = amount + below(draw(stream, Purpose.DROP_COUNT + 2 * place), spread)
            inventory_io[world, item] = inventory_io[world, item] + amount
            return


@wp.func
def use_tool(
    rules: Rules,
    world: int,
    hand_io: wp.array[int],
    wear_io: wp.array2d[int],
    inventory_io: wp.array2d[int],
):
    """Wears the tool in hand for one broken block; a worn-out tool is gone."""
    # DEVIATION: of each kind of tool only the one in use has wear.
    tool = hand_io[world]
    if tool < 0:
        return
    wear = wear_io[world, tool] + rules.tool_wear[tool]
    if wear >= rules.tool_durability[tool]:
        wear = int(0)
        item = rules.tool_item[tool]
        inventory_io[world, item] = inventory_io[world, item] - 1
        # DEVIATION: the next one of its kind takes its place, as a player's habit would have it.
        if inventory_io[world, item] == 0:
            hand_io[world] = -1
    wear_io[world, tool] = wear


@wp.func
def dig_through(
    rules: Rules,
    world: int,
    stream: wp.uint32,
    kind: int,
    count: int,
    first_place: int,
    hand_io: wp.array[int],
    wear_io: wp.array2d[int],
    inventory_io: wp.array2d[int],
) -> int:
    """Breaks `count` blocks one after another; returns the ticks."""
    ticks = int(0)
    for place in range(count):
        tool = hand_io[world] + 1
        ticks = ticks + rules.dig_ticks[kind, tool]
        if rules.harvests[kind, tool] > 0:
            collect(rules, world, stream, kind, first_place + place, inventory_io)
        use_tool(rules, world, hand_io, wear_io, inventory_io)
    return ticks


@wp.func
def dig_level(
    rules: Rules,
    world: int,
    stream: wp.uint32,
    top: int,
    width: int,
    soil: int,
    upward: bool,
    hand_io: wp.array[int],
    wear_io: wp.array2d[int],
    inventory_io: wp.array2d[int],
) -> int:
    """Breaks `width` blocks per layer of the level below height `top`; returns the ticks."""
    count = LEVEL_BLOCKS * width
    first = soil
    then = Reach.STONE
    first_count = wp.clamp(top - _SOIL_BOTTOM, 0, LEVEL_BLOCKS) * width
    if upward:
        first = Reach.STONE
        then = soil
        first_count = count - first_count
    ticks = dig_through(rules, world, stream, first, first_count, 0, hand_io, wear_io, inventory_io)
    return ticks + dig_through(
        rules,
        world,
        stream,
        then,
        count - first_count,
        first_count,
        hand_io,
        wear_io,
        inventory_io,
    )


@wp.func
def along_cave(rules: Rules, height: int, number: int) -> int:
    """Where a move through a cave leads: often on, sometimes a level down or up."""
    if number < rules.cave_slope:
        return wp.max(height - LEVEL_BLOCKS, LOWEST)
    if number < 2 * rules.cave_slope:
        return wp.min(height + LEVEL_BLOCKS, SURFACE - LEVEL_BLOCKS)
    return height


@wp.kernel
def gather(
    # Rules:
    rules: Rules,
    # State in:
    chosen_in: wp.array[int],
    chance_in: wp.array[int],
    # State in/out:
    reach_io: wp.array2d[int],
    burn_io: wp.array[int],
    target_io: wp.array[int],
    dug_io: wp.array[int],
    hand_io: wp.array[int],
    wear_io: wp.array2d[int],
    inventory_io: wp.array2d[int],
    exhaustion_io: wp.array[int],
    ticks_io: wp.array[int],
):
    """Holds the attack button on one kind of block; breaks as many as the time allows."""
    # DEVIATION: no pause of 5 ticks between two blocks.
    world = wp.tid()
    action = chosen_in[world]
    if action < 0:
        return
    if action < GATHER or action >= AFTER_GATHER:
        target_io[world] = -1
        dug_io[world] = 0
        return
    kind = action - GATHER
    stream = wp.uint32(chance_in[world])
    dug = dug_io[world]
    if target_io[world] != kind:
        dug = int(0)
    left = rules.attack_ticks
    place = int(0)
    while left > 0 and reach_io[world, kind] > 0:
        tool = hand_io[world] + 1
        need = rules.dig_ticks[kind, tool] - dug
        if need > left:
            dug = dug + left
            left = int(0)
        else:
            left = left - need
            dug = int(0)
            reach_io[world, kind] = reach_io[world, kind] - 1
            if rules.harvests[kind, tool] > 0:
                collect(rules, world, stream, kind, place, inventory_io)
            use_tool(rules, world, hand_io, wear_io, inventory_io)
            exhaustion_io[world] = exhaustion_io[world] + EXHAUSTION_OF_BLOCK
            place = place + 1
    if kind == Reach.FURNACE and reach_io[world, kind] == 0:
        burn_io[world] = 0
    ticks_io[world] = rules.attack_ticks - left
    target_io[world] = kind
    dug_io[world] = dug


@wp.kernel
def travel(
    # Rules:
    rules: Rules,
    # State in:
    chosen_in: wp.array[int],
    chance_in: wp.array[int],
    biome_in: wp.array[int],
    in_cave_in: wp.array[int],
    food_in: wp.array[int],
    # State in/out:
    height_io: wp.array[int],
    hand_io: wp.array[int],
    wear_io: wp.array2d[int],
    inventory_io: wp.array2d[int],
    exhaustion_io: wp.array[int],
    ticks_io: wp.array[int],
    arrived_io: wp.array[int],
    damage_io: wp.array[int],
):
    """Moves on, digs down or climbs up; what is broken on the way is collected."""
    world = wp.tid()
    action = chosen_in[world]
    if action < 0 or action > CLIMB:
        return
    stream = wp.uint32(chance_in[world])
    height = height_io[world]
    soil = rules.soil[biome_in[world]]
    ticks = int(0)
    effort = int(0)
    if action == MOVE:
        if height == SURFACE or in_cave_in[world] > 0:
            ticks = rules.walk_ticks
            if food_in[world] > SPRINT_FOOD:
                ticks = rules.sprint_ticks
                effort = EXHAUSTION_OF_SPRINT * rules.walk_blocks
            if in_cave_in[world] > 0:
                height = along_cave(rules, height, draw(stream, Purpose.SLOPE))
        else:
            count = 2 * rules.tunnel_blocks
            ticks = rules.tunnel_walk_ticks
            ticks += dig_through(
                rules, world, stream, Reach.STONE, count, 0, hand_io, wear_io, inventory_io
            )
            effort = EXHAUSTION_OF_BLOCK * count
    elif action == DIG_DOWN:
        ticks = dig_level(
            rules, world, stream, height, 1, soil, False, hand_io, wear_io, inventory_io
        )
        effort = EXHAUSTION_OF_BLOCK * LEVEL_BLOCKS
        height = height - LEVEL_BLOCKS
        if draw(stream, Purpose.FALL) < rules.fall and height > LOWEST:
            height = height - LEVEL_BLOCKS
            damage_io[world] = damage_io[world] + FALL_DAMAGE
    else:
        # A stair: two blocks to clear and one jump for each block of height.
        height = height + LEVEL_BLOCKS
        ticks = JUMP_TICKS * LEVEL_BLOCKS
        ticks += dig_level(
            rules, world, stream, height, 2, soil, True, hand_io, wear_io, inventory_io
        )
        effort = (2 * EXHAUSTION_OF_BLOCK + EXHAUSTION_OF_JUMP) * LEVEL_BLOCKS
    height_io[world] = height
    exhaustion_io[world] = exhaustion_io[world] + effort
    ticks_io[world] = ticks
    arrived_io[world] = 1

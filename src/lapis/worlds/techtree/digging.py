"""Breaking blocks: gathering what is in reach, digging down, climbing and tunneling."""

import warp as wp

from lapis.worlds.rng import below, draw
from lapis.worlds.techtree.actions import CLIMB, DIG_DOWN, EAT, GATHER, MOVE, Reach
from lapis.worlds.techtree.body import (
    EXHAUSTION_OF_BLOCK,
    EXHAUSTION_OF_JUMP,
    EXHAUSTION_OF_SPRINT,
    SPRINT_FOOD,
)
from lapis.worlds.techtree.config import LEVEL_BLOCKS, LOWEST, SOIL_BLOCKS, SURFACE
from lapis.worlds.techtree.rules import Purpose, Rules
from lapis.worlds.techtree.state import Body, Game, Pack, Spot

wp.set_module_options({"enable_backward": False})

_SOIL_BOTTOM = SURFACE - SOIL_BLOCKS
JUMP_TICKS = 12  # a jump onto the next step of a stair
FALL_DAMAGE = (LEVEL_BLOCKS - 3) * 1000  # one point per block beyond three


@wp.func
def collect(rules: Rules, world: int, stream: wp.uint32, kind: int, place: int, pack_io: Pack):
    """Puts the drop of a broken block into the inventory; `place` numbers the step's blocks."""
    number = draw(stream, Purpose.DROP + 2 * place)
    for line in range(rules.drop_item.shape[1]):
        item = rules.drop_item[kind, line]
        if item >= 0 and number < rules.drop_chance[kind, line]:
            amount = rules.drop_least[kind, line]
            spread = rules.drop_spread[kind, line]
            if spread > 1:
                amount = amount + below(draw(stream, Purpose.DROP_COUNT + 2 * place), spread)
            pack_io.inventory[world, item] = pack_io.inventory[world, item] + amount
            return


@wp.func
def use_tool(rules: Rules, world: int, pack_io: Pack):
    """Wears the tool in hand for one broken block; a worn-out tool is gone."""
    # DEVIATION: of each kind of tool only the one in use has wear.
    tool = pack_io.hand[world]
    if tool < 0:
        return
    wear = pack_io.wear[world, tool] + rules.tool_wear[tool]
    if wear >= rules.tool_durability[tool]:
        wear = int(0)
        item = rules.tool_item[tool]
        pack_io.inventory[world, item] = pack_io.inventory[world, item] - 1
        # DEVIATION: the next one of its kind takes its place, as a player's habit would have it.
        if pack_io.inventory[world, item] == 0:
            pack_io.hand[world] = -1
    pack_io.wear[world, tool] = wear


@wp.func
def dig_through(
    rules: Rules,
    world: int,
    stream: wp.uint32,
    kind: int,
    count: int,
    first_place: int,
    pack_io: Pack,
) -> int:
    """Breaks `count` blocks one after another; returns the ticks."""
    ticks = int(0)
    for place in range(count):
        tool = pack_io.hand[world] + 1
        ticks = ticks + rules.dig_ticks[kind, tool]
        if rules.harvests[kind, tool] > 0:
            collect(rules, world, stream, kind, first_place + place, pack_io)
        use_tool(rules, world, pack_io)
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
    pack_io: Pack,
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
    ticks = dig_through(rules, world, stream, first, first_count, 0, pack_io)
    return ticks + dig_through(
        rules, world, stream, then, count - first_count, first_count, pack_io
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
    # State in/out:
    game_io: Game,
    spot_io: Spot,
    pack_io: Pack,
    body_io: Body,
):
    """Holds the attack button on one kind of block; breaks as many as the time allows."""
    # DEVIATION: no pause of 5 ticks between two blocks.
    world = wp.tid()
    action = game_io.chosen[world]
    if action < 0:
        return
    if action < GATHER or action >= EAT:
        spot_io.target[world] = -1
        spot_io.dug[world] = 0
        return
    kind = action - GATHER
    stream = wp.uint32(game_io.chance[world])
    dug = spot_io.dug[world]
    if spot_io.target[world] != kind:
        dug = int(0)
    left = rules.attack_ticks
    place = int(0)
    while left > 0 and spot_io.reach[world, kind] > 0:
        tool = pack_io.hand[world] + 1
        need = rules.dig_ticks[kind, tool] - dug
        if need > left:
            dug = dug + left
            left = int(0)
        else:
            left = left - need
            dug = int(0)
            spot_io.reach[world, kind] = spot_io.reach[world, kind] - 1
            if rules.harvests[kind, tool] > 0:
                collect(rules, world, stream, kind, place, pack_io)
            use_tool(rules, world, pack_io)
            body_io.exhaustion[world] = body_io.exhaustion[world] + EXHAUSTION_OF_BLOCK
            place = place + 1
    if kind == Reach.FURNACE and spot_io.reach[world, kind] == 0:
        spot_io.burn[world] = 0
    game_io.ticks[world] = rules.attack_ticks - left
    spot_io.target[world] = kind
    spot_io.dug[world] = dug


@wp.kernel
def travel(
    # Rules:
    rules: Rules,
    # State in/out:
    game_io: Game,
    spot_io: Spot,
    body_io: Body,
    pack_io: Pack,
):
    """Moves on, digs down or climbs up; what is broken on the way is collected."""
    world = wp.tid()
    action = game_io.chosen[world]
    if action < 0 or action > CLIMB:
        return
    stream = wp.uint32(game_io.chance[world])
    height = spot_io.height[world]
    soil = rules.soil[spot_io.biome[world]]
    ticks = int(0)
    effort = int(0)
    if action == MOVE:
        if height == SURFACE or spot_io.in_cave[world] > 0:
            ticks = rules.walk_ticks
            if body_io.food[world] > SPRINT_FOOD:
                ticks = rules.sprint_ticks
                effort = EXHAUSTION_OF_SPRINT * rules.walk_blocks
            if spot_io.in_cave[world] > 0:
                height = along_cave(rules, height, draw(stream, Purpose.SLOPE))
        else:
            count = 2 * rules.tunnel_blocks
            ticks = rules.tunnel_walk_ticks
            ticks += dig_through(rules, world, stream, Reach.STONE, count, 0, pack_io)
            effort = EXHAUSTION_OF_BLOCK * count
    elif action == DIG_DOWN:
        ticks = dig_level(rules, world, stream, height, 1, soil, False, pack_io)
        effort = EXHAUSTION_OF_BLOCK * LEVEL_BLOCKS
        height = height - LEVEL_BLOCKS
        if draw(stream, Purpose.FALL) < rules.fall and height > LOWEST:
            height = height - LEVEL_BLOCKS
            game_io.damage[world] = game_io.damage[world] + FALL_DAMAGE
    else:
        # A stair: two blocks to clear and one jump for each block of height.
        height = height + LEVEL_BLOCKS
        ticks = JUMP_TICKS * LEVEL_BLOCKS
        ticks += dig_level(rules, world, stream, height, 2, soil, True, pack_io)
        effort = (2 * EXHAUSTION_OF_BLOCK + EXHAUSTION_OF_JUMP) * LEVEL_BLOCKS
    spot_io.height[world] = height
    body_io.exhaustion[world] = body_io.exhaustion[world] + effort
    game_io.ticks[world] = ticks
    game_io.arrived[world] = 1

"""The special actions (paper P16), the use of blocks (P15), and when each would do something.

Special actions place, equip, smelt and craft. What is used is opened, closed or tilled; eating is
left to the body.
"""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.making import burn_fuel, craft_one, has_fire, payable_recipe
from lapis.worlds.rng import draw
from lapis.worlds.voxel.actions import SPECIALS, Component, Special
from lapis.worlds.voxel.breaking import landing, remember_station, remember_torch, support
from lapis.worlds.voxel.collision import covers
from lapis.worlds.voxel.digging import wear_tool
from lapis.worlds.voxel.grid import block_at, block_of, cell_in, place_in, set_block, wrapped
from lapis.worlds.voxel.looking import NEAR_FURNACE, NEAR_TABLE
from lapis.worlds.voxel.rules import Purpose, Rules
from lapis.worlds.voxel.state import STATIONS, Body, Game, Grid, Pack, Sight

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

_KINDS = [action.kind for action in SPECIALS]
PLACE = _KINDS.index(Special.PLACE)
EQUIP = _KINDS.index(Special.EQUIP)
SMELT = _KINDS.index(Special.SMELT)
CRAFT = _KINDS.index(Special.CRAFT)
EATS = 1  # what the use of a step is
HANDLES = 2
_BOTTOM = 2  # face of a block


@wp.func
def placing_cell(rules: Rules, world: int, grid_in: Grid, sight_in: Sight) -> int:
    """The place where a block would be put, -1: none.

    It is the cell at the face that is looked at, or the cell of what can be replaced.
    """
    if sight_in.looked_at[world] < 0:
        return -1
    cell = cell_in(grid_in, sight_in.looked_at[world])
    x = cell[0]
    y = cell[1]
    z = cell[2]
    if rules.replaceable[block_at(grid_in, world, x, y, z)] == 0:
        face = sight_in.looked_face[world]
        size = grid_in.blocks.shape[1]
        way = 2 * (face % 2) - 1
        x = wrapped(x + wp.where(face // 2 == 0, way, 0), size)
        y = y + wp.where(face // 2 == 1, way, 0)
        z = wrapped(z + wp.where(face // 2 == 2, way, 0), size)
    if y < 0 or y >= grid_in.blocks.shape[3]:
        return -1
    if rules.replaceable[block_at(grid_in, world, x, y, z)] == 0:
        return -1
    return place_in(grid_in, x, y, z)


@wp.func
def body_covers(world: int, place: int, grid_in: Grid, body_in: Body) -> bool:
    """Whether the player is in the cell at a place."""
    cell = cell_in(grid_in, place)
    return covers(body_in.position[world], cell[0], cell[1], cell[2], grid_in.blocks.shape[1])


@wp.func
def support_of(rules: Rules, world: int, place: int, grid_in: Grid) -> int:
    """Bits: what a thing at a place can rest on; a place of -1 has nothing."""
    if place < 0:
        return 0
    cell = cell_in(grid_in, place)
    return support(rules, world, cell[0], cell[1], cell[2], grid_in)


@wp.func
def used_block(
    rules: Rules, world: int, grid_in: Grid, body_in: Body, pack_in: Pack, sight_in: Sight
) -> int:
    """What the block that is looked at becomes when the player uses it, 0: nothing happens.

    Doors, trapdoors and gates open and close; a hoe tills dirt and grass that lie open above.
    """
    # DEVIATION: nothing else is used by hand: no grass paths, no buckets of water, no levers.
    looked_at = sight_in.looked_at[world]
    if looked_at < 0:
        return 0
    block = block_of(grid_in, world, looked_at)
    becomes = rules.used[block]
    if becomes > 0:
        # What is closed fills its cell: nobody may be in it.
        if rules.solid[becomes] > 0 and body_covers(world, looked_at, grid_in, body_in):
            return 0
        return becomes
    hand = pack_in.hand[world]
    if hand < 0 or sight_in.looked_face[world] == _BOTTOM:
        return 0
    if (block != Block.DIRT and block != Block.GRASS) or rules.tills[rules.tool_of_item[hand]] == 0:
        return 0
    cell = cell_in(grid_in, looked_at)
    if block_at(grid_in, world, cell[0], cell[1] + 1, cell[2]) != Block.AIR:
        return 0
    return Block.FARMLAND


@wp.func
def can_smelt(rules: Rules, world: int, smelt: int, pack_in: Pack) -> bool:
    """Whether there is something to smelt, and fire and fuel for it besides."""
    smelted = rules.making.smelt_input[smelt]
    if pack_in.inventory[world, smelted] == 0:
        return False
    fuels = rules.making.fuel_item.shape[0]
    return has_fire(rules.making, world, pack_in.burn[world], smelted, fuels, pack_in.inventory)


@wp.func
def put(rules: Rules, world: int, place: int, block: int, grid_io: Grid, body_in: Body):
    """Puts a block at a place; sand and gravel fall from there."""
    cell = cell_in(grid_io, place)
    y = cell[1]
    if rules.falling[block] > 0:
        y = landing(rules, world, cell[0], y, cell[2], grid_io, body_in)
    set_block(grid_io, world, cell[0], y, cell[2], block)
    if block == Block.TORCH:
        remember_torch(world, place, grid_io)
    if block == Block.CRAFTING_TABLE or block == Block.FURNACE:
        remember_station(world, place, grid_io)


@wp.func
def smelt_one(rules: Rules, world: int, smelt: int, chance: wp.uint32, pack_io: Pack):
    """Smelts one item, feeding the fire in the order of the table of fuels."""
    # DEVIATION: smelting takes no time, and the fire waits in between.
    smelted = rules.making.smelt_input[smelt]
    made = rules.making.smelt_item[smelt]
    pack_io.inventory[world, smelted] = pack_io.inventory[world, smelted] - 1
    pack_io.burn[world] = burn_fuel(rules.making, world, pack_io.burn[world], pack_io.inventory)
    # The fire may have taken a tool, even that in hand; the next of its kind is new.
    for tool in range(rules.tool_item.shape[0]):
        item = rules.tool_item[tool]
        if pack_io.inventory[world, item] == 0:
            pack_io.wear[world, tool] = 0
            if pack_io.hand[world] == item:
                pack_io.hand[world] = -1
    pack_io.inventory[world, made] = pack_io.inventory[world, made] + 1
    points = rules.smelt_experience[smelt]
    if draw(chance, Purpose.SMELTING_EXPERIENCE) < rules.smelt_experience_chance[smelt]:
        points = points + 1
    pack_io.experience[world] = pack_io.experience[world] + points


@wp.kernel
def handle(
    # Rules:
    rules: Rules,
    # State in:
    body_in: Body,
    game_in: Game,
    # State in/out:
    chosen_io: wp.array2d[int],
    grid_io: Grid,
    pack_io: Pack,
    sight_io: Sight,
):
    """Does the special action, on the step's first tick and as the player has seen the world.

    The mask has seen to it that the action succeeds. Without a special action, the block that is
    looked at is used; a use that does nothing to it is for eating.
    """
    world = wp.tid()
    special = chosen_io[world, Component.SPECIAL]
    if special == 0:
        if chosen_io[world, Component.USE] > 0:
            becomes = used_block(rules, world, grid_io, body_in, pack_io, sight_io)
            if becomes > 0:
                chosen_io[world, Component.USE] = HANDLES
                put(rules, world, sight_io.looked_at[world], becomes, grid_io, body_in)
            if becomes == Block.FARMLAND:
                wear_tool(rules, world, 1, pack_io)
        return
    # DEVIATION: a special action takes the hands: attack and use rest in its step.
    chosen_io[world, Component.ATTACK] = 0
    chosen_io[world, Component.USE] = 0
    if special >= CRAFT:
        craft_one(rules.making, world, special - CRAFT, pack_io.inventory)
    elif special >= SMELT:
        smelt_one(rules, world, special - SMELT, wp.uint32(game_in.chance[world]), pack_io)
    elif special >= EQUIP:
        tool_count = rules.tool_item.shape[0]
        if special - EQUIP < tool_count:
            pack_io.hand[world] = rules.tool_item[special - EQUIP]
            # Digging begins anew with another tool.
            sight_io.target[world] = -1
        else:
            pack_io.off_hand[world] = rules.off_hand_item[special - EQUIP - tool_count]
    else:
        item = rules.place_item[special - PLACE]
        pack_io.inventory[world, item] = pack_io.inventory[world, item] - 1
        place = placing_cell(rules, world, grid_io, sight_io)
        put(rules, world, place, rules.place_block[special - PLACE], grid_io, body_in)


@wp.func
def special_allowed(
    rules: Rules,
    world: int,
    special: int,
    cell: int,
    covered: bool,
    supported: int,
    grid_in: Grid,
    pack_in: Pack,
    sight_in: Sight,
) -> bool:
    """Whether a special action would succeed now."""
    near = sight_in.near[world]
    if special >= CRAFT:
        craft = special - CRAFT
        if rules.making.craft_needs_table[craft] > 0 and (near & NEAR_TABLE) == 0:
            return False
        return payable_recipe(rules.making, world, craft, pack_in.inventory) >= 0
    if special >= SMELT:
        if (near & NEAR_FURNACE) == 0:
            return False
        return can_smelt(rules, world, special - SMELT, pack_in)
    if special >= EQUIP:
        item = rules.equip_item[special - EQUIP]
        is_held = item == pack_in.hand[world] or item == pack_in.off_hand[world]
        return pack_in.inventory[world, item] > 0 and not is_held
    if special < PLACE:
        return True
    if cell < 0 or pack_in.inventory[world, rules.place_item[special - PLACE]] == 0:
        return False
    block = rules.place_block[special - PLACE]
    if covered and rules.solid[block] > 0:
        return False
    if rules.rests_on[block] > 0 and (rules.rests_on[block] & supported) == 0:
        return False
    # DEVIATION: a world holds at most `STATIONS` tables and furnaces.
    is_station = block == Block.CRAFTING_TABLE or block == Block.FURNACE
    return grid_in.station_count[world] < STATIONS or not is_station

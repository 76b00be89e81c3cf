"""The special actions (paper P16), the use of blocks (P15), and when each would do something.

Special actions place, equip, smelt and craft. What is used is opened, closed or tilled; eating is
left to the body.
"""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.making import burn_fuel, craft_one, has_fire, payable_recipe
from lapis.worlds.rng import draw
from lapis.worlds.voxel.actions import SPECIALS, Component, Special
from lapis.worlds.voxel.breaking import (
    landing,
    remember_station,
    remember_torch,
    support,
)
from lapis.worlds.voxel.collision import covers, place_of_feet
from lapis.worlds.voxel.digging import block_under, wear_tool
from lapis.worlds.voxel.grid import block_at, place_of, set_block, wrapped, x_of, y_of, z_of
from lapis.worlds.voxel.looking import NEAR_FURNACE, NEAR_TABLE
from lapis.worlds.voxel.rules import Purpose, Rules
from lapis.worlds.voxel.state import STATIONS

# Sums and products are rounded one by one, so that CPU and GPU agree to the last bit.
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
def placing_cell(
    rules: Rules,
    world: int,
    looked_at: int,
    looked_face: int,
    blocks_in: wp.array4d[wp.uint8],
) -> int:
    """The place where a block would be put, -1: none.

    It is the cell at the face that is looked at, or the cell of what can be replaced.
    """
    if looked_at < 0:
        return -1
    size = blocks_in.shape[1]
    height = blocks_in.shape[3]
    x = x_of(looked_at, size, height)
    y = y_of(looked_at, height)
    z = z_of(looked_at, size, height)
    if rules.replaceable[int(block_at(blocks_in, world, x, y, z))] == 0:
        way = 2 * (looked_face % 2) - 1
        x = wrapped(x + wp.where(looked_face // 2 == 0, way, 0), size)
        y = y + wp.where(looked_face // 2 == 1, way, 0)
        z = wrapped(z + wp.where(looked_face // 2 == 2, way, 0), size)
    if y < 0 or y >= height:
        return -1
    if rules.replaceable[int(block_at(blocks_in, world, x, y, z))] == 0:
        return -1
    return place_of(x, y, z, size, height)


@wp.func
def body_covers(
    world: int, cell: int, position_in: wp.array2d[float], blocks_in: wp.array4d[wp.uint8]
) -> bool:
    """Whether the player is in a cell."""
    size = blocks_in.shape[1]
    height = blocks_in.shape[3]
    body = place_of_feet(world, position_in)
    x = x_of(cell, size, height)
    return covers(body, x, y_of(cell, height), z_of(cell, size, height), size)


@wp.func
def support_of(rules: Rules, world: int, cell: int, blocks_in: wp.array4d[wp.uint8]) -> int:
    """Bits: what a thing in a cell can rest on; a cell of -1 has nothing."""
    if cell < 0:
        return 0
    size = blocks_in.shape[1]
    height = blocks_in.shape[3]
    x = x_of(cell, size, height)
    return support(rules, world, x, y_of(cell, height), z_of(cell, size, height), blocks_in)


@wp.func
def used_block(
    rules: Rules,
    world: int,
    looked_at: int,
    looked_face: int,
    hand: int,
    position_in: wp.array2d[float],
    blocks_in: wp.array4d[wp.uint8],
) -> int:
    """What the block that is looked at becomes when the player uses it, 0: nothing happens.

    Doors, trapdoors and gates open and close; a hoe tills dirt and grass that lie open above.
    """
    # DEVIATION: nothing else is used by hand: no grass paths, no buckets of water, no levers.
    if looked_at < 0:
        return 0
    block = block_under(world, looked_at, blocks_in)
    becomes = rules.used[block]
    if becomes > 0:
        # What is closed fills its cell: nobody may be in it.
        if rules.solid[becomes] > 0 and body_covers(world, looked_at, position_in, blocks_in):
            return 0
        return becomes
    if hand < 0 or looked_face == _BOTTOM or (block != Block.DIRT and block != Block.GRASS):
        return 0
    if rules.tills[rules.tool_of_item[hand]] == 0:
        return 0
    size = blocks_in.shape[1]
    height = blocks_in.shape[3]
    x = x_of(looked_at, size, height)
    y = y_of(looked_at, height)
    z = z_of(looked_at, size, height)
    if int(block_at(blocks_in, world, x, y + 1, z)) != Block.AIR:
        return 0
    return Block.FARMLAND


@wp.func
def can_smelt(
    rules: Rules, world: int, smelt: int, burn: int, inventory_in: wp.array2d[int]
) -> bool:
    """Whether there is something to smelt, and fire and fuel for it besides."""
    smelted = rules.smelt_input[smelt]
    fuels = rules.fuel_item.shape[0]
    return inventory_in[world, smelted] > 0 and has_fire(
        rules, world, burn, smelted, fuels, inventory_in
    )


@wp.func
def put(
    rules: Rules,
    world: int,
    cell: int,
    block: int,
    position_in: wp.array2d[float],
    blocks_io: wp.array4d[wp.uint8],
    top_io: wp.array3d[wp.uint8],
    bricks_io: wp.array4d[wp.uint8],
    ceiling_io: wp.array[int],
    torch_io: wp.array2d[int],
    torch_count_io: wp.array[int],
    station_io: wp.array2d[int],
    station_count_io: wp.array[int],
):
    """Puts a block into a cell; sand and gravel fall from there."""
    size = blocks_io.shape[1]
    height = blocks_io.shape[3]
    x = x_of(cell, size, height)
    y = y_of(cell, height)
    z = z_of(cell, size, height)
    if rules.falling[block] > 0:
        y = landing(rules, world, x, y, z, position_in, blocks_io)
    set_block(blocks_io, top_io, bricks_io, ceiling_io, world, x, y, z, wp.uint8(block))
    if block == Block.TORCH:
        remember_torch(world, cell, torch_io, torch_count_io)
    if block == Block.CRAFTING_TABLE or block == Block.FURNACE:
        remember_station(world, cell, station_io, station_count_io)


@wp.func
def smelt_one(
    rules: Rules,
    world: int,
    smelt: int,
    chance: wp.uint32,
    burn_io: wp.array[int],
    inventory_io: wp.array2d[int],
    wear_io: wp.array2d[int],
    hand_io: wp.array[int],
    experience_io: wp.array[int],
):
    """Smelts one item, feeding the fire in the order of the table of fuels."""
    # DEVIATION: smelting takes no time, and the fire waits in between.
    smelted = rules.smelt_input[smelt]
    made = rules.smelt_item[smelt]
    inventory_io[world, smelted] = inventory_io[world, smelted] - 1
    burn_io[world] = burn_fuel(rules, world, burn_io[world], inventory_io)
    # The fire may have taken a tool, even that in hand; the next of its kind is new.
    for tool in range(rules.tool_item.shape[0]):
        item = rules.tool_item[tool]
        if inventory_io[world, item] == 0:
            wear_io[world, tool] = 0
            if hand_io[world] == item:
                hand_io[world] = -1
    inventory_io[world, made] = inventory_io[world, made] + 1
    points = rules.smelt_experience[smelt]
    if draw(chance, Purpose.SMELTING_EXPERIENCE) < rules.smelt_experience_chance[smelt]:
        points = points + 1
    experience_io[world] = experience_io[world] + points


@wp.kernel
def handle(
    # Rules:
    rules: Rules,
    # State in:
    position_in: wp.array2d[float],
    looked_at_in: wp.array[int],
    looked_face_in: wp.array[int],
    chance_in: wp.array[int],
    # State in/out:
    chosen_io: wp.array2d[int],
    blocks_io: wp.array4d[wp.uint8],
    top_io: wp.array3d[wp.uint8],
    bricks_io: wp.array4d[wp.uint8],
    ceiling_io: wp.array[int],
    torch_io: wp.array2d[int],
    torch_count_io: wp.array[int],
    station_io: wp.array2d[int],
    station_count_io: wp.array[int],
    burn_io: wp.array[int],
    hand_io: wp.array[int],
    off_hand_io: wp.array[int],
    wear_io: wp.array2d[int],
    inventory_io: wp.array2d[int],
    target_io: wp.array[int],
    experience_io: wp.array[int],
):
    """Does the special action, on the step's first tick and as the player has seen the world.

    The mask has seen to it that the action succeeds. Without a special action, the block that is
    looked at is used; a use that does nothing to it is for eating.
    """
    world = wp.tid()
    special = chosen_io[world, Component.SPECIAL]
    if special == 0:
        if chosen_io[world, Component.USE] > 0:
            looked_at = looked_at_in[world]
            becomes = used_block(
                rules,
                world,
                looked_at,
                looked_face_in[world],
                hand_io[world],
                position_in,
                blocks_io,
            )
            if becomes > 0:
                chosen_io[world, Component.USE] = HANDLES
                put(
                    rules,
                    world,
                    looked_at,
                    becomes,
                    position_in,
                    blocks_io,
                    top_io,
                    bricks_io,
                    ceiling_io,
                    torch_io,
                    torch_count_io,
                    station_io,
                    station_count_io,
                )
            if becomes == Block.FARMLAND:
                wear_tool(rules, world, 1, hand_io, wear_io, inventory_io)
        return
    # DEVIATION: a special action takes the hands: attack and use rest in its step.
    chosen_io[world, Component.ATTACK] = 0
    chosen_io[world, Component.USE] = 0
    if special >= CRAFT:
        craft_one(rules, world, special - CRAFT, inventory_io)
    elif special >= SMELT:
        smelt_one(
            rules,
            world,
            special - SMELT,
            wp.uint32(chance_in[world]),
            burn_io,
            inventory_io,
            wear_io,
            hand_io,
            experience_io,
        )
    elif special >= EQUIP:
        tool_count = rules.tool_item.shape[0]
        if special - EQUIP < tool_count:
            hand_io[world] = rules.tool_item[special - EQUIP]
            # Digging begins anew with another tool.
            target_io[world] = -1
        else:
            off_hand_io[world] = rules.off_hand_item[special - EQUIP - tool_count]
    else:
        item = rules.place_item[special - PLACE]
        inventory_io[world, item] = inventory_io[world, item] - 1
        cell = placing_cell(rules, world, looked_at_in[world], looked_face_in[world], blocks_io)
        put(
            rules,
            world,
            cell,
            rules.place_block[special - PLACE],
            position_in,
            blocks_io,
            top_io,
            bricks_io,
            ceiling_io,
            torch_io,
            torch_count_io,
            station_io,
            station_count_io,
        )


@wp.func
def special_allowed(
    rules: Rules,
    world: int,
    special: int,
    cell: int,
    covered: bool,
    supported: int,
    near: int,
    burn: int,
    hand: int,
    off_hand: int,
    station_count: int,
    inventory_in: wp.array2d[int],
) -> bool:
    """Whether a special action would succeed now."""
    if special >= CRAFT:
        craft = special - CRAFT
        if rules.craft_needs_table[craft] > 0 and (near & NEAR_TABLE) == 0:
            return False
        return payable_recipe(rules, world, craft, inventory_in) >= 0
    if special >= SMELT:
        if (near & NEAR_FURNACE) == 0:
            return False
        return can_smelt(rules, world, special - SMELT, burn, inventory_in)
    if special >= EQUIP:
        item = rules.equip_item[special - EQUIP]
        return inventory_in[world, item] > 0 and item != hand and item != off_hand
    if special < PLACE:
        return True
    if cell < 0 or inventory_in[world, rules.place_item[special - PLACE]] == 0:
        return False
    block = rules.place_block[special - PLACE]
    if covered and rules.solid[block] > 0:
        return False
    if rules.rests_on[block] > 0 and (rules.rests_on[block] & supported) == 0:
        return False
    # DEVIATION: a world holds at most `STATIONS` tables and furnaces.
    return station_count < STATIONS or (block != Block.CRAFTING_TABLE and block != Block.FURNACE)

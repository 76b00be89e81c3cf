"""Breaking and setting blocks: drops, what falls or breaks with them, and what worlds remember."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.rng import below, draw, fold
from lapis.worlds.voxel.collision import BODY_HEIGHT, covers_column, last_cell, place_of_feet
from lapis.worlds.voxel.grid import block_at, place_of, set_block, x_of, y_of, z_of
from lapis.worlds.voxel.rules import ON_FLOOR, ON_SOIL, ON_WALL, Purpose, Rules
from lapis.worlds.voxel.state import TORCHES

# Sums and products are rounded one by one, so that CPU and GPU agree to the last bit.
wp.set_module_options({"enable_backward": False, "fuse_fp": False})

_AIR = wp.uint8(Block.AIR)


@wp.func
def break_block(
    rules: Rules,
    world: int,
    place: int,
    harvested: bool,
    chance: wp.uint32,
    position_in: wp.array2d[float],
    blocks_io: wp.array4d[wp.uint8],
    top_io: wp.array3d[wp.uint8],
    bricks_io: wp.array4d[wp.uint8],
    ceiling_io: wp.array[int],
    torch_io: wp.array2d[int],
    station_io: wp.array2d[int],
    station_count_io: wp.array[int],
    burn_io: wp.array[int],
    inventory_io: wp.array2d[int],
    experience_io: wp.array[int],
):
    """Breaks a block, gives its drop if it is harvested, and lets go what hung on it."""
    # DEVIATION: water and lava do not flow into the empty cell.
    size = blocks_io.shape[1]
    height = blocks_io.shape[3]
    x = x_of(place, size, height)
    y = y_of(place, height)
    z = z_of(place, size, height)
    block = int(block_at(blocks_io, world, x, y, z))
    set_block(blocks_io, top_io, bricks_io, ceiling_io, world, x, y, z, _AIR)
    if harvested:
        give_drop(rules, world, block, place, chance, inventory_io, experience_io)
    if block == Block.TORCH:
        forget_torch(world, place, torch_io)
    if block == Block.CRAFTING_TABLE or block == Block.FURNACE:
        forget_station(world, place, station_io, station_count_io)
    if block == Block.FURNACE:
        # DEVIATION: all furnaces share one fire, and breaking one puts it out.
        burn_io[world] = 0
    if rules.bears[block] > 0:
        drop_things_beside(
            rules,
            world,
            x,
            y,
            z,
            chance,
            blocks_io,
            top_io,
            bricks_io,
            ceiling_io,
            torch_io,
            inventory_io,
            experience_io,
        )
    settle_column(
        rules,
        world,
        x,
        y + 1,
        z,
        chance,
        position_in,
        blocks_io,
        top_io,
        bricks_io,
        ceiling_io,
        torch_io,
        inventory_io,
        experience_io,
    )


@wp.func
def drop_things_beside(
    rules: Rules,
    world: int,
    x: int,
    y: int,
    z: int,
    chance: wp.uint32,
    blocks_io: wp.array4d[wp.uint8],
    top_io: wp.array3d[wp.uint8],
    bricks_io: wp.array4d[wp.uint8],
    ceiling_io: wp.array[int],
    torch_io: wp.array2d[int],
    inventory_io: wp.array2d[int],
    experience_io: wp.array[int],
):
    """Breaks what hung at the sides of an emptied cell and is held by nothing else."""
    for side in range(4):
        way = 2 * (side % 2) - 1
        beside_x = x + wp.where(side < 2, way, 0)
        beside_z = z + wp.where(side < 2, 0, way)
        block = int(block_at(blocks_io, world, beside_x, y, beside_z))
        hangs = (rules.rests_on[block] & ON_WALL) > 0
        if hangs and not stays(rules, world, block, beside_x, y, beside_z, blocks_io):
            place = place_of(beside_x, y, beside_z, blocks_io.shape[1], blocks_io.shape[3])
            set_block(blocks_io, top_io, bricks_io, ceiling_io, world, beside_x, y, beside_z, _AIR)
            if block == Block.TORCH:
                forget_torch(world, place, torch_io)
            give_drop(rules, world, block, place, chance, inventory_io, experience_io)


@wp.func
def settle_column(
    rules: Rules,
    world: int,
    x: int,
    bottom: int,
    z: int,
    chance: wp.uint32,
    position_in: wp.array2d[float],
    blocks_io: wp.array4d[wp.uint8],
    top_io: wp.array3d[wp.uint8],
    bricks_io: wp.array4d[wp.uint8],
    ceiling_io: wp.array[int],
    torch_io: wp.array2d[int],
    inventory_io: wp.array2d[int],
    experience_io: wp.array[int],
):
    """Lets fall or break what stood above an emptied cell, from `bottom` up."""
    # DEVIATION: sand and gravel fall at once, and rest on what is not solid.
    size = blocks_io.shape[1]
    height = blocks_io.shape[3]
    y = int(bottom)
    goes_on = bool(True)
    while goes_on and y < height:
        block = int(block_at(blocks_io, world, x, y, z))
        goes_on = False
        if rules.falling[block] > 0:
            rest = landing(rules, world, x, y, z, position_in, blocks_io)
            if rest < y:
                set_block(blocks_io, top_io, bricks_io, ceiling_io, world, x, y, z, _AIR)
                set_block(
                    blocks_io, top_io, bricks_io, ceiling_io, world, x, rest, z, wp.uint8(block)
                )
                goes_on = True
        elif not stays(rules, world, block, x, y, z, blocks_io):
            place = place_of(x, y, z, size, height)
            set_block(blocks_io, top_io, bricks_io, ceiling_io, world, x, y, z, _AIR)
            if block == Block.TORCH:
                forget_torch(world, place, torch_io)
            give_drop(rules, world, block, place, chance, inventory_io, experience_io)
            goes_on = True
        y = y + 1


@wp.func
def landing(
    rules: Rules,
    world: int,
    x: int,
    y: int,
    z: int,
    position_in: wp.array2d[float],
    blocks_in: wp.array4d[wp.uint8],
) -> int:
    """The height to which a block falls from height y: never into or past the player."""
    # DEVIATION: sand and gravel do not bury the player, they rest above its head.
    rest = int(y)
    while rest > 0 and rules.replaceable[int(block_at(blocks_in, world, x, rest - 1, z))] > 0:
        rest = rest - 1
    body = place_of_feet(world, position_in)
    head = last_cell(body[1] + BODY_HEIGHT)
    if head < y and head >= rest and covers_column(body, x, z, blocks_in.shape[1]):
        rest = head + 1
    return rest


@wp.func
def stays(
    rules: Rules,
    world: int,
    block: int,
    x: int,
    y: int,
    z: int,
    blocks_in: wp.array4d[wp.uint8],
) -> bool:
    """Whether a block needs nothing to rest on in a cell, or finds it there."""
    wants = rules.rests_on[block]
    if wants == 0:
        return True
    return (wants & support(rules, world, x, y, z, blocks_in)) > 0


@wp.func
def support(
    rules: Rules, world: int, x: int, y: int, z: int, blocks_in: wp.array4d[wp.uint8]
) -> int:
    """Bits: what a thing in a cell can rest on."""
    # DEVIATION: torches and the like do not remember which block they were put on.
    below = int(block_at(blocks_in, world, x, y - 1, z))
    walls = rules.bears[int(block_at(blocks_in, world, x - 1, y, z))]
    walls += rules.bears[int(block_at(blocks_in, world, x + 1, y, z))]
    walls += rules.bears[int(block_at(blocks_in, world, x, y, z - 1))]
    walls += rules.bears[int(block_at(blocks_in, world, x, y, z + 1))]
    found = int(0)
    if rules.bears[below] > 0:
        found = found | ON_FLOOR
    if walls > 0:
        found = found | ON_WALL
    if rules.soil[below] > 0:
        found = found | ON_SOIL
    return found


@wp.func
def give_drop(
    rules: Rules,
    world: int,
    block: int,
    place: int,
    chance: wp.uint32,
    inventory_io: wp.array2d[int],
    experience_io: wp.array[int],
):
    """Puts the drop of a broken block into the inventory, with its experience."""
    # DEVIATION: nothing lies on the ground: drops come to the player at once.
    luck = fold(chance, place)
    spread = rules.experience_spread[block]
    points = rules.experience_least[block] + below(draw(luck, Purpose.EXPERIENCE), spread)
    experience_io[world] = experience_io[world] + points
    number = draw(luck, Purpose.DROP)
    for line in range(rules.drop_item.shape[1]):
        item = rules.drop_item[block, line]
        if item >= 0 and number < rules.drop_chance[block, line]:
            amount = rules.drop_least[block, line]
            amount += below(draw(luck, Purpose.DROP_COUNT), rules.drop_spread[block, line])
            inventory_io[world, item] = inventory_io[world, item] + amount
            return


@wp.func
def remember_torch(
    world: int, place: int, torch_io: wp.array2d[int], torch_count_io: wp.array[int]
):
    """Lets a new torch give light, in the stead of the oldest if there are too many."""
    torch_io[world, torch_count_io[world] % TORCHES] = place
    torch_count_io[world] = torch_count_io[world] + 1


@wp.func
def forget_torch(world: int, place: int, torch_io: wp.array2d[int]):
    """Takes a torch's light away."""
    for slot in range(torch_io.shape[1]):
        if torch_io[world, slot] == place:
            torch_io[world, slot] = -1


@wp.func
def remember_station(
    world: int, place: int, station_io: wp.array2d[int], station_count_io: wp.array[int]
):
    """Adds a table or furnace to those that stand; there must be room for it."""
    station_io[world, station_count_io[world]] = place
    station_count_io[world] = station_count_io[world] + 1


@wp.func
def forget_station(
    world: int, place: int, station_io: wp.array2d[int], station_count_io: wp.array[int]
):
    """Takes a table or furnace out of those that stand; the last one moves to its slot."""
    last = station_count_io[world] - 1
    for slot in range(station_io.shape[1]):
        if slot <= last and station_io[world, slot] == place:
            station_io[world, slot] = station_io[world, last]
            station_count_io[world] = last

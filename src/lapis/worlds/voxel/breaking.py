"""Breaking and setting blocks: drops, what falls or breaks with them, and what worlds remember."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.rng import below, draw, fold
from lapis.worlds.voxel.collision import BODY_HEIGHT, covers_column, last_cell
from lapis.worlds.voxel.grid import block_at, cell_in, place_in, set_block
from lapis.worlds.voxel.rules import ON_FLOOR, ON_SOIL, ON_WALL, Purpose, Rules
from lapis.worlds.voxel.state import TORCHES, Body, Grid, Pack

wp.set_module_options({"enable_backward": False, "fuse_fp": False})


@wp.func
def break_block(
    rules: Rules,
    world: int,
    place: int,
    harvested: bool,
    chance: wp.uint32,
    grid_io: Grid,
    body_in: Body,
    pack_io: Pack,
):
    """Breaks a block, gives its drop if it is harvested, and lets go what hung on it."""
    # DEVIATION: water and lava do not flow into the empty cell.
    cell = cell_in(grid_io, place)
    x = cell[0]
    y = cell[1]
    z = cell[2]
    block = block_at(grid_io, world, x, y, z)
    set_block(grid_io, world, x, y, z, Block.AIR)
    if harvested:
        give_drop(rules, world, block, place, chance, pack_io)
    if block == Block.TORCH:
        forget_torch(world, place, grid_io)
    if block == Block.CRAFTING_TABLE or block == Block.FURNACE:
        forget_station(world, place, grid_io)
    if block == Block.FURNACE:
        # DEVIATION: all furnaces share one fire, and breaking one puts it out.
        pack_io.burn[world] = 0
    if rules.bears[block] > 0:
        drop_things_beside(rules, world, x, y, z, chance, grid_io, pack_io)
    settle_column(rules, world, x, y + 1, z, chance, grid_io, body_in, pack_io)


@wp.func
def drop_things_beside(
    rules: Rules,
    world: int,
    x: int,
    y: int,
    z: int,
    chance: wp.uint32,
    grid_io: Grid,
    pack_io: Pack,
):
    """Breaks what hung at the sides of an emptied cell and is held by nothing else."""
    for side in range(4):
        way = 2 * (side % 2) - 1
        beside_x = x + wp.where(side < 2, way, 0)
        beside_z = z + wp.where(side < 2, 0, way)
        block = block_at(grid_io, world, beside_x, y, beside_z)
        hangs = (rules.rests_on[block] & ON_WALL) > 0
        if hangs and not stays(rules, world, block, beside_x, y, beside_z, grid_io):
            place = place_in(grid_io, beside_x, y, beside_z)
            set_block(grid_io, world, beside_x, y, beside_z, Block.AIR)
            if block == Block.TORCH:
                forget_torch(world, place, grid_io)
            give_drop(rules, world, block, place, chance, pack_io)


@wp.func
def settle_column(
    rules: Rules,
    world: int,
    x: int,
    bottom: int,
    z: int,
    chance: wp.uint32,
    grid_io: Grid,
    body_in: Body,
    pack_io: Pack,
):
    """Lets fall or break what stood above an emptied cell, from `bottom` up."""
    # DEVIATION: sand and gravel fall at once, and rest on what is not solid.
    y = int(bottom)
    goes_on = bool(True)
    while goes_on and y < grid_io.blocks.shape[3]:
        block = block_at(grid_io, world, x, y, z)
        goes_on = False
        if rules.falling[block] > 0:
            rest = landing(rules, world, x, y, z, grid_io, body_in)
            if rest < y:
                set_block(grid_io, world, x, y, z, Block.AIR)
                set_block(grid_io, world, x, rest, z, block)
                goes_on = True
        elif not stays(rules, world, block, x, y, z, grid_io):
            place = place_in(grid_io, x, y, z)
            set_block(grid_io, world, x, y, z, Block.AIR)
            if block == Block.TORCH:
                forget_torch(world, place, grid_io)
            give_drop(rules, world, block, place, chance, pack_io)
            goes_on = True
        y = y + 1


@wp.func
def landing(rules: Rules, world: int, x: int, y: int, z: int, grid_in: Grid, body_in: Body) -> int:
    """The height to which a block falls from height y: never into or past the player."""
    # DEVIATION: sand and gravel do not bury the player, they rest above its head.
    rest = int(y)
    while rest > 0 and rules.replaceable[block_at(grid_in, world, x, rest - 1, z)] > 0:
        rest = rest - 1
    body = body_in.position[world]
    head = last_cell(body[1] + BODY_HEIGHT)
    if head < y and head >= rest and covers_column(body, x, z, grid_in.blocks.shape[1]):
        rest = head + 1
    return rest


@wp.func
def stays(rules: Rules, world: int, block: int, x: int, y: int, z: int, grid_in: Grid) -> bool:
    """Whether a block needs nothing to rest on in a cell, or finds it there."""
    wants = rules.rests_on[block]
    if wants == 0:
        return True
    return (wants & support(rules, world, x, y, z, grid_in)) > 0


@wp.func
def support(rules: Rules, world: int, x: int, y: int, z: int, grid_in: Grid) -> int:
    """Bits: what a thing in a cell can rest on."""
    # DEVIATION: torches and the like do not remember which block they were put on.
    below = block_at(grid_in, world, x, y - 1, z)
    walls = rules.bears[block_at(grid_in, world, x - 1, y, z)]
    walls += rules.bears[block_at(grid_in, world, x + 1, y, z)]
    walls += rules.bears[block_at(grid_in, world, x, y, z - 1)]
    walls += rules.bears[block_at(grid_in, world, x, y, z + 1)]
    found = int(0)
    if rules.bears[below] > 0:
        found = found | ON_FLOOR
    if walls > 0:
        found = found | ON_WALL
    if rules.soil[below] > 0:
        found = found | ON_SOIL
    return found


@wp.func
def give_drop(rules: Rules, world: int, block: int, place: int, chance: wp.uint32, pack_io: Pack):
    """Puts the drop of a broken block into the inventory, with its experience."""
    # DEVIATION: nothing lies on the ground: drops come to the player at once.
    luck = fold(chance, place)
    spread = rules.experience_spread[block]
    points = rules.experience_least[block] + below(draw(luck, Purpose.EXPERIENCE), spread)
    pack_io.experience[world] = pack_io.experience[world] + points
    number = draw(luck, Purpose.DROP)
    for line in range(rules.drop_item.shape[1]):
        item = rules.drop_item[block, line]
        if item >= 0 and number < rules.drop_chance[block, line]:
            amount = rules.drop_least[block, line]
            amount += below(draw(luck, Purpose.DROP_COUNT), rules.drop_spread[block, line])
            pack_io.inventory[world, item] = pack_io.inventory[world, item] + amount
            return


@wp.func
def remember_torch(world: int, place: int, grid_io: Grid):
    """Lets a new torch give light, in the stead of the oldest if there are too many."""
    grid_io.torch[world, grid_io.torch_count[world] % TORCHES] = place
    grid_io.torch_count[world] = grid_io.torch_count[world] + 1


@wp.func
def forget_torch(world: int, place: int, grid_io: Grid):
    """Takes a torch's light away."""
    for slot in range(grid_io.torch.shape[1]):
        if grid_io.torch[world, slot] == place:
            grid_io.torch[world, slot] = -1


@wp.func
def remember_station(world: int, place: int, grid_io: Grid):
    """Adds a table or furnace to those that stand; there must be room for it."""
    grid_io.station[world, grid_io.station_count[world]] = place
    grid_io.station_count[world] = grid_io.station_count[world] + 1


@wp.func
def forget_station(world: int, place: int, grid_io: Grid):
    """Takes a table or furnace out of those that stand; the last one moves to its slot."""
    last = grid_io.station_count[world] - 1
    for slot in range(grid_io.station.shape[1]):
        if slot <= last and grid_io.station[world, slot] == place:
            grid_io.station[world, slot] = grid_io.station[world, last]
            grid_io.station_count[world] = last

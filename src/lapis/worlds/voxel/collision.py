"""A body among blocks: what it touches, and how far it can move.

Positions are whole multiples of 1 / 16384 block, so that sums of them, the body's faces and the way
around the torus are exact in single precision: a body that touches a wall never overlaps it.
"""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.grid import block_at, wrapped
from lapis.worlds.voxel.rules import Rules
from lapis.worlds.voxel.state import Grid

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

GRID = 16384.0  # positions per block; exact up to a size of 1024 blocks
HALF_WIDTH = round(0.3 * 16384) / 16384
BODY_HEIGHT = round(1.8 * 16384) / 16384
LIQUID_HEIGHT = 0.4  # above the feet, where liquids are felt

IN_AIR = 0
IN_WATER = 1
IN_LAVA = 2


@wp.struct
class Stop:
    """How far a body got along one axis, and what it met there (0: nothing)."""

    place: float
    met: int


@wp.struct
class Glide:
    """How far a body got, and what it met along each axis (0: nothing)."""

    place: wp.vec3
    met: wp.vec3i


@wp.func
def snap(coordinate: float) -> float:
    """The nearest place that a body can have."""
    return wp.floor(coordinate * GRID + 0.5) / GRID


@wp.func
def wrap(coordinate: float, size: float) -> float:
    """A coordinate of x or z brought into 0 <= coordinate < size."""
    if coordinate < 0.0:
        return coordinate + size
    if coordinate >= size:
        return coordinate - size
    return coordinate


@wp.func
def first_cell(face: float) -> int:
    """The lowest cell of a body whose lower face is here."""
    return int(wp.floor(face))


@wp.func
def last_cell(face: float) -> int:
    """The highest cell of a body whose upper face is here; a cell that it touches is not in it."""
    return int(wp.ceil(face)) - 1


@wp.func
def low_cells(place: wp.vec3) -> wp.vec3i:
    """The lowest cells of a body, along x, y and z."""
    return wp.vec3i(
        first_cell(place[0] - HALF_WIDTH), first_cell(place[1]), first_cell(place[2] - HALF_WIDTH)
    )


@wp.func
def high_cells(place: wp.vec3) -> wp.vec3i:
    """The highest cells of a body, along x, y and z."""
    return wp.vec3i(
        last_cell(place[0] + HALF_WIDTH),
        last_cell(place[1] + BODY_HEIGHT),
        last_cell(place[2] + HALF_WIDTH),
    )


@wp.func
def solid_among(rules: Rules, world: int, low: wp.vec3i, high: wp.vec3i, grid_in: Grid) -> int:
    """A solid block in the cells from `low` to `high`, a cactus rather than another; 0: none."""
    met = int(0)
    for x in range(low[0], high[0] + 1):
        for z in range(low[2], high[2] + 1):
            for y in range(low[1], high[1] + 1):
                block = block_at(grid_in, world, x, y, z)
                if rules.solid[block] > 0 and met != Block.CACTUS:
                    met = block
    return met


@wp.func
def liquid_among(world: int, low: wp.vec3i, high: wp.vec3i, grid_in: Grid) -> bool:
    """Whether there is water or lava in the cells from `low` to `high`."""
    found = bool(False)
    for x in range(low[0], high[0] + 1):
        for z in range(low[2], high[2] + 1):
            for y in range(low[1], high[1] + 1):
                block = block_at(grid_in, world, x, y, z)
                if block == Block.WATER or block == Block.LAVA:
                    found = True
    return found


@wp.func
def medium_at(world: int, place: wp.vec3, grid_in: Grid) -> int:
    """What a body moves in."""
    # DEVIATION: liquids fill their cell and are felt at one point of the body.
    y = first_cell(place[1] + LIQUID_HEIGHT)
    block = block_at(grid_in, world, first_cell(place[0]), y, first_cell(place[2]))
    if block == Block.WATER:
        return IN_WATER
    if block == Block.LAVA:
        return IN_LAVA
    return IN_AIR


@wp.func
def on_ladder(world: int, place: wp.vec3, grid_in: Grid) -> bool:
    """Whether the feet of a body are in the cell of a ladder."""
    x = first_cell(place[0])
    z = first_cell(place[2])
    return block_at(grid_in, world, x, first_cell(place[1]), z) == Block.LADDER


@wp.func
def along(
    rules: Rules,
    world: int,
    axis: wp.vec3i,
    start: wp.vec3,
    place: float,
    motion: float,
    behind: float,
    ahead: float,
    grid_in: Grid,
) -> Stop:
    """Moves a body along one axis, as far as the cells that its front enters are free.

    `axis` is that axis' unit vector, `place` the part of `start` along it; there, the body reaches
    from place - behind to place + ahead.
    """
    low = low_cells(start)
    high = high_cells(start)
    stop = Stop()
    stop.place = snap(place + motion)
    stop.met = 0
    way = int(1)
    front = wp.dot(high, axis)
    layers = last_cell(stop.place + ahead) - front
    if motion < 0.0:
        way = int(-1)
        front = wp.dot(low, axis)
        layers = front - first_cell(stop.place - behind)
    layer = int(1)
    while layer <= layers and stop.met == 0:
        # Both cuboid corners lie in the layer along the axis, and where they were across it.
        layer_low = low + axis * (front + way * layer - wp.dot(low, axis))
        layer_high = high + axis * (front + way * layer - wp.dot(high, axis))
        stop.met = solid_among(rules, world, layer_low, layer_high, grid_in)
        layer = layer + 1
    if stop.met > 0:
        wall = front + way * (layer - 1)
        if motion < 0.0:
            stop.place = float(wall + 1) + behind
        else:
            stop.place = float(wall) - ahead
    return stop


@wp.func
def glide(rules: Rules, world: int, start: wp.vec3, motion: wp.vec3, grid_in: Grid) -> Glide:
    """Moves a body along y, then x, then z, as far as solid blocks let it."""
    reached = Glide()
    place = start
    stop_y = along(
        rules, world, wp.vec3i(0, 1, 0), place, place[1], motion[1], 0.0, BODY_HEIGHT, grid_in
    )
    place = wp.vec3(place[0], stop_y.place, place[2])
    stop_x = along(
        rules, world, wp.vec3i(1, 0, 0), place, place[0], motion[0], HALF_WIDTH, HALF_WIDTH, grid_in
    )
    place = wp.vec3(stop_x.place, place[1], place[2])
    stop_z = along(
        rules, world, wp.vec3i(0, 0, 1), place, place[2], motion[2], HALF_WIDTH, HALF_WIDTH, grid_in
    )
    reached.place = wp.vec3(place[0], place[1], stop_z.place)
    reached.met = wp.vec3i(stop_x.met, stop_y.met, stop_z.met)
    return reached


@wp.func
def covers_column(place: wp.vec3, x: int, z: int, size: int) -> bool:
    """Whether a body is above, in or below a cell of the column at x, z of the torus."""
    low = low_cells(place)
    high = high_cells(place)
    covers_x = wrapped(low[0], size) == x or wrapped(high[0], size) == x
    return covers_x and (wrapped(low[2], size) == z or wrapped(high[2], size) == z)


@wp.func
def covers(place: wp.vec3, x: int, y: int, z: int, size: int) -> bool:
    """Whether a body is in a cell of the torus."""
    inside = first_cell(place[1]) <= y and y <= last_cell(place[1] + BODY_HEIGHT)
    return inside and covers_column(place, x, z, size)

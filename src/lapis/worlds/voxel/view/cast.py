"""From the eye through the blocks of a torus to the first thing that stops the ray."""

import warp as wp

from lapis.worlds.voxel.grid import place_of
from lapis.worlds.voxel.view.meeting import Meeting, meet
from lapis.worlds.voxel.view.ray import Ray, cell_of, entered_cell, face_at, lesser, plane_depth
from lapis.worlds.voxel.view.rules import Shape, ViewRules
from lapis.worlds.voxel.view.scene import FlatGrid

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

MOST_WATER = 9.0
"""Water through which nothing is seen [depths]."""

_EMPTY = wp.uint8(0)


@wp.struct
class Hit:
    """Where a ray ended, and the water that it passed."""

    block: int
    """0: nothing was met."""
    shape: int
    x: int
    y: int
    z: int
    """Cell of the block; x and z are not wrapped around the torus."""
    depth: float
    met: Meeting
    """Where the ray ends in a block that is no plain cube."""
    water: float
    """Depths passed in water."""
    water_depth: float
    """Depth at which the ray entered water."""
    water_face: int
    """Face of the water that was hit, -1: the eye is in it."""


@wp.struct
class Stop:
    """The next block on a ray's way that is not air."""

    block: int
    """0: there is none before the ray's end."""
    x: int
    y: int
    z: int
    depth: float
    """Depth at which the ray enters the block's cell."""


@wp.func
def stop_at(block: int, x: int, y: int, z: int, depth: float) -> Stop:
    """A stop with these fields."""
    stop = Stop()
    stop.block = block
    stop.x = x
    stop.y = y
    stop.z = z
    stop.depth = depth
    return stop


@wp.func
def cross_brick(
    rules: ViewRules, grid_in: FlatGrid, world: int, ray: Ray, entry: Stop, leave: float
) -> Stop:
    """Follows a ray from cell to cell, from its entry into a brick to a block or out of the brick.

    Only plain numbers change within the loop: compilers keep them in registers.
    """
    x = entry.x
    y = entry.y
    z = entry.z
    depth = entry.depth
    next_x = plane_depth(x + ray.ahead[0], ray.start[0], ray.inverse[0])
    next_y = plane_depth(y + ray.ahead[1], ray.start[1], ray.inverse[1])
    next_z = plane_depth(z + ray.ahead[2], ray.start[2], ray.inverse[2])
    block = int(0)
    while depth < leave:
        block = int(grid_in.blocks[world, place_of(x, y, z, rules.size, rules.height)])
        if block != 0:
            break
        depth = lesser(next_x, lesser(next_y, next_z))
        if next_x <= depth:
            x = x + ray.step[0]
            next_x = plane_depth(x + ray.ahead[0], ray.start[0], ray.inverse[0])
        if next_y <= depth:
            y = y + ray.step[1]
            next_y = plane_depth(y + ray.ahead[1], ray.start[1], ray.inverse[1])
        if next_z <= depth:
            z = z + ray.step[2]
            next_z = plane_depth(z + ray.ahead[2], ray.start[2], ray.inverse[2])
    return stop_at(block, x, y, z, depth)


@wp.func
def next_block(rules: ViewRules, grid_in: FlatGrid, world: int, ray: Ray, begin: Stop) -> Stop:
    """Follows a ray from a cell to the next block that is not air.

    Empty bricks of 4 x 4 x 4 blocks are crossed in one stride. Where a ray crosses two or three
    planes at the same depth, it passes through the edge between them.
    """
    cell_x = begin.x
    cell_y = begin.y
    cell_z = begin.z
    known = begin.depth
    x = begin.x >> 2
    y = begin.y >> 2
    z = begin.z >> 2
    depth = begin.depth
    ceiling = grid_in.ceiling[world]
    bricks = rules.size >> 2
    layers = rules.height >> 2
    exit_x = plane_depth((x + ray.ahead[0]) << 2, ray.start[0], ray.inverse[0])
    exit_y = plane_depth((y + ray.ahead[1]) << 2, ray.start[1], ray.inverse[1])
    exit_z = plane_depth((z + ray.ahead[2]) << 2, ray.start[2], ray.inverse[2])
    while depth < ray.furthest and y >= 0 and (y < ceiling or ray.step[1] < 0):
        leave = lesser(exit_x, lesser(exit_y, exit_z))
        if y < layers and grid_in.bricks[world, place_of(x, y, z, bricks, layers)] != _EMPTY:
            # Behind a brick that was crossed cell by cell the cell is known.
            if known < depth:
                cell_x = entered_cell(x, depth, ray.start[0], ray.direction[0], ray.inverse[0])
                cell_y = entered_cell(y, depth, ray.start[1], ray.direction[1], ray.inverse[1])
                cell_z = entered_cell(z, depth, ray.start[2], ray.direction[2], ray.inverse[2])
            entry = stop_at(0, cell_x, cell_y, cell_z, depth)
            until = lesser(leave, ray.furthest)
            stop = cross_brick(rules, grid_in, world, ray, entry, until)
            if stop.block != 0:
                return stop
            cell_x = stop.x
            cell_y = stop.y
            cell_z = stop.z
            known = stop.depth
        if exit_x <= leave:
            x = x + ray.step[0]
            exit_x = plane_depth((x + ray.ahead[0]) << 2, ray.start[0], ray.inverse[0])
        if exit_y <= leave:
            y = y + ray.step[1]
            exit_y = plane_depth((y + ray.ahead[1]) << 2, ray.start[1], ray.inverse[1])
        if exit_z <= leave:
            z = z + ray.step[2]
            exit_z = plane_depth((z + ray.ahead[2]) << 2, ray.start[2], ray.inverse[2])
        depth = leave
    return Stop()


@wp.func
def first_cell(ray: Ray) -> Stop:
    """The cell in which a ray begins."""
    cell = cell_of(ray.start)
    return stop_at(0, cell[0], cell[1], cell[2], 0.0)


@wp.func
def behind(ray: Ray, stop: Stop) -> Stop:
    """The cell that a ray enters when it leaves another one."""
    next_x = plane_depth(stop.x + ray.ahead[0], ray.start[0], ray.inverse[0])
    next_y = plane_depth(stop.y + ray.ahead[1], ray.start[1], ray.inverse[1])
    next_z = plane_depth(stop.z + ray.ahead[2], ray.start[2], ray.inverse[2])
    depth = lesser(next_x, lesser(next_y, next_z))
    x = stop.x + wp.where(next_x <= depth, ray.step[0], 0)
    y = stop.y + wp.where(next_y <= depth, ray.step[1], 0)
    z = stop.z + wp.where(next_z <= depth, ray.step[2], 0)
    return stop_at(0, x, y, z, depth)


@wp.func
def cast(rules: ViewRules, grid_in: FlatGrid, world: int, ray: Ray) -> Hit:
    """What a ray meets before its end.

    The cell of the eye stops no ray unless it holds a plant or a torch.
    """
    begin = first_cell(ray)
    hit = Hit()
    hit.depth = ray.furthest
    hit.water_face = -1
    goes_on = bool(True)
    while goes_on:
        stop = next_block(rules, grid_in, world, ray, begin)
        goes_on = False
        if stop.block != 0:
            shape = int(rules.shape[stop.block])
            stops = stop.depth > 0.0
            if shape == Shape.LIQUID:
                if hit.water == 0.0:
                    hit.water_depth = stop.depth
                    hit.water_face = face_at(ray, stop.x, stop.y, stop.z, stop.depth)
                hit.water = hit.water + behind(ray, stop).depth - stop.depth
                hit.met = Meeting()
                stops = hit.water > MOST_WATER
            elif shape != Shape.CUBE:
                hit.met = meet(rules, ray, stop.block, shape, stop.depth, stop.x, stop.y, stop.z)
                stops = hit.met.depth < ray.furthest
            if stops:
                hit.block = stop.block
                hit.shape = shape
                hit.x = stop.x
                hit.y = stop.y
                hit.z = stop.z
                hit.depth = stop.depth
            else:
                begin = behind(ray, stop)
                goes_on = True
    return hit

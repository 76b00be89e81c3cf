"""From the eye through the blocks of a torus to the first thing that stops the ray."""

# Kernels are read by Warp's compiler, whose types are not Python's.
# pyright: reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportIndexIssue=false, reportOperatorIssue=false, reportAttributeAccessIssue=false

import warp as wp

from lapis.worlds.voxel.view.look import Look, Shape
from lapis.worlds.voxel.view.meeting import Meeting, meet
from lapis.worlds.voxel.view.ray import Ray, cell_of, entered_cell, face_at, lesser, plane_depth

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

# ruff: noqa: UP018, RUF046 (Warp takes a bare 0 for a constant, int(0) for a variable.)

MOST_WATER = wp.constant(9.0)
"""Water through which nothing is seen [depths]."""

_EMPTY = wp.constant(wp.uint8(0))
_CUBE = wp.constant(int(Shape.CUBE))
_LIQUID = wp.constant(int(Shape.LIQUID))


@wp.struct
class Hit:
    """Where a ray ended, and the water that it passed."""

    block: int
    """0: nothing was met."""
    shape: int
    place: int
    """Number of the block's place in its world."""
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


@wp.func
def cross_brick(
    look: Look,
    blocks_in: wp.array2d[wp.uint8],
    world: int,
    first_shape: int,
    ray: Ray,
    entry: Hit,
    leave: float,
) -> Hit:
    """Follows a ray from block to block, from its entry into a brick to where it leaves it.

    Only plain numbers change within the loop: compilers keep them in registers.
    """
    x = entry.x
    y = entry.y
    z = entry.z
    depth = entry.depth
    water = entry.water
    water_depth = entry.water_depth
    water_face = entry.water_face
    met = Meeting()
    mask = look.size - 1
    place = ((x & mask) * look.size + (z & mask)) * look.height + y
    place_x = ray.step[0] * look.size * look.height
    place_z = ray.step[2] * look.height
    next_x = plane_depth(x + ray.ahead[0], ray.start[0], ray.inverse[0])
    next_y = plane_depth(y + ray.ahead[1], ray.start[1], ray.inverse[1])
    next_z = plane_depth(z + ray.ahead[2], ray.start[2], ray.inverse[2])
    block = int(0)
    shape = int(0)
    while depth < leave:
        block = int(blocks_in[world, place])
        if block != 0:
            shape = int(look.shape[first_shape + block])
            if shape == _CUBE:
                if depth > 0.0:
                    break
            elif shape == _LIQUID:
                if water == 0.0:
                    water_depth = depth
                    water_face = face_at(ray, x, y, z, depth)
                water = water + lesser(next_x, lesser(next_y, next_z)) - depth
                if water > MOST_WATER:
                    break
            else:
                met = meet(look, ray, block, shape, depth, x, y, z)
                if met.depth < ray.furthest:
                    break
            block = int(0)
        depth = lesser(next_x, lesser(next_y, next_z))
        if next_x <= depth:
            x = x + ray.step[0]
            place = place + place_x
            next_x = plane_depth(x + ray.ahead[0], ray.start[0], ray.inverse[0])
        if next_y <= depth:
            y = y + ray.step[1]
            place = place + ray.step[1]
            next_y = plane_depth(y + ray.ahead[1], ray.start[1], ray.inverse[1])
        if next_z <= depth:
            z = z + ray.step[2]
            place = place + place_z
            next_z = plane_depth(z + ray.ahead[2], ray.start[2], ray.inverse[2])
    hit = Hit()
    hit.block = block
    hit.shape = shape
    hit.place = place
    hit.x = x
    hit.y = y
    hit.z = z
    hit.depth = depth
    hit.met = met
    hit.water = water
    hit.water_depth = water_depth
    hit.water_face = water_face
    return hit


@wp.func
def cast(
    look: Look,
    blocks_in: wp.array2d[wp.uint8],
    bricks_in: wp.array2d[wp.uint8],
    world: int,
    ray: Ray,
    ceiling: int,
    first_shape: int,
) -> Hit:
    """What a ray meets before its end.

    Empty bricks of 4 x 4 x 4 blocks are crossed in one stride. Where a ray crosses two or three
    planes at the same depth, it passes through the edge between them. The cell of the eye stops
    no ray unless it holds a plant or a torch.
    """
    cell = cell_of(ray.start)
    cell_x = cell[0]
    cell_y = cell[1]
    cell_z = cell[2]
    x = cell_x >> 2
    y = cell_y >> 2
    z = cell_z >> 2
    brick_mask = (look.size >> 2) - 1
    layers = look.height >> 2
    water = float(0.0)
    water_depth = float(0.0)
    water_face = int(-1)
    depth = float(0.0)
    known = float(0.0)
    exit_x = plane_depth((x + ray.ahead[0]) << 2, ray.start[0], ray.inverse[0])
    exit_y = plane_depth((y + ray.ahead[1]) << 2, ray.start[1], ray.inverse[1])
    exit_z = plane_depth((z + ray.ahead[2]) << 2, ray.start[2], ray.inverse[2])
    while depth < ray.furthest and y >= 0 and (y < ceiling or ray.step[1] < 0):
        leave = lesser(exit_x, lesser(exit_y, exit_z))
        column = (x & brick_mask) * (brick_mask + 1) + (z & brick_mask)
        if y < layers and bricks_in[world, column * layers + y] != _EMPTY:
            # Behind a brick that was crossed block by block the cell is known.
            if known < depth:
                cell_x = entered_cell(x, depth, ray.start[0], ray.direction[0], ray.inverse[0])
                cell_y = entered_cell(y, depth, ray.start[1], ray.direction[1], ray.inverse[1])
                cell_z = entered_cell(z, depth, ray.start[2], ray.direction[2], ray.inverse[2])
            entry = Hit()
            entry.x = cell_x
            entry.y = cell_y
            entry.z = cell_z
            entry.depth = depth
            entry.water = water
            entry.water_depth = water_depth
            entry.water_face = water_face
            until = lesser(leave, ray.furthest)
            hit = cross_brick(look, blocks_in, world, first_shape, ray, entry, until)
            if hit.block > 0:
                return hit
            cell_x = hit.x
            cell_y = hit.y
            cell_z = hit.z
            known = hit.depth
            water = hit.water
            water_depth = hit.water_depth
            water_face = hit.water_face
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
    missed = Hit()
    missed.depth = ray.furthest
    missed.water = water
    missed.water_depth = water_depth
    missed.water_face = water_face
    return missed

"""A slow ray caster in NumPy: every cell one by one, no bricks, all in float32."""

import math

import numpy as np

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.config import VoxelConfig

F = np.float32


def directions(config: VoxelConfig, rows: int, columns: int, yaw: int, pitch: int):
    """Directions (ray, 3) and their lengths, row by row from the upper left."""
    sine = np.sin(np.radians(np.arange(3600) / 10.0)).astype(F)
    side, ahead = sine[yaw % 3600], sine[(yaw + 900) % 3600]
    down, level = sine[pitch % 3600], sine[(pitch + 900) % 3600]
    forward = np.array([-side * level, -down, ahead * level], F)
    right = np.array([-ahead, 0, -side], F)
    up = np.array([-side * down, level, ahead * down], F)
    half = math.tan(math.radians(config.field_of_view) / 2)
    row, column = np.mgrid[0:rows, 0:columns]
    across = half * columns / rows * ((2.0 * column + 1) / columns - 1)
    rise = half * (1 - (2.0 * row + 1) / rows)
    length = np.sqrt(1 + across**2 + rise**2).astype(F).ravel()
    across, rise = across.astype(F).reshape(-1, 1), rise.astype(F).reshape(-1, 1)
    return (forward + across * right) + rise * up, length


def first_blocks(config: VoxelConfig, blocks, position, yaw: int, pitch: int, rows, columns):
    """Block (ray,) that each ray meets first, 0: none, and distance in view distances.

    The cell of the eye stops no ray; in water, water stops none within 9 depths.
    """
    direction, length = directions(config, rows, columns, yaw, pitch)
    small = np.abs(direction) < F(1e-7)
    direction = np.where(small, np.where(direction < 0, F(-1e-7), F(1e-7)), direction)
    inverse = F(1) / direction
    start = np.array([position[0], F(position[1]) + F(1.62), position[2]], F)
    furthest = F(config.fan_view_distance) / length
    ahead, step = (direction > 0).astype(int), np.where(direction > 0, 1, -1)
    cell = np.repeat(np.floor(start).astype(int)[None], len(length), 0)
    depth = np.zeros(len(length), F)
    found, ended = np.zeros(len(length), int), np.zeros(len(length), bool)
    water = np.zeros(len(length), F)
    size, height = config.size, config.height
    swims = _block(blocks, cell[:1], size, height)[0] == Block.WATER
    for _ in range(4 * config.fan_view_distance):
        here = _block(blocks, cell, size, height)
        planes = ((cell + ahead).astype(F) - start) * inverse
        after = planes.min(1)
        wet = (here == Block.WATER) & swims & ~ended
        water = np.where(wet, water + after - depth, water)
        stops = (here != Block.AIR) & (depth > 0) & ~wet | wet & (water > F(9))
        out = (cell[:, 1] < 0) | ((cell[:, 1] >= height) & (step[:, 1] > 0)) | (depth >= furthest)
        found = np.where(stops & ~out & ~ended, here, found)
        ended |= stops | out
        if ended.all():
            break
        moves = (planes <= after[:, None]) & ~ended[:, None]
        cell = cell + step * moves
        depth = np.where(ended, depth, after)
    assert ended.all()
    depth = np.where(found > 0, depth, furthest)
    distance = np.minimum(depth * length / F(config.fan_view_distance), F(1))
    return found, distance


def _block(blocks, cell, size: int, height: int):
    inside = (cell[:, 1] >= 0) & (cell[:, 1] < height)
    y = np.clip(cell[:, 1], 0, height - 1)
    return np.where(inside, blocks[cell[:, 0] % size, cell[:, 2] % size, y].astype(int), 0)

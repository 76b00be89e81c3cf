"""Places, angles and rays, as the kernels have them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lapis.minecraft.blocks import Block

Vector = tuple[float, float, float]

EYE_HEIGHT = 1.62
"""Above the feet [blocks]."""
REACH = 4.5
"""[blocks]"""
SIDES: tuple[tuple[int, int], ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Steps along x and z to the four cells beside one."""
FACES: tuple[tuple[int, int, int], ...] = (
    (-1, 0, 0),
    (1, 0, 0),
    (0, -1, 0),
    (0, 1, 0),
    (0, 0, -1),
    (0, 0, 1),
)
"""Outward directions of a block's faces, in the order of `looked_face`."""
_UNSEEN = (Block.AIR, Block.WATER, Block.LAVA)


@dataclass(frozen=True)
class Torus:
    """The numbering of places in a world."""

    size: int
    height: int

    def place(self, x: int, y: int, z: int) -> int:
        """The number of a place; x and z wrap around."""
        wrap = self.size - 1
        return ((x & wrap) * self.size + (z & wrap)) * self.height + y

    def cell(self, place: int) -> tuple[int, int, int]:
        """The x, y and z of a place."""
        column, y = divmod(place, self.height)
        x, z = divmod(column, self.size)
        return x, y, z

    def shorter(self, difference: float) -> float:
        """The shorter way of a difference of two coordinates of x or z."""
        half = self.size / 2
        return (difference + half) % self.size - half

    def way(self, start: Vector, end: Vector) -> Vector:
        """The shortest vector from one point to another."""
        return (
            self.shorter(end[0] - start[0]),
            end[1] - start[1],
            self.shorter(end[2] - start[2]),
        )


def angles_to(way: Vector) -> tuple[int, int]:
    """Yaw and pitch in which one looks along a vector [1/10 degree]."""
    yaw = round(math.degrees(math.atan2(-way[0], way[2])) * 10) % 3600
    pitch = round(math.degrees(math.atan2(-way[1], math.hypot(way[0], way[2]))) * 10)
    return yaw, pitch


def gaze(yaw: int, pitch: int) -> Vector:
    """Unit vector in which a player looks."""
    yaw_angle, pitch_angle = math.radians(yaw / 10), math.radians(pitch / 10)
    level = math.cos(pitch_angle)
    return -math.sin(yaw_angle) * level, -math.sin(pitch_angle), math.cos(yaw_angle) * level


def first_target(
    torus: Torus, cells: bytes | memoryview, eye: Vector, direction: Vector
) -> tuple[int, int]:
    """Place and face of the first block that a ray meets within reach, (-1, 0): none."""
    cell = [math.floor(eye[0]), math.floor(eye[1]), math.floor(eye[2])]
    way = [1 if d > 0 else -1 for d in direction]
    per_cell = [abs(1.0 / d) if d else math.inf for d in direction]
    border = [
        ((c + 1 - e) if w > 0 else (e - c)) * p if p < math.inf else math.inf
        for c, e, w, p in zip(cell, eye, way, per_cell, strict=True)
    ]
    while True:
        axis = 0 if border[0] <= border[1] and border[0] <= border[2] else 1
        if axis == 1 and border[1] > border[2]:
            axis = 2
        if border[axis] > REACH:
            return -1, 0
        cell[axis] += way[axis]
        border[axis] += per_cell[axis]
        if cell[1] < 0:
            return -1, 0
        if cell[1] >= torus.height:
            continue
        place = torus.place(cell[0], cell[1], cell[2])
        if cells[place] not in _UNSEEN:
            return place, 2 * axis + (0 if way[axis] > 0 else 1)

"""Keys that bring the player to a point, and camera turns that bring it to an angle."""

from __future__ import annotations

import math
from collections.abc import Iterator

from lapis.worlds.voxel.actions import CAMERA_ANGLES
from lapis.worlds.voxel.expert.geometry import Vector

PUSH = 0.1
"""Acceleration on the ground [blocks per tick per tick]."""
KEY = 0.98
SNEAK = 0.3
GLIDE = 1.0 / (1.0 - 0.546)
"""Way that a unit of speed still goes on the ground [blocks]."""
KEY_TICKS = 4


def camera_choice(difference: int) -> int:
    """The turn that leaves the least of a difference of angles [1/10 degree]."""
    return min(range(len(CAMERA_ANGLES)), key=lambda c: abs(difference - CAMERA_ANGLES[c]))


def turn(yaw: int, pitch: int, yaw_wanted: int, pitch_wanted: int) -> tuple[int, int]:
    """Choices of yaw and pitch that bring the camera nearer to an angle."""
    around = (yaw_wanted - yaw + 1800) % 3600 - 1800
    return camera_choice(around), camera_choice(pitch_wanted - pitch)


def turned(yaw: int, pitch: int, choices: tuple[int, int]) -> tuple[int, int]:
    """Yaw and pitch after such a turn."""
    yaw = (yaw + CAMERA_ANGLES[choices[0]]) % 3600
    return yaw, max(-900, min(900, pitch + CAMERA_ANGLES[choices[1]]))


def steer(yaw: int, way: Vector, velocity: Vector, *, careful: bool) -> tuple[int, int, int]:
    """Walk, strafe and gait that let a walker come to rest nearest to the end of `way`.

    On the ground each push goes on gliding for the same way, so where one comes to rest is linear
    in the keys. Careful walkers sneak, which also keeps them from edges.
    """
    rest_x = way[0] - velocity[0] * GLIDE
    rest_z = way[2] - velocity[2] * GLIDE
    best = (0, 0, int(careful))
    least = math.hypot(rest_x, rest_z)
    for walk, strafe, gait, dx, dz in _pushes(yaw, careful):
        left = math.hypot(rest_x - dx, rest_z - dz)
        if left < least - 0.02:
            best, least = (walk, strafe, gait), left
    return best


def toward(yaw: int, way: Vector) -> tuple[int, int]:
    """Walk and strafe whose direction is nearest to that of `way`."""
    return max(
        ((walk, strafe) for walk in range(3) for strafe in range(3) if walk or strafe),
        key=lambda keys: _along(yaw, keys, way),
    )


def _along(yaw: int, keys: tuple[int, int], way: Vector) -> float:
    dx, dz = _direction(yaw, *keys)
    return (dx * way[0] + dz * way[2]) / math.hypot(dx, dz)


def _direction(yaw: int, walk: int, strafe: int) -> tuple[float, float]:
    forward = (0, 1, -1)[walk]
    left = (0, 1, -1)[strafe]
    sine, cosine = math.sin(math.radians(yaw / 10)), math.cos(math.radians(yaw / 10))
    return left * cosine - forward * sine, forward * cosine + left * sine


def _pushes(yaw: int, careful: bool) -> Iterator[tuple[int, int, int, float, float]]:
    """All ways to press the keys of a step, and how far each one moves a walker."""
    for gait in (1,) if careful else (0, 1):
        pressed = KEY * (SNEAK if gait else 1.0)
        for walk in range(3):
            for strafe in range(3):
                if walk or strafe:
                    dx, dz = _direction(yaw, walk, strafe)
                    length = pressed * math.hypot(dx, dz)
                    scale = pressed * PUSH / max(length, 1.0) * KEY_TICKS * GLIDE
                    yield walk, strafe, gait, dx * scale, dz * scale

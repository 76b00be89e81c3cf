"""The player's hands and eyes: single actions, digging, placing.

Skills are generators: each yields one action at a time and then sees the world after it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator, Iterator

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.actions import SPECIAL, Component
from lapis.worlds.voxel.expert.geometry import (
    FACES,
    REACH,
    SIDES,
    Torus,
    Vector,
    angles_to,
    first_target,
    gaze,
)
from lapis.worlds.voxel.expert.senses import HALF_WIDTH, IS_SOLID, Senses
from lapis.worlds.voxel.expert.steering import turn, turned

Skill = Generator[list[int], None, None]

BODY_HEIGHT = 1.8
SURE_REACH = REACH - 0.2
MOST_STEPS = 120
"""Steps after which a skill that should be over gives up."""
MOST_OBSTACLES = 4
"""Blocks that may lie between the eye and a block to be dug."""
_LITTLE_AIR = 120
_HUNGRY = 16
_STATIONS = (Block.CRAFTING_TABLE, Block.FURNACE)


class StuckError(Exception):
    """A skill cannot go on; something else must be tried."""


class DangerError(Exception):
    """The player must look after its life first."""


class LackError(Exception):
    """The world has nothing left that the plan needs."""


class Hands:
    """Plays single actions in one world."""

    def __init__(self, senses: Senses) -> None:
        self.senses = senses
        self.rescuing = False
        """Whether danger is known and being dealt with."""

    def act(self, special: str = "none", **choices: int) -> Skill:
        """Plays one action, choices by the components' names; what is not allowed is left out."""
        action = [0] * len(Component)
        for name, choice in choices.items():
            component = Component[name.upper()]
            if self.senses.allows(component, choice):
                action[component] = choice
        if special != "none" and self.senses.allows(Component.SPECIAL, SPECIAL[special]):
            action[Component.SPECIAL] = SPECIAL[special]
        yield action
        if not self.rescuing and (self.in_lava() or self.senses.air < _LITTLE_AIR):
            raise DangerError

    def in_lava(self) -> bool:
        """Whether the body touches lava."""
        return self.senses.cells[self.senses.feet] == Block.LAVA

    def swims(self) -> bool:
        """Whether the feet are in water."""
        return self.senses.cells[self.senses.feet] == Block.WATER

    def eat_if_hungry(self) -> Skill:
        """Eats an apple if there is one and it is needed."""
        if self.senses.food <= _HUNGRY and self.senses.allows(Component.USE, 1):
            yield from self.act(use=1)

    def dig(self, place: int, obstacles: int = MOST_OBSTACLES) -> Skill:
        """Digs until the block at a place is gone, and what hides it before."""
        senses, block = self.senses, self.senses.cells[place]
        for _ in range(MOST_STEPS):
            if senses.cells[place] != block:
                return
            if not senses.on_ground and not self.swims():
                yield from self.act()
                continue
            tool = senses.tool_for(block)
            equip = f"equip {tool}" if tool and tool != senses.hand else "none"
            point = aim_point(senses.torus, senses.cells, senses.eye, place)
            way = senses.torus.way(senses.eye, point or middle(senses.torus, place))
            choices = turn(senses.yaw, senses.pitch, *angles_to(way))
            seen, _ = first_target(
                senses.torus,
                senses.cells,
                senses.eye,
                gaze(*turned(senses.yaw, senses.pitch, choices)),
            )
            if seen != place and choices == (0, 0):
                if seen < 0 or obstacles == 0 or senses.cells[seen] in _STATIONS:
                    raise StuckError
                yield from self.dig(seen, obstacles - 1)
                continue
            # A swimmer must not forget to breathe over a channel attack.
            attack = (1 if self.swims() else 2) if seen == place else 0
            yield from self.act(
                equip, attack=attack, jump=self._floats(), yaw=choices[0], pitch=choices[1]
            )
        raise StuckError

    def _floats(self) -> int:
        """Whether a swimmer should hold the jump key: digging is fastest on firm ground."""
        has_room = not IS_SOLID[self.senses.cells[self.senses.feet + 2]]
        return int(self.swims() and not self.senses.on_ground and has_room)

    def look_at(self, place: int, face: int) -> Skill:
        """Turns until the crosshair is on a face of a block."""
        senses = self.senses
        for _ in range(MOST_STEPS):
            if senses.looked_at == (place, face):
                return
            point = face_middle(senses.torus, place, face)
            choices = turn(
                senses.yaw, senses.pitch, *angles_to(senses.torus.way(senses.eye, point))
            )
            if choices == (0, 0) and senses.on_ground and max(map(abs, senses.velocity)) < 0.1:
                raise StuckError
            yield from self.act(yaw=choices[0], pitch=choices[1])
        raise StuckError

    def place(self, item: str) -> Skill:
        """Puts an item down somewhere in reach, in a niche if there is no room."""
        spot = next(self._spots(), None)
        if spot is None:
            yield from self._dig_niche()
            spot = next(self._spots(), None)
        if spot is None:
            raise StuckError
        yield from self.look_at(*spot)
        before = self.senses.count(item)
        yield from self.act(f"place {item}")
        if self.senses.count(item) == before:
            raise StuckError

    def _spots(self) -> Iterator[tuple[int, int]]:
        """Faces in sight in front of which there is room, the nearest first."""
        senses = self.senses
        torus, cells, eye = senses.torus, senses.cells, senses.eye
        found = []
        for dx, dy, dz in itertools.product(range(-3, 4), repeat=3):
            x, y, z = math.floor(eye[0]) + dx, math.floor(eye[1]) + dy, math.floor(eye[2]) + dz
            if not 0 < y < torus.height - 1 or cells[torus.place(x, y, z)] != Block.AIR:
                continue
            if self._covers(x, y, z):
                continue
            for face, (fx, fy, fz) in enumerate(FACES):
                behind = torus.place(x - fx, y - fy, z - fz)
                block = cells[behind]
                if IS_SOLID[block] and block not in _STATIONS:
                    way = torus.way(eye, face_middle(torus, behind, face))
                    found.append((math.hypot(*way), behind, face, way))
        for distance, behind, face, way in sorted(found):
            if distance < SURE_REACH and distance > 0.8:
                seen = first_target(torus, cells, eye, gaze(*angles_to(way)))
                if seen == (behind, face):
                    yield behind, face

    def _covers(self, x: int, y: int, z: int) -> bool:
        way = self.senses.torus.way(self.senses.position, (x + 0.5, y, z + 0.5))
        beside = max(abs(way[0]), abs(way[2])) >= 0.5 + HALF_WIDTH
        return not beside and -1.0 < way[1] < BODY_HEIGHT

    def _dig_niche(self) -> Skill:
        """Digs out a block beside the head."""
        x, y, z = self.senses.torus.cell(self.senses.feet)
        for dx, dz in SIDES:
            place = self.senses.torus.place(x + dx, y + 1, z + dz)
            if IS_SOLID[self.senses.cells[place]] and self.senses.cells[place] != Block.BEDROCK:
                yield from self.dig(place)
                return


def middle(torus: Torus, place: int) -> Vector:
    """The middle of a cell."""
    x, y, z = torus.cell(place)
    return x + 0.5, y + 0.5, z + 0.5


def face_middle(torus: Torus, place: int, face: int) -> Vector:
    """The middle of a face of a cell, a hair inside."""
    x, y, z = middle(torus, place)
    dx, dy, dz = FACES[face]
    return x + 0.499 * dx, y + 0.499 * dy, z + 0.499 * dz


def aim_point(
    torus: Torus,
    cells: bytes | memoryview,
    eye: Vector,
    place: int,
    reach: float = SURE_REACH,
) -> Vector | None:
    """A point of a block that can be seen within reach, None: there is none."""
    points = [middle(torus, place)]
    way = torus.way(eye, points[0])
    if max(map(abs, way)) > REACH + 0.5:
        return None
    for face, direction in enumerate(FACES):
        if sum(w * d for w, d in zip(way, direction, strict=True)) < -0.5:
            points.append(face_middle(torus, place, face))
    for point in points:
        way = torus.way(eye, point)
        length = math.hypot(*way)
        if length < reach:
            direction = (way[0] / length, way[1] / length, way[2] / length)
            if first_target(torus, cells, eye, direction)[0] == place:
                return point
    return None

"""Out of water and lava, and out of corners."""

from __future__ import annotations

import math

import numpy as np

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.expert.hands import Hands, Skill, StuckError
from lapis.worlds.voxel.expert.senses import IS_SOLID
from lapis.worlds.voxel.expert.steering import toward

_RADIUS = 5
_STEPS = 60
_ENOUGH_AIR = 290


def rescue(hands: Hands) -> Skill:
    """Brings the player to air and onto firm ground."""
    hands.rescuing = True
    senses = hands.senses
    try:
        for _ in range(_STEPS):
            if not hands.in_lava() and senses.air >= _ENOUGH_AIR:
                return
            above = senses.feet + 2
            if not hands.in_lava() and IS_SOLID[senses.cells[above]]:
                yield from hands.dig(above)
            refuge = _refuge(hands)
            walk, strafe = toward(senses.yaw, refuge) if refuge else (0, 0)
            yield from hands.act(walk=walk, strafe=strafe, jump=1)
    except StuckError:
        yield from hands.act(jump=1)
    finally:
        hands.rescuing = False


def _refuge(hands: Hands) -> tuple[float, float, float] | None:
    """The way to the nearest cell where one can stand and breathe."""
    senses, torus = hands.senses, hands.senses.torus
    x, y, z = torus.cell(senses.feet)
    best = None
    for dx in range(-_RADIUS, _RADIUS + 1):
        for dz in range(-_RADIUS, _RADIUS + 1):
            for dy in (0, 1):
                place = torus.place(x + dx, y + dy, z + dz)
                floor, feet, head = (senses.cells[place + level] for level in (-1, 0, 1))
                if IS_SOLID[floor] and feet == head == Block.AIR:
                    way = torus.way(senses.position, (x + dx + 0.5, y + dy, z + dz + 0.5))
                    if best is None or math.hypot(*way) < math.hypot(*best):
                        best = way
    return best


def wriggle(hands: Hands, chance: np.random.Generator) -> Skill:
    """Moves a little by chance, with an eye on what is below."""
    for _ in range(int(chance.integers(2, 6))):
        walk, strafe = int(chance.integers(0, 3)), int(chance.integers(0, 3))
        yield from hands.act(walk=walk, strafe=strafe, gait=1, jump=int(hands.swims()))

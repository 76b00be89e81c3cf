"""A world of Minetest in words, from what its player sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lapis.worlds.minetest.far import Vital
from lapis.worlds.minetest.sight import (
    CELL_PLACES,
    CELLS,
    CLASSES,
    RAY_DIRECTIONS,
    REACH,
)
from lapis.worlds.words import counted, plain

if TYPE_CHECKING:
    from lapis.worlds.remote.world import RemoteWorld

__all__ = ["facts", "short"]

SIGNS = {"air": ".", "unknown": "?", "water": "~", "lava": "!", "trunk": "T", "leaves": "%"}
"""On the map; of all other classes the first letter."""
FACING = {(2, 1): "north", (1, 2): "west", (0, 1): "south", (1, 0): "east"}
"""By the two columns of `vitals`, doubled."""
LAYERS = {"above": 2, "head": 1, "feet": 0, "below": -1}


def facts(world: RemoteWorld, row: int = 0) -> list[str]:
    """A line each on body, place, what is looked at, what is in sight and held; and a map."""
    seen = {name: tensor[row].cpu().numpy() for name, tensor in world.observation.items()}
    vitals = seen["vitals"]
    north, west = (round(2 * float(vitals[each])) for each in (Vital.NORTH, Vital.WEST))
    pitch = round(float(vitals[Vital.PITCH]) * 180 - 90)
    height = round(float(vitals[Vital.HEIGHT]) * 640 - 512)
    gaze = f"{abs(pitch)} degrees {'up' if pitch > 0 else 'down'}" if pitch else "ahead"
    near = ", in water" if vitals[Vital.IN_WATER] else ""
    near += ", a furnace in reach" if vitals[Vital.FURNACE] else ""
    looked = int(seen["looked_at"].argmax()) - 1
    target = CLASSES[looked] if looked >= 0 else "nothing in reach"
    return [
        f"health {20 * vitals[Vital.HEALTH]:.0f}/20   breath {10 * vitals[Vital.BREATH]:.0f}/10",
        f"height {height}, facing {FACING[north, west]}, looking {gaze}{near}",
        f"looking at: {target}",
        f"in sight: {_in_sight(seen['fan_class'], seen['fan_distance'])}",
        f"you hold: {counted([short(name) for name in world.items], world.inventory[row])}",
        *_map(seen["fan_class"]),
    ]


def short(item: str) -> str:
    """The name of an item as people write it."""
    return plain(item.partition(":")[2])


def _in_sight(classes: np.ndarray, distances: np.ndarray) -> str:
    """The nearest node of each class that a ray meets, and on which side."""
    nearest: dict[str, tuple[float, str]] = {}
    for number, (distance, direction) in enumerate(zip(distances, RAY_DIRECTIONS, strict=True)):
        name = CLASSES[classes[len(CELLS) + number]]
        side = "left" if direction[1] < -0.2 else "right" if direction[1] > 0.2 else "ahead"
        if name not in ("air", "unknown"):
            nearest[name] = min(nearest.get(name, (1e9, "")), (float(distance) * REACH, side))
    parts = sorted((distance, name, side) for name, (distance, side) in nearest.items())
    return ", ".join(f"{name} {distance:.0f} {side}" for distance, name, side in parts) or "nothing"


def _map(classes: np.ndarray) -> list[str]:
    """Four layers of the nodes around side by side; ahead is up, the player is in the middle."""
    aheads = sorted({place[0] for place in CELL_PLACES}, reverse=True)
    sides = sorted({place[1] for place in CELL_PLACES})
    lines = ["   ".join(f"{name:5}" for name in LAYERS)]
    for ahead in aheads:
        rows = []
        for up in LAYERS.values():
            names = (CLASSES[classes[CELLS[ahead, side, up]]] for side in sides)
            signs = [SIGNS.get(name) or name[0] for name in names]
            if ahead == 0 and up in (0, 1):
                signs[sides.index(0)] = "@"
            rows.append("".join(signs))
        lines.append("   ".join(rows))
    return lines

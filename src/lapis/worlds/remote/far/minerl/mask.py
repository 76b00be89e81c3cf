"""What the player can do now, in the order of the voxel world's choices."""

from __future__ import annotations

import numpy as np

from lapis.worlds.remote.far.minerl.env import Seen
from lapis.worlds.remote.far.minerl.pack import OFF_HAND_SLOT, Held, has_fire, pays
from lapis.worlds.remote.far.minerl.stations import Stations, cell_before
from lapis.worlds.remote.far.minerl.tables import Component, Tables

SPRINT = 2
SPRINT_FOOD = 6
"""Who is not above this cannot sprint [points]."""
HALF_BODY, BODY = 0.3, 1.8
"""Half the width and the height of the player [blocks]."""
# DEVIATION: `use` opens no windows, such as those of tables, and eats nothing.
USABLE = (
    "wooden_door",
    "spruce_door",
    "birch_door",
    "jungle_door",
    "acacia_door",
    "dark_oak_door",
    "trapdoor",
    "fence_gate",
    "spruce_fence_gate",
    "birch_fence_gate",
    "jungle_fence_gate",
    "acacia_fence_gate",
    "dark_oak_fence_gate",
    "lever",
    "wooden_button",
    "stone_button",
    "noteblock",
)
"""What a hand can use. While a window is open, no other key works."""
TILLED = ("dirt", "grass")
_SAME_ANGLE = 0.05
"""Angles that differ by less are the same [degrees]."""


def pitch_after(pitch: float, choice: int, tables: Tables) -> float:
    """The pitch after a turn by an angle or to one [degrees]."""
    turns = len(tables.camera_angles)
    if choice < turns:
        pitch = pitch + tables.camera_angles[choice] / 10
    else:
        pitch = tables.pitch_levels[choice - turns] / 10
    return min(max(pitch, -90.0), 90.0)


def idle_mask(tables: Tables) -> np.ndarray:
    """The dead can only do nothing."""
    mask = np.zeros(sum(tables.action_sizes), bool)
    mask[tables.first_choice] = True
    return mask


def action_mask(
    seen: Seen, counts: Held, fire: int, stations: Stations, tables: Tables
) -> np.ndarray:
    """Bool, shape (sum of action_sizes,); `fire` is what is left of the fuel burnt [ticks]."""
    mask = np.ones(sum(tables.action_sizes), bool)
    first = tables.first_choice
    mask[first[Component.GAIT] + SPRINT] = seen.food > SPRINT_FOOD
    for choice in range(1, tables.action_sizes[Component.PITCH]):
        turned = abs(pitch_after(seen.pitch, choice, tables) - seen.pitch)
        mask[first[Component.PITCH] + choice] = turned > _SAME_ANGLE
    mask[first[Component.USE] + 1] = can_use(seen)
    near = {
        "": False,
        "place": has_room(seen),
        "equip": True,
        "nearbySmelt": bool(stations.near("furnace", seen)),
        "craft": True,
        "nearbyCraft": bool(stations.near("crafting_table", seen)),
    }
    for number, special in enumerate(tables.specials[1:], first[Component.SPECIAL] + 1):
        allowed = near[special.command] and pays(special, counts)
        if allowed and special.kind == "equip":
            allowed = special.item not in (seen.hand, off_hand(seen))
        elif allowed and special.kind == "smelt":
            allowed = has_fire(special, counts, fire, tables)
        mask[number] = allowed
    return mask


def off_hand(seen: Seen) -> str:
    """Type of what is in the off hand, empty: nothing."""
    return next((stack.type for stack in seen.stacks if stack.slot == OFF_HAND_SLOT), "")


def can_use(seen: Seen) -> bool:
    """Whether a hand, or the hoe in it, does something with what is looked at."""
    sight = seen.sight
    if sight is None or sight.hit != "block" or not sight.in_reach:
        return False
    return sight.type in USABLE or (sight.type in TILLED and seen.hand.endswith("_hoe"))


def has_room(seen: Seen) -> bool:
    """Whether a block is in reach, and the place in front of it is not the player's own."""
    sight = seen.sight
    if sight is None or sight.hit != "block" or not sight.in_reach:
        return False
    cell, feet = cell_before(seen, sight), seen.position
    half = (HALF_BODY, 0.0, HALF_BODY)
    height = (HALF_BODY, BODY, HALF_BODY)
    return not all(
        cell[axis] < feet[axis] + height[axis] and cell[axis] + 1 > feet[axis] - half[axis]
        for axis in range(3)
    )

"""From a choice of each component to what MineRL is told in each tick."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

import numpy as np

from lapis.worlds.remote.far.minerl.env import Seen
from lapis.worlds.remote.far.minerl.mask import pitch_after
from lapis.worlds.remote.far.minerl.tables import Component, Special, Tables

TICKS = 4
"""Game ticks of a policy step (paper P17)."""
KEYS = ("forward", "back", "left", "right", "jump", "sneak", "sprint", "attack", "use", "swapHands")
"""Keys that are told as 0 or 1."""
CHANNEL = 2
SHIELD = "shield"

Told = Dict[str, Any]
"""What MineRL is told in a tick; `camera` and special actions are left out where there are none."""


def masked(choices: Sequence[int], mask: np.ndarray, tables: Tables) -> List[int]:
    """The choices, 0 where the mask does not allow one."""
    return [
        int(choice) if mask[tables.first_choice[component] + choice] else 0
        for component, choice in enumerate(choices)
    ]


def told_in_ticks(choices: Sequence[int], seen: Seen, tables: Tables) -> List[Told]:
    """What a step of 4 ticks tells: keys are held; all else is told once (paper P17).

    Attack and use rest in a step with a special action, and attack in one with use, as in the voxel
    world. A channel attack presses no key but its own and sneak.
    """
    special = tables.specials[choices[Component.SPECIAL]]
    uses = choices[Component.USE] == 1 and not special.command
    attacks = choices[Component.ATTACK] > 0 and not special.command and not uses
    channels = attacks and choices[Component.ATTACK] == CHANNEL
    pressed: Told = dict.fromkeys(KEYS, 0)
    pressed["sneak"] = int(choices[Component.GAIT] == 1)
    pressed["attack"] = int(attacks)
    if not channels:
        pressed["forward"] = int(choices[Component.WALK] == 1)
        pressed["back"] = int(choices[Component.WALK] == 2)
        pressed["left"] = int(choices[Component.STRAFE] == 1)
        pressed["right"] = int(choices[Component.STRAFE] == 2)
        pressed["jump"] = int(choices[Component.JUMP])
        pressed["sprint"] = int(choices[Component.GAIT] == 2)
    ticks: List[Told] = [dict(pressed) for _ in range(TICKS)]
    ticks[0]["use"] = int(uses)
    # DEVIATION: what is used is what was looked at, so with `use` the camera turns on the second
    # tick. The game would turn it first.
    _turn(ticks[1 if uses else 0], choices, seen, tables)
    if special.command:
        _tell(ticks, special, seen)
    return ticks


def _turn(tick: Told, choices: Sequence[int], seen: Seen, tables: Tables) -> None:
    down = pitch_after(seen.pitch, choices[Component.PITCH], tables) - seen.pitch
    across = tables.camera_angles[choices[Component.YAW]] / 10
    if choices[Component.PITCH] or choices[Component.YAW]:
        tick["camera"] = [down if choices[Component.PITCH] else 0.0, across]


def _tell(ticks: List[Told], special: Special, seen: Seen) -> None:
    ticks[0][special.command] = special.argument
    if special.kind == "equip" and special.item == SHIELD:
        # MineRL equips the main hand. The key swaps hands, and the tool is taken again.
        ticks[1]["swapHands"] = 1
        if seen.hand:
            ticks[2]["equip"] = seen.hand

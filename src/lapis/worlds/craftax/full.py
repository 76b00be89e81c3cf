"""Achievements of Craftax whose bits say what players have or where they are, not what they did.

Holding wood sets the bit of `collect_wood` in every step, so clearing the bit is not enough: held
wood would pay again. Such an achievement counts when its number rises. Tools have levels and are
never lost: each can be made once in an episode.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
from craftax.craftax.constants import LEVEL_ACHIEVEMENT_MAP, Achievement
from craftax.craftax.craftax_state import StaticEnvParams
from craftax.craftax.util.game_logic_utils import has_beaten_boss

__all__ = ["FLOORS", "MEASURES"]

Measure = Callable[[Any], jax.Array]

_AMOUNTS = {
    "collect_wood": "wood",
    "collect_stone": "stone",
    "collect_coal": "coal",
    "collect_iron": "iron",
    "collect_diamond": "diamond",
    "collect_ruby": "ruby",
    "collect_sapphire": "sapphire",
    "collect_sapling": "sapling",
    "find_bow": "bow",
    "make_arrow": "arrows",
    "make_torch": "torches",
}
"""By achievement: what the player has more of then."""
_TOOLS = ("wood", "stone", "iron", "diamond")
"""Materials of pickaxes and swords, from level 1 on."""
_FLOORS = {
    Achievement(int(number)).name.lower(): floor
    for floor, number in enumerate(LEVEL_ACHIEVEMENT_MAP)
    if floor > 0
}
FLOORS = tuple(_FLOORS)
"""The game pays experience for these the first time, and so looks at their bits."""


def _amount(name: str) -> Measure:
    return lambda state: getattr(state.inventory, name)


def _has_level(name: str, level: int) -> Measure:
    return lambda state: getattr(state.inventory, name) >= level


def _is_on(floor: int) -> Measure:
    return lambda state: state.player_level == floor


MEASURES: dict[str, Measure] = {
    **{achievement: _amount(item) for achievement, item in _AMOUNTS.items()},
    **{
        f"make_{material}_{tool}": _has_level(tool, level)
        for tool in ("pickaxe", "sword")
        for level, material in enumerate(_TOOLS, start=1)
    },
    **{achievement: _is_on(floor) for achievement, floor in _FLOORS.items()},
    "defeat_necromancer": lambda state: has_beaten_boss(state, StaticEnvParams()),
}
"""By achievement: the number that rises when it is achieved."""

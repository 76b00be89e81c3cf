"""How a player acts that has learned nothing: it gathers and walks more than it uses things up.

A few planks are enough to make some fifteen things. A player that draws all actions equally makes
whatever it can right away and never has enough for what takes several steps.
"""

from __future__ import annotations

import math

from lapis.worlds.techtree.actions import ACTIONS, Kind

_SPECIAL_WEIGHT = 0.2
"""Weight of each action that makes, places or takes in hand; of all others it is 1."""
_SPECIAL = (Kind.PLACE, Kind.SMELT, Kind.CRAFT, Kind.EQUIP)

ACTION_PRIOR: tuple[float, ...] = tuple(
    math.log(_SPECIAL_WEIGHT) if action.kind in _SPECIAL else 0.0 for action in ACTIONS
)
"""Scores of all actions: the logarithms of their weights."""

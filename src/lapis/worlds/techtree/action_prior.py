"""How a player acts that knows nothing yet: it gathers and walks more than it uses things up.

A player with a few planks can make some fifteen things of them. One that draws all actions alike
makes whatever it can at once and never has enough for what takes several steps.
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

"""How a player moves that knows nothing yet: on ahead, looking about slowly, hitting things.

A player that draws all choices alike turns around several times per second and walks to and fro on
one spot. One that moves by this prior, and knows no more of the game, comes to trees twice as
often. The prior is also decided: what is left to chance without need is noise in every gradient.
And it uses things up rarely: of a few planks some fifteen things can be made, and a player that
makes them has none left for what takes several steps.
"""

from __future__ import annotations

import math

from lapis.worlds.voxel.actions import ACTION_SIZES, CAMERA_ANGLES, PITCH_LEVELS, Component

_YAW_WEIGHT = {0: 16.0, 15: 1.0, 50: 1.0, 150: 1.0, 450: 0.3}
_PITCH_WEIGHT = {0: 16.0, 15: 1.0, 50: 1.0, 150: 0.5, 450: 0.1}
"""Weight of turning by so many tenths of a degree, to either side."""
_LEVEL_WEIGHT = {-900: 0.05, -450: 0.5, 0: 0.5, 300: 0.5, 600: 0.5, 900: 0.05}
"""Weight of looking straight to each of the levels; who looks straight down digs itself in."""

_WEIGHT: dict[Component, list[float]] = {
    Component.ATTACK: [1.0, 0.1, 1.0],
    Component.WALK: [1.0, 8.0, 1.0],
    Component.STRAFE: [20.0, 1.0, 1.0],
    Component.GAIT: [20.0, 1.0, 1.0],
    Component.USE: [10.0, 1.0],
    Component.SPECIAL: [100.0, *[1.0] * (ACTION_SIZES[Component.SPECIAL] - 1)],
    Component.PITCH: [
        *(_PITCH_WEIGHT[abs(angle)] for angle in CAMERA_ANGLES),
        *(_LEVEL_WEIGHT[level] for level in PITCH_LEVELS),
    ],
    Component.YAW: [_YAW_WEIGHT[abs(angle)] for angle in CAMERA_ANGLES],
}
"""Weights of the choices of a component; all alike in those that are not here."""


def _log_weights() -> tuple[float, ...]:
    weights = (_WEIGHT.get(component, [1.0] * ACTION_SIZES[component]) for component in Component)
    return tuple(math.log(weight) for choices in weights for weight in choices)


ACTION_PRIOR: tuple[float, ...] = _log_weights()
"""Scores of all choices, in the order of the mask: the logarithms of their weights."""

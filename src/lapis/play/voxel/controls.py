"""From keys and mouse to actions: what is held down, and where the player wants to look."""

from __future__ import annotations

from collections.abc import Collection

from lapis.worlds.voxel.actions import ACTION_SIZES, CAMERA_ANGLES, SPECIAL, Component

CONTROLS: dict[str, tuple[Component, int]] = {
    "channel": (Component.ATTACK, 2),
    "attack": (Component.ATTACK, 1),
    "forward": (Component.WALK, 1),
    "back": (Component.WALK, 2),
    "left": (Component.STRAFE, 1),
    "right": (Component.STRAFE, 2),
    "jump": (Component.JUMP, 1),
    "sneak": (Component.GAIT, 1),
    "sprint": (Component.GAIT, 2),
    "use": (Component.USE, 1),
}
"""What each control chooses; of two that are held for one component, the first counts."""

OPPOSITES = ({"forward", "back"}, {"left", "right"})
"""Held together they cancel out."""

FULL_TURN = 3600
RIGHT_ANGLE = 900
LARGEST_TURN = 100 * FULL_TURN
"""More than a mouse turns at once [1/10 degree]."""


class Aim:
    """Where the player wants to look [1/10 degree]; the camera follows in steps of its own.

    A mouse turns by any angle at any time, the camera by one of `CAMERA_ANGLES` in each step. What
    is left is made up for in the steps that follow.
    """

    def __init__(self, yaw: float, pitch: float) -> None:
        self.yaw = float(yaw)
        self.pitch = float(pitch)

    def turn(self, yaw: float, pitch: float) -> None:
        """Looks farther to the right and farther down, at most straight up or down.

        Raises:
            ValueError: An angle is out of range or not finite.
        """
        if not (abs(yaw) <= LARGEST_TURN and abs(pitch) <= LARGEST_TURN):
            raise ValueError(
                f"turn is ({yaw}, {pitch}); both must be from {-LARGEST_TURN} to {LARGEST_TURN}"
            )
        self.yaw = (self.yaw + yaw) % FULL_TURN
        self.pitch = max(-RIGHT_ANGLE, min(RIGHT_ANGLE, self.pitch + pitch))

    def choices(self, yaw: int, pitch: int) -> dict[Component, int]:
        """The turns that bring a camera nearest to the aim; 0 where it is as near as it can be."""
        # The way round that is shorter.
        right = (self.yaw - yaw + FULL_TURN / 2) % FULL_TURN - FULL_TURN / 2
        return {Component.YAW: _nearest(right), Component.PITCH: _nearest(self.pitch - pitch)}


def action_of(
    held: Collection[str], turns: dict[Component, int], special: str = "none"
) -> list[int]:
    """The action of a step, a choice per component, from the `CONTROLS` that are held down.

    Raises:
        ValueError: There is no such control or special action.
    """
    unknown = sorted(set(held) - CONTROLS.keys())
    if unknown:
        raise ValueError(f"held has {unknown}; there are {sorted(CONTROLS)}")
    if special not in SPECIAL:
        raise ValueError(f"special is {special!r}; there is no such action")
    wanted = set(held)
    for pair in OPPOSITES:
        if pair <= wanted:
            wanted -= pair
    action = [0] * len(ACTION_SIZES)
    for name, (component, choice) in CONTROLS.items():
        if name in wanted and action[component] == 0:
            action[component] = choice
    for component, choice in turns.items():
        action[component] = choice
    action[Component.SPECIAL] = SPECIAL[special]
    return action


def _nearest(angle: float) -> int:
    return min(range(len(CAMERA_ANGLES)), key=lambda choice: abs(angle - CAMERA_ANGLES[choice]))

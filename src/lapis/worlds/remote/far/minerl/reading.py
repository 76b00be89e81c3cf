"""What the game tells as JSON in a tick, as `Seen`."""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy as np

from lapis.worlds.remote.far.minerl.env import Seen, Sight, Stack

FROM_GAME = {
    '<ObservationFromFullInventory flat="false"/>': ("inventory",),
    "<ObservationFromEquippedItem/>": ("equipped_items",),
    "<ObservationFromFullStats/>": (
        *("life", "is_alive", "food", "saturation", "air", "xp"),
        *("xpos", "ypos", "zpos", "pitch", "yaw"),
    ),
    "<ObservationFromRay/>": ("LineOfSight",),
}
"""What makes the game tell which parts of its JSON."""


class Reader:
    """Reads one mission; what a tick leaves out is as it was, but for what is looked at."""

    def __init__(self) -> None:
        self._told: Dict[str, Any] = {}

    def read(self, frame: np.ndarray, told: Dict[str, Any]) -> Seen:
        """What is seen in the tick that has told this."""
        self._told.update(told)
        now = self._told
        hand = now["equipped_items"].get("mainhand", {})
        durability = hand.get("maxDamage", -1)
        return Seen(
            frame=frame,
            stacks=[
                Stack(each["type"], each["metadata"], each["quantity"], each["index"])
                for each in now["inventory"]
                if each["quantity"] > 0 and each["inventory"] == "inventory"
            ],
            hand=hand.get("type", ""),
            tool_left=1 - hand["currentDamage"] / durability if durability > 0 else 0.0,
            health=now["life"],
            food=now["food"],
            saturation=now["saturation"],
            air=now["air"],
            experience=now["xp"],
            position=(now["xpos"], now["ypos"], now["zpos"]),
            pitch=now["pitch"],
            yaw=now["yaw"],
            sight=_sight(told.get("LineOfSight")),
        )

    @property
    def is_dead(self) -> bool:
        """Whether the player is."""
        return self._told["life"] <= 0 or not self._told["is_alive"]


def _sight(told: Optional[Dict[str, Any]]) -> Optional[Sight]:
    if told is None:
        return None
    point = (told["x"], told["y"], told["z"])
    return Sight(told["hitType"], told["type"], point, told["inRange"])

"""What a game of Minecraft shows in a tick, and what it can be told."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Protocol, Tuple

import numpy as np

REACH = 4.5
"""How far the player reaches [blocks], as the game has it in survival mode."""


class LostGame(Exception):
    """The game is gone, or does not answer."""


class Stack(NamedTuple):
    """Items in one slot."""

    type: str
    variant: int
    quantity: int
    slot: int


class Sight(NamedTuple):
    """What the crosshair is on."""

    hit: str
    """block, entity or item."""
    type: str
    point: Tuple[float, float, float]
    """Where the ray meets it."""
    in_reach: bool


class Seen(NamedTuple):
    """What is seen in a tick."""

    frame: np.ndarray
    """uint8, shape (side, side, 3)."""
    stacks: List[Stack]
    hand: str
    """Type of what is in the main hand, empty: nothing."""
    tool_left: float
    """What is left of the tool in hand, 0 to 1; 0 without one."""
    health: float
    """[half hearts]."""
    food: float
    saturation: float
    air: float
    """[ticks]."""
    experience: float
    """[points]."""
    position: Tuple[float, float, float]
    """Of the feet [blocks]."""
    pitch: float
    """Down is positive [degrees]."""
    yaw: float
    """0 is south, 90 is west [degrees]."""
    sight: Optional[Sight]


class Env(Protocol):
    """One game."""

    def reset(self, seed: int, slots: Dict[int, Dict[str, Any]]) -> Seen:
        """Starts in a new world with these things in the slots of the inventory.

        Raises:
            LostGame: It did not start.
        """
        ...

    def step(self, action: Dict[str, Any]) -> Tuple[Seen, bool]:
        """Plays a tick; also whether the player has died in it.

        Raises:
            LostGame: The game is gone, or does not answer.
        """
        ...

    def close(self) -> None:
        """Ends the game."""
        ...

"""What worlds are like now, in words, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["action_item", "counted", "plain", "vitals"]


def plain(name: str) -> str:
    """The name of an item or block as people write it."""
    return name.replace("_", " ")


def counted(names: Sequence[str], counts: Tensor) -> str:
    """How many there are of each name, those of which there is none left out."""
    parts = [f"{count} {name}" for name, count in zip(names, counts.tolist(), strict=True) if count]
    return ", ".join(parts) or "nothing"


def vitals(health: Tensor, food: Tensor, hand: str) -> str:
    """How the player is, from health [1/1000 points], food [points] and what is in hand."""
    return f"health {int(health) / 1000:.1f}/20   food {int(food)}/20   in hand: {hand}"


def action_item(name: str) -> tuple[str, str] | None:
    """What an action does with which item, read from its name: "craft stick" is about a stick."""
    kind, _, item = name.partition(" ")
    return (kind, item) if kind in ("craft", "smelt", "place", "equip") else None

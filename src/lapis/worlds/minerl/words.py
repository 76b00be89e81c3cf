"""A game of Minecraft in words: the player, and what is held."""

from __future__ import annotations

from lapis.minecraft.items import ITEMS
from lapis.worlds.remote.world import RemoteWorld
from lapis.worlds.voxel.actions import TOOL_ITEMS
from lapis.worlds.words import counted, vitals

__all__ = ["facts"]

_HEALTH, _FOOD = 0, 1
"""Columns of the vitals."""


def facts(world: RemoteWorld, row: int = 0) -> list[str]:
    """A line each on body and inventory of one world."""
    seen = world.observation["vitals"][row]
    tool = int(world.observation["hand"][row].argmax())
    hand = ITEMS[TOOL_ITEMS[tool - 1]] if tool else "no tool"
    return [
        vitals(seen[_HEALTH] * 20_000, (seen[_FOOD] * 20).round(), hand),
        f"you hold: {counted(ITEMS, world.inventory[row])}",
    ]

"""Which worlds have habits: how a player acts there that knows nothing yet."""

from __future__ import annotations

from lapis.worlds.techtree.habits import HABITS as TECHTREE_HABITS
from lapis.worlds.voxel.habits import HABITS as VOXEL_HABITS

HABITS_OF_WORLD: dict[str, tuple[float, ...]] = {
    "techtree": TECHTREE_HABITS,
    "voxel": VOXEL_HABITS,
}
"""Scores of all choices, in the order of the mask, by the name of the world."""

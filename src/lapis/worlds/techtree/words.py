"""A tech-tree world in words: the player, the place, what is in reach, what is held."""

from __future__ import annotations

from lapis.minecraft.biomes import Biome
from lapis.minecraft.items import ITEMS
from lapis.worlds.techtree.actions import TOOL_ITEMS, Reach
from lapis.worlds.techtree.config import SURFACE
from lapis.worlds.techtree.observe import FEATURES
from lapis.worlds.techtree.world import TechTreeWorld
from lapis.worlds.words import counted, vitals

__all__ = ["facts"]


def facts(world: TechTreeWorld, row: int = 0) -> list[str]:
    """A line each on body, place, reach and inventory of one world."""
    state = world.state
    height = int(state.height[row])
    depth = "on the surface" if height == SURFACE else f"{SURFACE - height} blocks deep"
    cave = ", in a cave" if int(state.in_cave[row]) else ""
    biome = Biome(int(state.biome[row])).name.lower()
    hand = int(state.hand[row])
    tool = ITEMS[TOOL_ITEMS[hand]] if hand >= 0 else "nothing"
    reach = counted([kind.name.lower() for kind in Reach], state.reach[row])
    return [
        vitals(state.health[row], state.food[row], tool),
        f"{biome}, {depth}{cave}",
        f"in reach: {reach}{_progress(world, row)}",
        f"you hold: {counted(ITEMS, state.inventory[row])}",
    ]


def _progress(world: TechTreeWorld, row: int) -> str:
    dug = world.observation["vector"][row, FEATURES["dug"]]
    kind = int(dug.argmax())
    return f"   ({Reach(kind).name.lower()} {float(dug[kind]):.0%} dug)" if dug[kind] > 0 else ""

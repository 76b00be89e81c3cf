"""A voxel world in words: the player, the place, what is looked at, what is held."""

from __future__ import annotations

from lapis.minecraft.biomes import Biome
from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEMS
from lapis.worlds.voxel.world import VoxelWorld
from lapis.worlds.words import counted, vitals

__all__ = ["facts"]


def facts(world: VoxelWorld, row: int = 0) -> list[str]:
    """A line each on body, place, the block under the crosshair and inventory of one world."""
    state, size, height = world.state, world.config.size, world.config.height
    hand = int(state.hand[row])
    x, y, z = state.position[row].tolist()
    biome = Biome(int(state.biome[row, int(x) % size, int(z) % size])).name.lower()
    place = int(state.looked_at[row])
    block = int(state.blocks[row].view(-1)[place]) if place >= 0 else Block.AIR
    seen = Block(block).name.lower() if block != Block.AIR else "nothing in reach"
    return [
        vitals(state.health[row], state.food[row], ITEMS[hand] if hand >= 0 else "nothing"),
        f"{biome}, at x {x:.1f}, y {y:.1f} of {height}, z {z:.1f}",
        f"looking at: {seen}",
        f"you hold: {counted(ITEMS, state.inventory[row])}",
    ]

"""The scale of the tech-tree world: what one action does and how rich the ground is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from lapis.bounds import SHARE, Bound
from lapis.registry import WorldSettings

if TYPE_CHECKING:
    from lapis.worlds.techtree.world import TechTreeWorld

WORLD_VERSION = 3
"""Rises with every change that can move learning curves."""
# DEVIATION: flat land, and depth in levels, because one action is one decision.
SURFACE = 64
"""Height of the ground [blocks]; flat, one above sea level."""
SOIL_BLOCKS = 4
"""Blocks of soil above the stone."""
LEVEL_BLOCKS = 15
"""Blocks that one action digs down or climbs."""
LOWEST = 4
"""Lowest height that can be reached [blocks]; below it lies bedrock."""
SCALE = Bound(least=1, most=10_000, whole=True)
"""Of ticks, blocks and items; the time and the effort of any step then fit into 32 bits."""
LEVEL_COUNT = (SURFACE - LOWEST) // LEVEL_BLOCKS + 1


@dataclass(frozen=True, kw_only=True)
class TechTreeConfig(WorldSettings):
    """What one action does and how rich the ground is.

    Times, drops, recipes and densities are Minecraft's; the values here say how much of the
    missing third dimension one decision stands for.
    """

    attack_ticks: Annotated[int, SCALE] = 24
    """How long one gathering action holds the attack button [ticks]. An unbroken block keeps its
    damage if the next action is on the same kind of block, and loses it otherwise."""
    handling_ticks: Annotated[int, SCALE] = 20
    """Time to craft, smelt, place a station, equip a tool, or wait after an action that is not
    allowed [ticks]."""
    smelt_batch: Annotated[int, SCALE] = 4
    """Largest number of items that one smelting action smelts, as far as coal, charcoal, planks and
    logs last. Each takes 200 ticks of fire."""
    walk_blocks: Annotated[int, SCALE] = 8
    """Distance of one move on the surface or through a cave [blocks]."""
    tunnel_blocks: Annotated[int, SCALE] = 4
    """Length of the tunnel of one move through stone [blocks], two blocks high."""
    spot_share_of_chunk: Annotated[float, SHARE] = 0.4
    """Share of a chunk's columns in reach at one spot of the surface."""
    biome_change: Annotated[float, SHARE] = 0.08
    """Probability that a move on the surface leads into another biome."""
    outcrop: Annotated[float, SHARE] = 0.05
    """Probability that stone lies open at a spot of the surface (0.5 in extreme hills)."""
    tunnel_blocks_seen: Annotated[int, SCALE] = 160
    """Blocks that come into view at a new spot of a tunnel or shaft."""
    cave_blocks_seen: Annotated[int, SCALE] = 480
    """Blocks that come into view at a new spot of a cave."""
    cave_entry: Annotated[float, SHARE] = 0.3
    """Probability that a move or a shaft opens into a cave, as the mean over all depths."""
    caves_by_depth: Annotated[float, SHARE] = 1.0
    """How much more frequent deep caves are: 0 for the same number at all depths, 1 as in
    Minecraft, where the lowest level has three times as many as the highest."""
    cave_stay: Annotated[float, SHARE] = 0.8
    """Probability that a move in a cave stays in the cave."""
    cave_slope: Annotated[float, Bound(least=0, most=0.5)] = 0.25
    """Probability that a move through a cave leads one level down, and also that it leads one up;
    caves never lead out onto the surface."""
    fall: Annotated[float, SHARE] = 0.06
    """Probability that a shaft breaks into a hole and the player falls one level further."""
    lava: Annotated[float, SHARE] = 0.05
    """Probability that a move or a shaft in the lowest level meets lava, which fills caves in seven
    of its fifteen layers."""
    monster: Annotated[float, SHARE] = 0.03
    """Probability that a move in a cave meets a monster."""

    @property
    def version(self) -> int:
        """Of the rules of this world."""
        return WORLD_VERSION

    @property
    def action_prior(self) -> tuple[float, ...]:
        """Favors gathering and walking, see `lapis.worlds.techtree.action_prior`."""
        from lapis.worlds.techtree.action_prior import ACTION_PRIOR

        return ACTION_PRIOR

    @property
    def action_items(self) -> tuple[tuple[str, str] | None, ...]:
        """See `lapis.worlds.techtree.actions.ACTION_ITEMS`."""
        from lapis.worlds.techtree.actions import ACTION_ITEMS

        return ACTION_ITEMS

    def build(self, world_count: int, *, seed: int, device: str, first_world: int) -> TechTreeWorld:
        """The worlds with these settings."""
        from lapis.worlds.techtree.world import TechTreeWorld  # Here: it loads PyTorch and Warp.

        return TechTreeWorld(
            world_count, seed=seed, device=device, config=self, first_world=first_world
        )

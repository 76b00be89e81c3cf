"""The scale of the tech-tree world: what one action does and how rich the ground is."""

from __future__ import annotations

from dataclasses import dataclass

# DEVIATION: flat land, and depth in levels, because one action is one decision.
SURFACE = 64
"""Height of the ground [blocks]; flat, one above sea level."""
SOIL_BLOCKS = 4
"""Blocks of soil above the stone."""
LEVEL_BLOCKS = 15
"""Blocks that one action digs down or climbs."""
LOWEST = 4
"""Lowest height that can be reached [blocks]; below it lies bedrock."""
LEVEL_COUNT = (SURFACE - LOWEST) // LEVEL_BLOCKS + 1


@dataclass(frozen=True, kw_only=True)
class TechTreeConfig:
    """What one action does and how rich the ground is.

    Times, drops, recipes and densities are Minecraft's; the values here say how much of the
    missing third dimension one decision stands for.
    """

    attack_ticks: int = 24
    """How long one gathering action holds the attack button [ticks]. An unbroken block keeps its
    damage if the next action is on the same kind of block, and loses it otherwise."""
    handling_ticks: int = 20
    """Time to craft, smelt, place a station, take a tool in hand, or wait after an action that is
    not allowed [ticks]."""
    smelt_batch: int = 4
    """Most items that one smelting action smelts, each with 200 ticks of fire, as far as coal,
    charcoal, planks and logs last."""
    walk_blocks: int = 8
    """Distance of one move on the surface or through a cave [blocks]."""
    tunnel_blocks: int = 4
    """Length of the tunnel of one move through stone [blocks], two blocks high."""
    spot_share_of_chunk: float = 0.4
    """Share of a chunk's columns in reach at one spot of the surface."""
    biome_change: float = 0.08
    """Probability that a move on the surface leads into another biome."""
    outcrop: float = 0.05
    """Probability that stone lies open at a spot of the surface (0.5 in extreme hills)."""
    tunnel_blocks_seen: int = 160
    """Blocks that come into view at a new spot of a tunnel or shaft."""
    cave_blocks_seen: int = 480
    """Blocks that come into view at a new spot of a cave."""
    cave_entry: float = 0.3
    """Probability that a move or a shaft opens into a cave, as the mean over all depths."""
    caves_by_depth: float = 1.0
    """How much more frequent deep caves are: 0 for the same at all depths, 1 for Minecraft's, where
    the lowest level has three times as many as the highest."""
    cave_stay: float = 0.8
    """Probability that a move in a cave leads on through the cave."""
    cave_slope: float = 0.25
    """Probability that a move through a cave leads one level down, and also that it leads one up;
    caves never lead out onto the surface."""
    fall: float = 0.06
    """Probability that a shaft breaks into a hole and the player falls one more level."""
    lava: float = 0.05
    """Probability that a move or a shaft in the lowest level meets lava, which fills caves in seven
    of its fifteen layers."""
    monster: float = 0.03
    """Probability that a move in a cave meets a monster."""

    def __post_init__(self) -> None:
        counts = ("attack_ticks", "handling_ticks", "smelt_batch", "walk_blocks", "tunnel_blocks")
        counts += ("tunnel_blocks_seen", "cave_blocks_seen")
        for name in counts:
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}")
        shares = (
            "spot_share_of_chunk",
            "biome_change",
            "outcrop",
            "cave_entry",
            "cave_stay",
        )
        for name in (*shares, "caves_by_depth", "cave_slope", "fall", "lava", "monster"):
            value = getattr(self, name)
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"{name} must lie in [0, 1], not {value!r}")
        if self.cave_slope > 0.5:
            raise ValueError(
                f"cave_slope must be at most 0.5, as it counts twice, not {self.cave_slope!r}"
            )

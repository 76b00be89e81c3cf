"""Which Craftax to play."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from lapis.extras import needed_by
from lapis.registry import WorldSettings

if TYPE_CHECKING:
    from lapis.worlds.jax_batch import JaxBatch

__all__ = ["CLASSIC_ACHIEVEMENTS", "CraftaxConfig"]

WORLD_VERSION = 1
"""Rises with every change that can move learning curves."""
CLASSIC_ACHIEVEMENTS = (
    *("collect_wood", "place_table", "eat_cow", "collect_sapling", "collect_drink"),
    *("make_wood_pickaxe", "make_wood_sword", "place_plant", "defeat_zombie", "collect_stone"),
    *("place_stone", "eat_plant", "defeat_skeleton", "make_stone_pickaxe", "make_stone_sword"),
    *("wake_up", "place_furnace", "collect_coal", "collect_iron", "collect_diamond"),
    *("make_iron_pickaxe", "make_iron_sword"),
)
"""The 22 achievements of Craftax-Classic, in its order; they are Crafter's."""


@dataclass(frozen=True, kw_only=True)
class CraftaxConfig(WorldSettings):
    """Craftax, seen by its symbols; a step takes one tick."""

    game: Literal["classic", "full"] = "classic"
    """`classic`: Craftax-Classic, which is Crafter's game with 22 achievements. `full`: Craftax,
    with nine floors and 67 achievements."""

    @property
    def version(self) -> int:
        """Of what this world makes of the game."""
        return WORLD_VERSION

    def build(self, world_count: int, *, seed: int, device: str, first_world: int) -> JaxBatch:
        """The worlds with these settings."""
        with needed_by("the world `craftax`", "craftax"):  # Here: it loads PyTorch and JAX.
            from lapis.worlds.craftax.game import make_game
            from lapis.worlds.jax_batch import JaxBatch

        return JaxBatch(
            world_count,
            game=make_game(self.game),
            identity={"world": "craftax", "version": self.version, **dataclasses.asdict(self)},
            seed=seed,
            device=device,
            first_world=first_world,
        )

"""Which chains of rules to play with, and in what room."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from lapis.bounds import SEED, Bound, require
from lapis.extras import needed_by
from lapis.registry import WorldSettings

if TYPE_CHECKING:
    from lapis.worlds.jax_batch import JaxBatch

__all__ = ["OBJECT_COUNT", "XLandConfig"]

WORLD_VERSION = 1
"""Rises with every change that can move learning curves."""
OBJECT_COUNT = 60
"""Things that can be carried: six shapes in ten colors."""


@dataclass(frozen=True, kw_only=True)
class XLandConfig(WorldSettings):
    """A room of XLand-MiniGrid with objects that turn into others; a step takes one tick.

    A chain is a list of objects. The first lies in the room; each other one is made by putting the
    one before it down next to its partner, which lies in the room too. Which objects these are is
    drawn once, from `book`.
    """

    chains: Annotated[int, Bound(least=1, most=20, whole=True)] = 2
    """Chains in the room."""
    links: Annotated[int, Bound(least=0, most=20, whole=True)] = 5
    """Rules of each chain: how many objects can be made from its first one, one after another."""
    size: Annotated[int, Bound(least=5, most=31, whole=True)] = 8
    """Cells along each side of the room, walls included."""
    view: Annotated[int, Bound(least=3, most=31, whole=True)] = 7
    """Cells along each side of what the player sees, an odd number: the player stands in the
    middle of its lowest row and looks up."""
    book: Annotated[int, SEED] = 0
    """Number of the set of rules; each number gives other rules."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.view % 2 == 1, "view", self.view, "an odd number")
        needed = self.chains * (2 * self.links + 1)
        require(
            needed <= OBJECT_COUNT,
            "links",
            self.links,
            f"smaller: {self.chains} chains need {needed} different objects of {OBJECT_COUNT}",
        )
        # Room to walk: objects are in the way.
        cells, lying = (self.size - 2) ** 2, self.chains * (self.links + 1)
        require(
            2 * lying <= cells,
            "size",
            self.size,
            f"larger: {lying} objects would fill more than half of {cells} cells",
        )

    @property
    def version(self) -> int:
        """Of what this world makes of the game."""
        return WORLD_VERSION

    @property
    def goals(self) -> tuple[str, ...]:
        """All objects of the chains, the first ones of all chains first."""
        return tuple(
            f"chain_{chain}_link_{link}"
            for link in range(self.links + 1)
            for chain in range(self.chains)
        )

    def build(self, world_count: int, *, seed: int, device: str, first_world: int) -> JaxBatch:
        """The worlds with these settings."""
        with needed_by("the world `xland`", "xland"):  # Here: it loads PyTorch and JAX.
            from lapis.worlds.jax_batch import JaxBatch
            from lapis.worlds.xland.game import make_game

        return JaxBatch(
            world_count,
            game=make_game(self),
            identity={"world": "xland", "version": self.version, **dataclasses.asdict(self)},
            seed=seed,
            device=device,
            first_world=first_world,
        )

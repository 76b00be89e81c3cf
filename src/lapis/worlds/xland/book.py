"""The rules of a room: chains of objects, drawn from a number."""

# C = chains, L = links of a chain

from __future__ import annotations

from typing import TYPE_CHECKING

import jax.numpy as jnp
import numpy as np
from xminigrid.core.constants import PICKABLE, Colors
from xminigrid.core.goals import EmptyGoal
from xminigrid.core.rules import EmptyRule, TileNearRule
from xminigrid.types import RuleSet

if TYPE_CHECKING:
    from lapis.worlds.xland.config import XLandConfig

__all__ = ["OBJECTS", "Book", "write_book"]

# Empty is no color, and black is that of the floor.
_COLORS = [color for color in range(1, 12) if color != Colors().BLACK]
OBJECTS = np.array([(shape, color) for shape in PICKABLE.tolist() for color in _COLORS], np.uint8)
"""Everything that can be carried, as XLand-MiniGrid's pairs of shape and color."""


class Book:
    """Which object is what.

    Attributes:
        link_CL: The objects of each chain, uint8 (chain, links + 1, 2).
        partner_CL: What the object before must be put next to, uint8 (chain, links, 2).
    """

    def __init__(self, link_CL: np.ndarray, partner_CL: np.ndarray) -> None:
        self.link_CL = link_CL
        self.partner_CL = partner_CL

    @property
    def lying_CL(self) -> np.ndarray:
        """What lies in the room when a chain begins: its first object and all partners."""
        return np.concatenate([self.link_CL[:, :1], self.partner_CL], axis=1)

    def rule_set(self) -> RuleSet:
        """The same for XLand-MiniGrid, whose own goal is never reached."""
        rules = [
            TileNearRule(tile_a=before, tile_b=partner, prod_tile=after).encode()
            for links, partners in zip(self.link_CL, self.partner_CL, strict=True)
            for before, partner, after in zip(links, partners, links[1:], strict=False)
        ]
        return RuleSet(
            goal=EmptyGoal().encode(),
            rules=jnp.stack(rules or [EmptyRule().encode()]),
            init_tiles=jnp.asarray(self.lying_CL.reshape(-1, 2)),
        )


def write_book(config: XLandConfig) -> Book:
    """The book of this number."""
    count = 2 * config.links + 1
    order = np.random.default_rng(config.book).permutation(len(OBJECTS))
    chosen = OBJECTS[order[: config.chains * count]].reshape(config.chains, count, 2)
    return Book(chosen[:, : config.links + 1], chosen[:, config.links + 1 :])

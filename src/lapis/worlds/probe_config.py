"""Which probe world to play in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from lapis.registry import WorldSettings

if TYPE_CHECKING:
    from lapis.worlds.probes import ProbeWorld

ProbeName = Literal["bandit", "memory", "first_step", "masked", "two_goals"]


@dataclass(frozen=True, kw_only=True)
class ProbeConfig(WorldSettings):
    """One of `lapis.worlds.probes`, which test that an agent learns at all."""

    name: ProbeName = "bandit"
    """Which of them."""

    def build(self, world_count: int, *, seed: int, device: str, first_world: int) -> ProbeWorld:
        """The worlds, which have no numbers.

        Raises:
            ValueError: `first_world` is not 0.
        """
        from lapis.worlds.probes import PROBES  # Here: it loads PyTorch.

        if first_world:
            raise ValueError(f"first_world is {first_world}; worlds of {self.name!r} start at 0")
        return PROBES[self.name](world_count, seed=seed, device=device)

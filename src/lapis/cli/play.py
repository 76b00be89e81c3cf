"""`lapis play WORLD`: a person plays Simon Says."""

from __future__ import annotations

import dataclasses
from typing import Literal

import tyro

from lapis.cli import UsageError, nearest
from lapis.minecraft.goals import GOALS


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlayArguments:
    """Plays Simon Says in the terminal, with numbered actions."""

    world: tyro.conf.Positional[Literal["techtree"]]
    """Which world to play in."""
    seed: int = 0
    """Decides the world and the goals."""
    goals: tuple[str, ...] = ()
    """Items that can be asked for; without it all 107."""


def main(arguments: list[str]) -> int:
    """Plays until the player quits."""
    parsed = tyro.cli(PlayArguments, args=arguments, prog="lapis play")
    for goal in parsed.goals:
        if goal not in GOALS:
            raise UsageError(nearest(goal, GOALS, "goal"))
    # Imported here: a wrong flag is answered before kernels are compiled.
    from lapis.play import play_techtree

    play_techtree(seed=parsed.seed, goals=parsed.goals or GOALS)
    return 0

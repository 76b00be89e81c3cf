"""The tech tree for Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lapis.minecraft.goals import GOALS
from lapis.simonsays.config import SimonSaysConfig
from lapis.simonsays.gym.settings import sorted_settings
from lapis.simonsays.gym.views import SimonSaysEnv, SimonSaysVectorEnv
from lapis.simonsays.protocol import SimonSays
from lapis.worlds.techtree import TechTreeConfig, TechTreeWorld
from lapis.worlds.techtree.words import facts


def make_tech_tree_vector(
    num_envs: int = 1,
    *,
    goals: Sequence[str] = GOALS,
    device: str = "cpu",
    seed: int | None = None,
    render_mode: str | None = None,
    world: TechTreeConfig | None = None,
    **settings: Any,
) -> SimonSaysVectorEnv:
    """Simon Says over `num_envs` tech-tree worlds.

    Args:
        num_envs: Number of worlds.
        goals: Items that can be asked for.
        device: Where the worlds live: "cpu" or a CUDA device.
        seed: Of the first reset where that names none.
        render_mode: None, or "ansi"; there are no pictures.
        world: The scale of the world.
        settings: Fields of `SimonSaysConfig`.
    """
    (of_game,) = sorted_settings(settings, SimonSaysConfig)
    config = SimonSaysConfig(goals=tuple(goals), **of_game)

    def make_game(seed: int) -> SimonSays:
        worlds = TechTreeWorld(num_envs, seed=seed, device=device, config=world, masked_waits=True)
        return SimonSays(worlds, config, seed=seed)

    return SimonSaysVectorEnv(
        make_game,
        float_bounds=(0.0, 1.0),
        seed=seed,
        render_mode=render_mode,
        describe=_describe,
    )


def make_tech_tree(**options: Any) -> SimonSaysEnv:
    """Simon Says over one tech-tree world; keyword arguments as for `make_tech_tree_vector`."""
    return SimonSaysEnv(make_tech_tree_vector(**options))


def _describe(game: SimonSays, row: int) -> list[str]:
    assert isinstance(game.world, TechTreeWorld)
    return facts(game.world, row)

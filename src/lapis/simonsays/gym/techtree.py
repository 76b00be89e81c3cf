"""The tech tree for Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lapis.minecraft.goals import GOALS
from lapis.simonsays.config import SimonSaysConfig
from lapis.simonsays.gym.views import MakeGame, SimonSaysEnv, SimonSaysVectorEnv
from lapis.simonsays.protocol import SimonSays
from lapis.worlds.techtree import TechTreeConfig, TechTreeWorld


def make_tech_tree_vector(
    num_envs: int = 1,
    *,
    goals: Sequence[str] = GOALS,
    device: str = "cpu",
    world: TechTreeConfig | None = None,
    **settings: Any,
) -> SimonSaysVectorEnv:
    """Simon Says over `num_envs` tech-tree worlds; `settings` are fields of `SimonSaysConfig`."""
    make_game = _tech_tree_games(num_envs, goals, device, world, settings)
    return SimonSaysVectorEnv(make_game, float_bounds=(0.0, 1.0))


def make_tech_tree(
    *,
    goals: Sequence[str] = GOALS,
    world: TechTreeConfig | None = None,
    **settings: Any,
) -> SimonSaysEnv:
    """Simon Says over one tech-tree world; `settings` are fields of `SimonSaysConfig`."""
    return SimonSaysEnv(_tech_tree_games(1, goals, "cpu", world, settings), float_bounds=(0.0, 1.0))


def _tech_tree_games(
    world_count: int,
    goals: Sequence[str],
    device: str,
    world: TechTreeConfig | None,
    settings: dict[str, Any],
) -> MakeGame:
    config = SimonSaysConfig(goals=tuple(goals), **settings)

    def make_game(seed: int) -> SimonSays:
        worlds = TechTreeWorld(
            world_count, seed=seed, device=device, config=world, masked_waits=True
        )
        return SimonSays(worlds, config, seed=seed)

    return make_game

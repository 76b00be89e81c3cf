"""The voxel world for Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lapis.minecraft.goals import GOALS
from lapis.simonsays.config import SimonSaysConfig
from lapis.simonsays.gym.settings import sorted_settings
from lapis.simonsays.gym.views import Draw, SimonSaysEnv, SimonSaysVectorEnv
from lapis.simonsays.protocol import SimonSays
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.view import Picture
from lapis.worlds.voxel.words import facts
from lapis.worlds.voxel.world import VoxelWorld

PICTURE_SIZE = 256
"""Pixels along each side of a rendered picture, whatever the player sees."""


def make_voxel_vector(
    num_envs: int = 1,
    *,
    goals: Sequence[str] = GOALS,
    device: str = "cpu",
    seed: int | None = None,
    render_mode: str | None = None,
    **settings: Any,
) -> SimonSaysVectorEnv:
    """Simon Says over `num_envs` voxel worlds.

    Args:
        num_envs: Number of worlds.
        goals: Items that can be asked for.
        device: Where the worlds live: "cpu" or a CUDA device.
        seed: Of the first reset where that names none.
        render_mode: None, "rgb_array" or "ansi".
        settings: Fields of `VoxelConfig` (`size`, `view`, `frame_size`, ...) and of
            `SimonSaysConfig`.
    """
    of_world, of_game = sorted_settings(settings, VoxelConfig, SimonSaysConfig)
    world = VoxelConfig(**of_world)
    config = SimonSaysConfig(goals=tuple(goals), **of_game)

    def make_game(seed: int) -> SimonSays:
        worlds = VoxelWorld(num_envs, seed=seed, device=device, config=world, masked_waits=True)
        return SimonSays(worlds, config, seed=seed)

    return SimonSaysVectorEnv(
        make_game,
        float_bounds=(0.0, 1.0),
        seed=seed,
        render_mode=render_mode,
        make_picture=_picture,
        describe=_describe,
    )


def make_voxel(**options: Any) -> SimonSaysEnv:
    """Simon Says over one voxel world; keyword arguments as for `make_voxel_vector`."""
    return SimonSaysEnv(make_voxel_vector(**options))


def _picture(game: SimonSays, row: int) -> Draw:
    world = game.world
    assert isinstance(world, VoxelWorld)
    return Picture(world.state, world.config, world=row, size=PICTURE_SIZE).draw


def _describe(game: SimonSays, row: int) -> list[str]:
    assert isinstance(game.world, VoxelWorld)
    return facts(game.world, row)

"""The tech tree, the voxel world, Minecraft and Minetest for Gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from lapis.minecraft.goals import GOALS
from lapis.registry import nearest
from lapis.simonsays.config import SimonSaysConfig
from lapis.simonsays.gym.views import Draw, SimonSaysEnv, SimonSaysVectorEnv
from lapis.simonsays.protocol import SimonSays
from lapis.worlds.minerl import MineRLConfig
from lapis.worlds.minerl import words as minerl_words
from lapis.worlds.minetest import words as minetest_words
from lapis.worlds.minetest.config import MinetestConfig, MinetestVoxelConfig
from lapis.worlds.remote.world import RemoteWorld
from lapis.worlds.techtree import TechTreeConfig, TechTreeWorld
from lapis.worlds.techtree import words as techtree_words
from lapis.worlds.voxel import VoxelConfig, VoxelWorld
from lapis.worlds.voxel import words as voxel_words
from lapis.worlds.voxel.view import Picture
from lapis.worlds.world import World

PICTURE_SIZE = 256
"""Pixels along each side of a rendered picture, whatever the player sees."""


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
        seed: Used if the first reset gives none.
        render_mode: None, or "ansi"; there are no pictures.
        world: The scale of the world.
        settings: Fields of `SimonSaysConfig`.
    """
    (of_game,) = _sorted_settings(settings, SimonSaysConfig)
    make_worlds = partial(TechTreeWorld, num_envs, device=device, config=world, masked_waits=True)
    config = SimonSaysConfig(goals=_names(goals), **of_game)
    return _games(make_worlds, config, seed=seed, render_mode=render_mode)


def make_tech_tree(**options: Any) -> SimonSaysEnv:
    """Simon Says over one tech-tree world; keyword arguments as for `make_tech_tree_vector`."""
    return SimonSaysEnv(make_tech_tree_vector(**options))


def make_voxel_vector(
    num_envs: int = 1,
    *,
    goals: Sequence[str] = GOALS,
    device: str = "cpu",
    seed: int | None = None,
    render_mode: str | None = None,
    **settings: Any,
) -> SimonSaysVectorEnv:
    """Simon Says over `num_envs` voxel worlds, arguments as for `make_tech_tree_vector`.

    `render_mode` can also be "rgb_array", and `settings` are fields of `VoxelConfig` (`size`,
    `view`, `frame_size`, ...) and of `SimonSaysConfig`.
    """
    of_world, of_game = _sorted_settings(settings, VoxelConfig, SimonSaysConfig)
    world = VoxelConfig(**of_world)
    make_worlds = partial(VoxelWorld, num_envs, device=device, config=world, masked_waits=True)
    config = SimonSaysConfig(goals=_names(goals), **of_game)
    return _games(make_worlds, config, seed=seed, render_mode=render_mode, make_picture=_picture)


def make_voxel(**options: Any) -> SimonSaysEnv:
    """Simon Says over one voxel world; keyword arguments as for `make_voxel_vector`."""
    return SimonSaysEnv(make_voxel_vector(**options))


def make_minetest_vector(
    num_envs: int = 1,
    *,
    goals: Sequence[str] | None = None,
    seed: int | None = None,
    render_mode: str | None = None,
    **settings: Any,
) -> SimonSaysVectorEnv:
    """Simon Says over `num_envs` players of Minetest's own game.

    `goals` are by default all of the game's; `render_mode` can be "ansi", and `settings` are fields
    of `MinetestConfig` (`servers`, `lowest`, ...) and of `SimonSaysConfig`.
    """
    of_world, of_game = _sorted_settings(settings, MinetestConfig, SimonSaysConfig)
    world = MinetestConfig(**of_world)

    def make_worlds(seed: int) -> World:
        return world.build(num_envs, seed=seed, device="cpu", first_world=0)

    config = SimonSaysConfig(goals=_names(goals or world.tree.goals), **of_game)
    return _games(make_worlds, config, seed=seed, render_mode=render_mode)


def make_minetest(**options: Any) -> SimonSaysEnv:
    """Simon Says for one player of Minetest, arguments as for `make_minetest_vector`."""
    return SimonSaysEnv(make_minetest_vector(**options))


def make_minetest_voxel_vector(
    num_envs: int = 1,
    *,
    goals: Sequence[str] = GOALS,
    seed: int | None = None,
    render_mode: str | None = None,
    **settings: Any,
) -> SimonSaysVectorEnv:
    """Simon Says over `num_envs` players of Minetest with the actions of the voxel world.

    Arguments are as for `make_voxel_vector`, and `settings` are fields of `MinetestVoxelConfig`
    (`servers`, `frame_size`, ...) and of `SimonSaysConfig`.
    """
    of_world, of_game = _sorted_settings(settings, MinetestVoxelConfig, SimonSaysConfig)
    world = MinetestVoxelConfig(**of_world)

    def make_worlds(seed: int) -> World:
        return world.build(num_envs, seed=seed, device="cpu", first_world=0)

    config = SimonSaysConfig(goals=_names(goals), **of_game)
    return _games(make_worlds, config, seed=seed, render_mode=render_mode, make_picture=_frame)


def make_minetest_voxel(**options: Any) -> SimonSaysEnv:
    """Simon Says for one such player, arguments as for `make_minetest_voxel_vector`."""
    return SimonSaysEnv(make_minetest_voxel_vector(**options))


def make_minerl_vector(
    num_envs: int = 1,
    *,
    goals: Sequence[str] = GOALS,
    seed: int | None = None,
    render_mode: str | None = None,
    **settings: Any,
) -> SimonSaysVectorEnv:
    """Simon Says over `num_envs` games of Minecraft, arguments as for `make_voxel_vector`.

    `settings` are fields of `MineRLConfig` (`python`, `ports`, ...) and of `SimonSaysConfig`. A
    reset with a seed ends these games and starts others.
    """
    of_world, of_game = _sorted_settings(settings, MineRLConfig, SimonSaysConfig)
    world = MineRLConfig(**of_world)
    open_worlds: list[RemoteWorld] = []

    def make_worlds(seed: int) -> World:
        while open_worlds:
            open_worlds.pop().close()
        open_worlds.append(world.build(num_envs, seed=seed, device="cpu", first_world=0))
        return open_worlds[0]

    config = SimonSaysConfig(goals=_names(goals), **of_game)
    return _games(make_worlds, config, seed=seed, render_mode=render_mode, make_picture=_frame)


def make_minerl(**options: Any) -> SimonSaysEnv:
    """Simon Says over one game of Minecraft, arguments as for `make_minerl_vector`."""
    return SimonSaysEnv(make_minerl_vector(**options))


def _names(goals: Sequence[str]) -> tuple[str, ...]:
    """As a tuple; what is no list of names is left to the configuration to refuse."""
    is_list = isinstance(goals, Sequence) and not isinstance(goals, str)
    return tuple(goals) if is_list else goals  # pyright: ignore[reportReturnType]


def _sorted_settings(settings: dict[str, Any], *kinds: type) -> list[dict[str, Any]]:
    """The settings of each of these classes of configurations."""
    names = [{field.name for field in fields(kind)} for kind in kinds]
    known = sorted(set().union(*names))
    for name in settings:
        if name not in known:
            raise TypeError(f"unknown setting {name!r}{nearest(name, known)}")
    return [{name: settings[name] for name in settings if name in mine} for mine in names]


def _games(
    make_worlds: Callable[..., World], config: SimonSaysConfig, **options: Any
) -> SimonSaysVectorEnv:
    def make_game(seed: int) -> SimonSays:
        return SimonSays(make_worlds(seed=seed), config, seed=seed)

    return SimonSaysVectorEnv(make_game, float_bounds=(0.0, 1.0), describe=_describe, **options)


def _describe(game: SimonSays, row: int) -> list[str]:
    if isinstance(game.world, VoxelWorld):
        return voxel_words.facts(game.world, row)
    if isinstance(game.world, RemoteWorld):
        sees_rays = "fan_class" in game.world.observation
        return (minetest_words if sees_rays else minerl_words).facts(game.world, row)
    assert isinstance(game.world, TechTreeWorld)
    return techtree_words.facts(game.world, row)


def _picture(game: SimonSays, row: int) -> Draw:
    world = game.world
    assert isinstance(world, VoxelWorld)
    return Picture(world.state, world.config, world=row, size=PICTURE_SIZE).draw


def _frame(game: SimonSays, row: int) -> Draw:
    """What the player sees."""
    return lambda: game.observation["frame"][row].numpy().copy()

"""`lapis play WORLD`: a person plays Simon Says."""

from __future__ import annotations

import dataclasses
import errno
from typing import Literal

import tyro

from lapis.cli import UsageError, check_known
from lapis.cli.checks import PIXELS, check_range, check_seed, check_size
from lapis.minecraft.goals import GOALS
from lapis.worlds.minetest.config import MinetestConfig


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlayArguments:
    """Lets you play Simon Says: in the terminal, or the voxel world in a browser."""

    world: tyro.conf.Positional[Literal["techtree", "voxel", "minetest"]]
    """Which world to play in."""
    seed: int = 0
    """Seed of the world and the goals."""
    goals: tuple[str, ...] = ()
    """Items that can be asked for. Default: all, 107 or in Minetest 116."""
    port: int | None = None
    """Port of the voxel world's page. Default: 8000; 0 picks a free one."""
    size: int | None = None
    """Blocks along each side of the voxel world, a power of two. Default: 64."""
    pixels: int | None = None
    """Pixels along each side of its picture. Default: as many as this machine draws quickly, at
    most 512."""


def main(arguments: list[str]) -> int:
    """Plays until the player quits."""
    parsed = tyro.cli(PlayArguments, args=arguments, prog="lapis play")
    known = MinetestConfig().tree.goals if parsed.world == "minetest" else GOALS
    for goal in parsed.goals:
        check_known(goal, known, "goal")
    if parsed.world == "voxel":
        _play_voxel(parsed)
        return 0
    for name in ("port", "size", "pixels"):
        if getattr(parsed, name) is not None:
            raise UsageError(f"--{name} is for `lapis play voxel`")
    if parsed.world == "minetest":
        _play_minetest(parsed)
    else:
        _play_techtree(parsed)
    return 0


def _play_minetest(parsed: PlayArguments) -> None:
    check_seed(parsed.seed)
    from lapis.play.minetest import play_minetest

    try:
        play_minetest(seed=parsed.seed, goals=parsed.goals)
    except FileNotFoundError as error:  # The engine is not installed.
        raise UsageError(str(error)) from error


def _play_techtree(parsed: PlayArguments) -> None:
    # Imported here: a wrong flag is answered before kernels are compiled.
    from lapis.play.techtree import play_techtree

    play_techtree(seed=parsed.seed, goals=parsed.goals or GOALS)


def _play_voxel(parsed: PlayArguments) -> None:
    port = 8000 if parsed.port is None else parsed.port
    size = 64 if parsed.size is None else parsed.size
    check_range("port", port, 0, 65535)
    check_seed(parsed.seed)
    check_size(size)
    check_range("pixels", parsed.pixels, *PIXELS)
    from lapis.play.voxel.server import play_voxel

    goals = parsed.goals or GOALS
    try:
        play_voxel(seed=parsed.seed, goals=goals, size=size, pixels=parsed.pixels, port=port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise UsageError(f"port {port} is taken; choose another with --port") from error

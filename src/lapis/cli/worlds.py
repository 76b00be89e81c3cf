"""`--world NAME --world.SETTING VALUE`: another world than a policy was trained in."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import tyro

from lapis.cli import UsageError
from lapis.registry import WORLDS, WorldSettings

__all__ = ["refusals_told", "take_world"]


@contextlib.contextmanager
def refusals_told(world: WorldSettings | None) -> Iterator[None]:
    """Turns what a named world refuses into an error of the command line.

    For example, because an engine is not installed.
    """
    try:
        yield
    except (ValueError, FileNotFoundError) as error:
        if world is None:
            raise
        raise UsageError(str(error)) from error


def take_world(arguments: list[str], prog: str) -> tuple[WorldSettings | None, list[str]]:
    """The world that the arguments name, None if they name none; and all other arguments.

    Raises:
        UsageError: There are settings of a world, but no world.
    """
    names: list[str] = []
    settings: list[str] = []
    rest: list[str] = []
    into = rest
    for argument in arguments:
        flag, equals, value = argument.partition("=")
        if flag == "--world":
            into = names
            names += [value] if equals else []
        elif flag.startswith("--world."):
            into = settings
            settings.append("--" + argument.removeprefix("--world."))
        elif argument.startswith("-") or (into is names and names):
            into = rest
            rest.append(argument)
        else:
            into.append(argument)
    if not names:
        if settings:
            raise UsageError(f"{settings[0]} is a setting of a world; name it with --world")
        return None, rest
    name = names[0]
    return tyro.cli(WORLDS.find(name), args=settings, prog=f"{prog} --world {name}"), rest

"""The `lapis` command. Each subcommand is a module with `main(arguments) -> exit code`.

A module is imported when its command is called, so that `lapis --help` is quick and works where
only NumPy is installed.
"""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
from lapis import __version__
from lapis.extras import missing_package
from lapis.registry import UnknownKindError
from lapis.runs import RunError

__all__ = ["COMMANDS", "Command", "UsageError", "main", "nearest"]


@dataclass(frozen=True, kw_only=True)
class Command:
    """One subcommand."""

    name: str
    module: str
    """Module with `main(arguments: list[str]) -> int`."""
    summary: str
    """What it does, in a line."""
    extra: str = "train"
    """Which extra of Lapis brings all that it needs."""


COMMANDS = (
    Command(
        name="train", module="lapis.cli.train", summary="train by a recipe, in a new run folder"
    ),
    Command(
        name="resume", module="lapis.cli.resume", summary="continue a run from its last checkpoint"
    ),
    Command(
        name="demo", module="lapis.cli.demo", summary="train the small recipe `demo` and report"
    ),
    Command(
        name="evaluate",
        module="lapis.cli.evaluate",
        summary="play every goal with the policy of a run, and count",
    ),
    Command(
        name="inspect",
        module="lapis.cli.inspect",
        summary="say what a policy does with its time, and what it makes of what it sees",
    ),
    Command(
        name="reproduce",
        module="lapis.cli.reproduce",
        summary="run the paper's treatments over several seeds, and report",
    ),
    Command(
        name="report",
        module="lapis.cli.report",
        summary="report on runs in one HTML file",
        extra="report",
    ),
    Command(
        name="simulate",
        module="lapis.cli.simulate",
        summary="compare curricula on a simulated learner, without an agent",
        extra="report",
    ),
    Command(name="play", module="lapis.cli.play", summary="play Simon Says yourself", extra="play"),
    Command(name="watch", module="lapis.cli.watch", summary="film a player in the voxel world"),
    Command(
        name="export", module="lapis.cli.export", summary="write the policy of a run to one file"
    ),
    Command(name="bench", module="lapis.cli.bench", summary="measure the speed of training here"),
    Command(
        name="goals",
        module="lapis.cli.goals",
        summary="draw the tech tree of the goals",
        extra="cli",
    ),
    Command(
        name="doctor",
        module="lapis.cli.doctor",
        summary="say what works here, and what to install",
        extra="cli",
    ),
)


class UsageError(Exception):
    """The command line is wrong; the message says how."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code: 2 for a wrong command line, 1 for other errors."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except UsageError as error:
        return _fail(str(error), 2)
    except BrokenPipeError:  # Who reads has enough: `lapis goals | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13  # As if by SIGPIPE.
    except (
        RunError,
        UnknownKindError,
        FileExistsError,
        FileNotFoundError,
        PermissionError,
    ) as error:
        return _fail(str(error), 1)
    except KeyboardInterrupt:
        return _fail("aborted", 130)


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help())
        return 0
    if arguments[0] == "--version":
        print(f"lapis {__version__}")
        return 0
    command = _find(arguments[0])
    try:
        return importlib.import_module(command.module).main(arguments[1:])
    except ModuleNotFoundError as error:
        sentence = missing_package(error, f"`lapis {command.name}`", command.extra)
        if sentence is None:
            raise
        return _fail(sentence, 1)


def nearest(word: str, known: Iterable[str], kind: str) -> str:
    """A sentence for a word that is not among the known ones."""
    names = list(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    advice = f"did you mean `{close[0]}`?" if close else f"there are: {', '.join(names)}"
    return f"unknown {kind} `{word}`; {advice}"


def _find(name: str) -> Command:
    for command in COMMANDS:
        if command.name == name:
            return command
    raise UsageError(nearest(name, (command.name for command in COMMANDS), "command"))


def _help() -> str:
    width = max(len(command.name) for command in COMMANDS)
    lines = [f"  {command.name:{width}}  {command.summary}" for command in COMMANDS]
    return "\n".join(
        [
            "usage: lapis COMMAND ...",
            "",
            "Trains agents on many goals at once by sampling those on which they are learning now.",
            "",
            *lines,
            "",
            "`lapis COMMAND --help` tells more; `lapis --version` tells the version.",
        ]
    )


def _fail(message: str, code: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code

"""The `lapis` command. Each subcommand is a module with `main(arguments) -> exit code`.

A module is imported when its command is called, so that `lapis --help` is quick and works where
only NumPy is installed.
"""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lapis import __version__
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
        name="reproduce",
        module="lapis.cli.reproduce",
        summary="run the paper's treatments over several seeds, and report",
    ),
    Command(name="report", module="lapis.cli.report", summary="report on runs in one HTML file"),
    Command(
        name="simulate",
        module="lapis.cli.simulate",
        summary="compare curricula on a simulated learner, without an agent",
    ),
    Command(name="play", module="lapis.cli.play", summary="play Simon Says yourself"),
    Command(
        name="watch", module="lapis.cli.watch", summary="film a player in the voxel world, to GIF"
    ),
    Command(
        name="export", module="lapis.cli.export", summary="write the policy of a run to one file"
    ),
    Command(name="bench", module="lapis.cli.bench", summary="measure the speed of training here"),
    Command(name="goals", module="lapis.cli.goals", summary="draw the tech tree of the goals"),
    Command(
        name="doctor", module="lapis.cli.doctor", summary="say what works here, and what to install"
    ),
)

EXTRAS = {
    "tyro": "cli",
    "rich": "cli",
    "torch": "train",
    "warp": "train",
    "safetensors": "train",
    "tensorboard": "train",
    "gymnasium": "gym",
    "matplotlib": "report",
    "jinja2": "report",
    "scipy": "report",
    "PIL": "report",
}
"""Which extra of Lapis brings a package."""


class UsageError(Exception):
    """The command line is wrong; the message says how."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code: 2 for a wrong command line, 1 for other errors."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help())
        return 0
    if arguments[0] == "--version":
        print(f"lapis {__version__}")
        return 0
    try:
        command = _find(arguments[0])
        return importlib.import_module(command.module).main(arguments[1:])
    except UsageError as error:
        return _fail(str(error), 2)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        return _fail(
            f"`lapis {arguments[0]}` needs {package}, which is not installed; "
            f"get it with: pip install 'lapis[{EXTRAS[package]}]'",
            1,
        )
    except (RunError, FileExistsError, FileNotFoundError, PermissionError) as error:
        return _fail(str(error), 1)
    except KeyboardInterrupt:
        return _fail("aborted", 130)


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

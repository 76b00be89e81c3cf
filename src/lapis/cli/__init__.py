"""The `lapis` command. Each subcommand is a module with `main(arguments) -> exit code`.

A module is imported when its command is called, so that `lapis --help` is quick and works where
only NumPy is installed.
"""

from __future__ import annotations

import contextlib
import difflib
import errno
import importlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
from lapis import __version__
from lapis.extras import missing_package
from lapis.registry import UnknownKindError
from lapis.runs import RunError
from lapis.runs.reading import printable
from lapis.torchrun import launch

__all__ = ["COMMANDS", "EXTRA", "UsageError", "check_known", "main"]

COMMANDS = {
    "train": "train with a recipe, in a new run folder",
    "resume": "continue a run from its last checkpoint",
    "demo": "train the small recipe `demo` and write a report",
    "evaluate": "play every goal with a run's policy and count successes",
    "inspect": "show how a policy spends its time and how it uses what it sees",
    "reproduce": "run the paper's treatments over several seeds and write a report",
    "sweep": "run a recipe with many settings and write a report",
    "report": "write a report on runs to one HTML file",
    "simulate": "compare curricula on a simulated learner, without an agent",
    "play": "play Simon Says yourself",
    "watch": "film a player in the voxel world",
    "export": "write a run's policy to one file",
    "bench": "measure the speed of training on this machine",
    "goals": "show the tech tree of the goals",
    "doctor": "say what works on this machine and what to install",
}
"""What each command does; its module in `lapis.cli` has its name."""
EXTRA = {"report": "report", "simulate": "report", "play": "play", "goals": "cli", "doctor": "cli"}
"""Which extra of Lapis brings all that a command needs, where it is not `train`."""
ERRORS = (RunError, UnknownKindError, OSError, MemoryError)
"""What is told in a line; anything else is a fault of ours and is shown with its traceback."""


class UsageError(Exception):
    """The command line is wrong; the message says how."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code: 2 for a wrong command line, 1 for other errors."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with _quiet_unless_first():
            code = _run(arguments)
        sys.stdout.flush()
        return code
    except UsageError as error:
        return _fail(str(error), 2)
    except BrokenPipeError:  # Who reads has enough: `lapis goals | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13  # As if by SIGPIPE.
    except ERRORS as error:
        return _fail(_explain(error), 1)
    except KeyboardInterrupt:
        return _fail("aborted", 130)


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help())
        return 0
    if arguments[0] == "--version":
        print(f"lapis {__version__}")
        return 0
    name = arguments[0]
    check_known(name, COMMANDS, "command")
    try:
        return importlib.import_module(f"lapis.cli.{name}").main(arguments[1:])
    except ModuleNotFoundError as error:
        sentence = missing_package(error, f"`lapis {name}`", EXTRA.get(name, "train"))
        if sentence is None:
            raise
        return _fail(sentence, 1)


def check_known(word: str, known: Iterable[str], kind: str) -> None:
    """Refuses a word that is not among the known ones, and names the nearest."""
    names = list(known)
    if word in names:
        return
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    advice = f"did you mean `{close[0]}`?" if close else f"there are: {', '.join(names)}"
    raise UsageError(f"unknown {kind} `{word}`; {advice}")


def _help() -> str:
    width = max(map(len, COMMANDS))
    return "\n".join(
        [
            "usage: lapis COMMAND ...",
            "",
            "Trains agents on many goals at once, mostly on those where they are making progress.",
            "",
            *(f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items()),
            "",
            "`lapis COMMAND --help` explains a command; `lapis --version` prints the version.",
        ]
    )


def _explain(error: Exception) -> str:
    """A system error in words, with advice; other errors explain themselves."""
    if isinstance(error, MemoryError):
        return f"there is not enough memory ({error}); use fewer worlds"
    if not isinstance(error, OSError) or error.errno is None:
        return str(error)
    advice = {
        errno.ENAMETOOLONG: "choose a shorter name",
        errno.EROFS: "choose a folder that you may write to",
        errno.EACCES: "choose one that you may read and write",
        errno.EPERM: "choose one that you may read and write",
        errno.EISDIR: "name a file",
        errno.ENOTDIR: "name a folder",
        errno.ENOSPC: "make room",
        errno.EFBIG: "make room",
    }
    what = f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)
    return f"{what}; {advice[error.errno]}" if error.errno in advice else what


@contextlib.contextmanager
def _quiet_unless_first() -> Iterator[None]:
    """Of the ranks that torchrun started, only the first writes to the standard output."""
    here = launch()
    if here is None or here.rank == 0:
        yield
        return
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        yield


def _fail(message: str, code: int) -> int:
    here = launch()
    if here is not None and here.rank > 0 and code == 2:
        return code  # The first rank has the same command line.
    who = "" if here is None else f"rank {here.rank}: "
    # One line, also where the message of a library has several, and one that can be read.
    line = printable(" ".join(message.split()))
    if len(line) > 1500:  # A file may hold names of any length; what to do comes last.
        line = f"{line[:1000]} ... {line[-400:]}"
    print(f"error: {who}{line}", file=sys.stderr)
    return code

"""Runs commands on damaged files, each in a process of its own, and judges what came of it.

A case is a folder: `place/` is where the command runs and may write, `outside/` is what it must not
touch. The processes are forks of this one, which has loaded everything: a crash, a hang or a
mountain of memory ends the fork and is counted. Cases are drawn from a seed and their number, so
that one can be played again alone: `--only 1234`.
"""

import argparse
import faulthandler
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import lapis.cli

CPU_SECONDS = 40
LONG_CPU_SECONDS = 4
"""Where what was changed may rightly make a command work for hours."""
IDLE_SECONDS = 5
"""Most seconds without any computing: who waits for something waits for ever."""
MEMORY_BYTES = 6 * 2**30
"""Of addresses, of which PyTorch takes many that it never uses."""
LONG_WORK = (
    "_ticks",
    "_steps",
    "_updates",
    "_attempts",
    "_count",
    "updates",
    "batch",
    "threads",
    "reuse",
)
"""Ends of the names of settings that say how much is done."""
CRASHED = 70
"""Exit status of a fork in which an exception was not caught."""


class Outcome(NamedTuple):
    """What became of a command."""

    status: int | None
    """Exit status, negative for a signal; None where it waited for ever and was killed."""
    output: str
    errors: str


class Case(NamedTuple):
    """A damaged place, what was done to it, and the commands to run there."""

    damage: list[str]
    commands: list[list[str]]
    is_long: bool = False
    """Whether what was changed may rightly make a command work for hours."""


Prepare = Callable[[random.Random, Path], Case]


def main(prepare: Prepare, preload: Callable[[], None], default_cases: int) -> None:
    """Draws cases, runs their commands and prints the counts; exit status 1 if any went wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=default_cases)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, nargs="+", help="numbers of cases; tells all of them")
    options = parser.parse_args()
    preload()
    counts: Counter[str] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="lapis-fuzz-") as folder:
        for number in options.only or range(options.first, options.first + options.cases):
            rng = random.Random(f"{options.seed} {number}")
            root = Path(folder, str(number))
            case = prepare(rng, root)
            for command in case.commands:
                before = snapshot(root)
                seconds = LONG_CPU_SECONDS if case.is_long else CPU_SECONDS
                outcome = run(command, root / "place", Path(folder), seconds)
                complaint, kind = judge(command, case, outcome, before, snapshot(root))
                counts[kind] += 1
                if complaint or options.only:
                    wrong += bool(complaint)
                    print(f"case {number}: {' '.join(command)}\n  damage: {case.damage}")
                    print(f"  {kind}: {complaint}\n  {outcome.errors[-3000:]}", flush=True)
            _make_writable(root)
            shutil.rmtree(root)
            counts["cases"] += 1
    print(json.dumps(counts), flush=True)
    sys.exit(wrong > 0)


def is_long(damage: list[str]) -> bool:
    """Whether a setting was changed that says how much is done."""
    names = [words.partition(" = ")[0] for words in damage if " = " in words]
    return any(name.endswith(LONG_WORK) for name in names)


def run(command: Sequence[str], place: Path, logs: Path, seconds: int) -> Outcome:
    """Runs `lapis COMMAND` in a fork, in the folder `place`, for at most so many CPU seconds."""
    files = [logs / "stdout", logs / "stderr"]
    sys.stdout.flush()
    process = os.fork()
    if not process:
        _be_the_command(command, place, files, seconds)
    status = _waited_for(process)
    return Outcome(status, *(file.read_text(errors="surrogateescape") for file in files))


def _waited_for(process: int) -> int | None:
    """The exit status, or None where the process did nothing any more and was killed."""
    spent, since = -1, time.monotonic()
    while True:
        done, code = os.waitpid(process, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(code)
        now = _ticks_of_computing(process)
        if now is None or now != spent:
            spent, since = now, time.monotonic()
        elif time.monotonic() - since > IDLE_SECONDS:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return None
        time.sleep(0.01)


def _ticks_of_computing(process: int) -> int | None:
    """Clock ticks that a process has computed; None where it waits for a processor or the disk.

    A busy machine is none of its faults.
    """
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return None if fields[0] in "RD" else int(fields[11]) + int(fields[12])


def _be_the_command(command: Sequence[str], place: Path, files: list[Path], seconds: int) -> None:
    status = CRASHED
    try:
        for number, file in enumerate(files, start=1):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        faulthandler.enable()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.chdir(place)
        status = lapis.cli.main(list(command))
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else CRASHED
    finally:
        if status == CRASHED:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def judge(
    command: Sequence[str], case: Case, outcome: Outcome, before: dict, after: dict
) -> tuple[str, str]:
    """What is wrong, or nothing, and how the command ended."""
    changed = sorted(name for name in before | after if before.get(name) != after.get(name))
    told = outcome.errors.splitlines()
    if outcome.status is None or outcome.status == -signal.SIGXCPU:
        kind = "long work" if case.is_long else "hung"
        return ("" if case.is_long else f"over its time; status {outcome.status}"), kind
    if outcome.status < 0 or outcome.status not in (0, 1, 2):
        return f"exit status {outcome.status}", "crashed"
    if "Traceback" in outcome.errors:
        return "a traceback", "crashed"
    for name, text in (("output", outcome.output), ("errors", outcome.errors)):
        if controls := {char for char in text if ord(char) < 32 or ord(char) in range(127, 160)} - {
            "\n"
        }:
            return f"control characters in the {name}: {controls}", "escaped"
    if outcome.status == 0:
        return _written_elsewhere(command, changed), "succeeded"
    if [line for line in told if not line.startswith("warning: ")] != told[-1:]:
        return "more than one line", "refused"
    if not told or not told[-1].startswith("error: ") or len(told[-1]) > 2000:
        return "no line that tells the error, or an endless one", "refused"
    if "Nothing of this update was saved" in told[-1]:  # It learned on; the numbers led nowhere.
        return _written_elsewhere(command, changed), "failed in training"
    return f"refused, but changed {changed}" if changed else "", "refused"


def _written_elsewhere(command: Sequence[str], changed: list[str]) -> str:
    """Readers write what they were asked for; `resume` writes into the run."""
    allowed = ("place/run/",) if command[0] == "resume" else ("place/out",)
    wrong = [name for name in changed if not name.startswith(allowed)]
    return f"wrote {wrong}" if wrong else ""


def snapshot(root: Path) -> dict[str, object]:
    """Every name below `root`, and what is there."""
    found: dict[str, object] = {}
    for parent, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = Path(parent, name)
            place = str(path.relative_to(root))
            if name == ".lock":
                continue  # Empty, and part of every run that was ever written.
            if path.is_symlink():
                found[place] = os.readlink(path)
            elif path.is_dir():
                found[place] = "folder"
            else:
                found[place] = path.read_bytes() if path.is_file() else "special"
    return found


def _make_writable(root: Path) -> None:
    for parent, folders, _ in os.walk(root):
        for name in folders:
            path = Path(parent, name)
            if not path.is_symlink():
                path.chmod(0o755)

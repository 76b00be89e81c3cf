"""Kills a small run again and again, at random times, and resumes it each time.

    python -m tests.running.kill_many --kills 200

After every SIGKILL the newest checkpoint must be whole and must not be older than the one before,
and the logs must hold each update and each evaluation once. In the end the run must equal, bit for
bit, one that was never killed. A checkpoint is made after every update, so that many kills fall
into its writing.

The processes that are killed are forks of this one, which has PyTorch loaded already: a kill costs
a fraction of a second instead of the seconds of an import.
"""

import argparse
import contextlib
import importlib
import io
import json
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

import lapis.cli
from lapis.running import checkpoint
from lapis.running.run import RunOptions, resume, start
from tests.running.fake_trainer import FakeTrainer, fake_config

OPTIONS = RunOptions(checkpoint_updates=1, quiet=True)
LOGS = ("metrics.jsonl", "evaluation.jsonl")
TIMES = ("seconds", "frames_per_second")
"""Metrics that depend on the machine's mood."""
SETTLED_SHARE = 0.75
"""Share of the kills that come after a new checkpoint; the others may come during the start."""
LOADED_ONCE = (
    "lapis.cli.train",
    "lapis.cli.resume",
    "lapis.train.loop",
    "lapis.worlds.techtree.world",
    "lapis.worlds.voxel.world",
    "torch._dynamo",  # Adam loads it.
)
"""What a run of a recipe imports, most of its start; loaded before the forks."""
ENDLESS = 10**6
"""Updates that no run reaches before it is killed."""


class SlowTrainer(FakeTrainer):
    seconds_per_update = 0.002


class FakeRun:
    """The fake trainer under the real machinery."""

    def start(self, path, updates):
        return start(
            path,
            config=fake_config(updates=updates, evaluation_updates=3),
            make_trainer=SlowTrainer,
            recipe="fake",
            command=["fake"],
            options=OPTIONS,
        )

    def resume(self, path, updates):
        return resume(
            path,
            make_trainer=SlowTrainer,
            command=["fake"],
            updates=updates,
            from_start=True,
            options=OPTIONS,
        )


class RecipeRun:
    """The real trainer, through the command line's own entry."""

    flags = ("--quiet", "--checkpoint-updates", "1")

    def __init__(self, recipe, arguments):
        self.recipe = recipe
        self.arguments = arguments

    def start(self, path, updates):
        place = ["--run", str(path), "--updates", str(updates)]
        return lapis.cli.main(["train", self.recipe, *place, *self.flags, *self.arguments])

    def resume(self, path, updates):
        # A kill may come between the first line of the log and the first checkpoint.
        place = [str(path), "--updates", str(updates), "--from-start"]
        return lapis.cli.main(["resume", *place, *self.flags])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the times of the kills")
    parser.add_argument("--longest", type=float, default=0.5, help="most seconds of waiting")
    parser.add_argument("--recipe", help="a recipe for the real trainer; without it a fake one")
    parser.add_argument("rest", nargs="*", help="after --: overrides of the recipe")
    options = parser.parse_args()
    if options.recipe:
        for name in LOADED_ONCE:
            importlib.import_module(name)
    run = RecipeRun(options.recipe, options.rest) if options.recipe else FakeRun()
    with tempfile.TemporaryDirectory(prefix="kill-many-") as folder:
        killed, whole = Path(folder, "killed"), Path(folder, "whole")
        print(kill_many(run, killed, options.kills, options.longest, options.seed), flush=True)
        print(compare_with_unbroken(run, killed, whole))


def kill_many(run, path, kills, longest, seed):
    """Starts and kills; returns a line on what happened. Raises at the first thing amiss."""
    rng = random.Random(seed)
    places = Counter()
    update = 0
    for kill in range(kills):
        leftovers = _leftovers(path)
        process = _fork(run.resume if path.exists() else run.start, path, ENDLESS)
        if rng.random() < SETTLED_SHARE:
            _wait_for_checkpoint(path, process, update)
        time.sleep(rng.uniform(0, longest))
        os.kill(process, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        assert code == -signal.SIGKILL, f"kill {kill}: the run ended by itself with code {code}"
        places[_place(path, leftovers)] += 1
        if path.exists():
            update = _check(path, update)
    assert update >= kills // 2, f"only update {update} was reached: nothing was tested"
    counts = ", ".join(f"{count} {place}" for place, count in sorted(places.items()))
    return f"{kills} kills ({counts}); reached update {update}"


def compare_with_unbroken(run, killed, whole):
    """The killed run, brought to an end, equals one that was never killed."""
    updates = _newest(killed) + 5
    for action, path in ((run.resume, killed), (run.start, whole)):
        code = os.waitstatus_to_exitcode(os.waitpid(_fork(action, path, updates), 0)[1])
        assert code == 0, f"{path} ended with code {code}"
    for name in LOGS:
        assert _rows(killed, name) == _rows(whole, name), f"the files {name} differ"
    last = f"checkpoints/update-{updates:09d}/tensors.safetensors"
    assert (killed / last).read_bytes() == (whole / last).read_bytes(), "the tensors differ"
    return f"all {updates} updates and the last checkpoint equal those of an unbroken run"


def _fork(action, path, updates):
    """A process that does `action`; its id."""
    sys.stdout.flush()
    process = os.fork()
    if process:
        return process
    code = 70  # What remains if the action raises; the traceback is printed below.
    try:
        code = action(path, updates)
    finally:
        if code == 70:
            traceback.print_exc()
        os._exit(code)


def _wait_for_checkpoint(path, process, update):
    """Returns when the run has saved an update after `update`."""
    while not path.exists() or _newest(path) <= update:
        assert os.waitpid(process, os.WNOHANG) == (0, 0), "the run ended by itself"
        time.sleep(0.005)


def _check(path, update_before):
    """The newest checkpoint is whole and no older than before, the log whole; its update."""
    with contextlib.redirect_stderr(io.StringIO()) as warnings:
        checkpoint.latest(path / "checkpoints")
    assert not warnings.getvalue(), warnings.getvalue()
    update = _newest(path)
    assert update >= update_before, f"went back from update {update_before} to {update}"
    updates = [row["update"] for row in _rows(path)]
    assert updates == list(range(1, len(updates) + 1)), "the log has holes or repeats"
    assert len(updates) >= update, "the log ends before the checkpoint"
    every = json.loads((path / "config.json").read_text())["evaluation_updates"]
    evaluated = [row["update"] for row in _rows(path, "evaluation.jsonl")]
    due = range(every, len(updates) + 1, every) if every else range(0)
    assert evaluated == list(due)[: len(evaluated)], "the evaluations have holes or repeats"
    assert not every or len(evaluated) >= update // every, "evaluations are missing"
    return update


def _newest(path):
    """The update of the newest checkpoint, 0 where there is none."""
    names = [name for name in os.listdir(path / "checkpoints") if name.startswith("update-")]
    return max((int(name.removeprefix("update-")) for name in names), default=0)


def _leftovers(path):
    """Temporary names among the checkpoints."""
    if not path.exists():
        return set()
    return {name for name in os.listdir(path / "checkpoints") if name.startswith(".")}


def _place(path, leftovers_before):
    """What the kill interrupted, as far as it can be seen."""
    if not path.exists():
        return "before the folder was there"
    new = _leftovers(path) - leftovers_before
    if any(name.startswith(".writing-") for name in new):
        return "while saving"
    return "while removing" if new else "elsewhere"


def _rows(path, name="metrics.jsonl"):
    """A log without what depends on the machine's mood."""
    lines = (path / name).read_text().splitlines(keepends=True)
    rows = [json.loads(line) for line in lines if line.endswith("\n")]
    return [{name: row[name] for name in row if name not in TIMES} for row in rows]


if __name__ == "__main__":
    main()

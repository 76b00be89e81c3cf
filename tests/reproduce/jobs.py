"""Jobs whose processes do next to nothing."""

import dataclasses
import sys

from lapis.reproduce.plan import PlannedRun
from lapis.reproduce.schedule import Job
from lapis.reproduce.watch import RunWatch
from tests.reproduce.driver import FRAMES_PER_UPDATE, tiny


def planned(name, seed=0, updates=10):
    return PlannedRun(name=name, config=dataclasses.replace(tiny(), seed=seed, updates=updates))


def make(folder, name, seed=0, *, code="", updates=10, clock=lambda: 0.0):
    """A job that runs Python's `code`."""
    run = planned(name, seed, updates)
    path = run.path(folder)
    return Job(
        run=run,
        path=path,
        command=[sys.executable, "-I", "-S", "-c", code],
        task={"name": name},
        watch=RunWatch(path, clock),
    )


def write_rows(path, *rows):
    """A run folder's log with (update, discovered) per row."""
    path.mkdir(parents=True, exist_ok=True)
    with (path / "metrics.jsonl").open("a") as file:
        for update, discovered in rows:
            frames = update * FRAMES_PER_UPDATE
            file.write(f'{{"update":{update},"frames":{frames},"discovered":{discovered}}}\n')

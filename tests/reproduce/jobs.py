"""Jobs whose processes do next to nothing."""

import dataclasses
import sys

from lapis.reproduce.jobs import Job
from tests.reproduce.driver import FRAMES_PER_UPDATE, tiny


def config(seed=0, updates=10, **settings):
    return dataclasses.replace(tiny(), seed=seed, updates=updates, **settings)


def make(folder, name, seed=0, *, code="", updates=10):
    """A job that runs Python's `code`."""
    return Job(
        config=config(seed, updates),
        path=folder / name / f"seed-{seed}",
        command=[sys.executable, "-I", "-S", "-c", code],
        task={"name": name},
    )


def write_rows(path, *rows):
    """A run folder's log with (update, discovered) per row."""
    path.mkdir(parents=True, exist_ok=True)
    with (path / "metrics.jsonl").open("a") as file:
        for update, discovered in rows:
            frames = update * FRAMES_PER_UPDATE
            file.write(f'{{"update":{update},"frames":{frames},"discovered":{discovered}}}\n')

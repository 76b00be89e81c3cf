"""One recipe under many settings: which settings, and which runs to stop early."""

from __future__ import annotations

import itertools
import math
import re
import statistics
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from lapis.reproduce.jobs import Job
from lapis.runs.metrics import read_columns

__all__ = ["BelowMedian", "Choice", "choices", "folder_name"]

RUNGS = (0.25, 0.5, 0.75)
"""Shares of a run after which it is compared with the others."""
TRIES = 100
"""Draws per sample, of which some may have been drawn before."""
LEAST_OTHERS = 3
"""Runs that must have come as far before one is dropped."""

Choice = dict[str, str]
"""Values of settings, as they are written on the command line."""


def choices(varied: Mapping[str, str], *, samples: int | None, seed: int = 0) -> list[Choice]:
    """The settings to try.

    Args:
        varied: By the name of each setting its values with commas between them, or LOW..HIGH for
            any number between two positive ones, all orders of magnitude alike; whole numbers if
            both are written as such.
        samples: How many to draw by chance; None for all combinations.
        seed: Decides what is drawn.

    Raises:
        ValueError: A range has no two positive ends or comes without `samples`, or there are fewer
            combinations than `samples`.
    """
    ranges = {name: _range(name, text) for name, text in varied.items() if ".." in text}
    listed = {name: text.split(",") for name, text in varied.items() if name not in ranges}
    grid = [
        dict(zip(listed, values, strict=True)) for values in itertools.product(*listed.values())
    ]
    if samples is None:
        if ranges:
            raise ValueError(f"{next(iter(ranges))} is a range; say how many --samples to draw")
        return grid
    rng = np.random.default_rng(seed)
    drawn: list[Choice] = []
    for _ in range(TRIES * samples):
        values = grid[rng.integers(len(grid))] | {
            name: _between(*ends, rng) for name, ends in ranges.items()
        }
        choice = {name: values[name] for name in varied}
        if choice not in drawn:
            drawn.append(choice)
        if len(drawn) == samples:
            return drawn
    raise ValueError(f"samples is {samples}, but only {len(drawn)} combinations were found")


def _between(low: str, high: str, rng: np.random.Generator) -> str:
    least, most = float(low), float(high)
    number = math.exp(rng.uniform(math.log(least), math.log(most)))
    if low.isdigit() and high.isdigit():
        return str(round(number))
    number = min(max(number, least), most)
    # Three digits, or as many as it takes to stay within the range.
    texts = (f"{number:.{digits}g}" for digits in range(3, 18))
    return next(text for text in texts if least <= float(text) <= most)


def _range(name: str, text: str) -> tuple[str, str]:
    low, _, high = text.partition("..")
    try:
        is_range = 0.0 < float(low) < float(high) < math.inf
    except ValueError:
        is_range = False
    if not is_range:
        raise ValueError(f"{name} is {text!r}; a range is LOW..HIGH with 0 < LOW < HIGH")
    return low, high


def folder_name(choice: Choice) -> str:
    """The settings and their values, without what a folder cannot have in its name."""
    text = ",".join(f"{name}={value}" for name, value in choice.items())
    return re.sub(r"[^A-Za-z0-9=.,:+_-]", "_", text)


class BelowMedian:
    """Whether a run has found fewer goals than the median of the others at the same point.

    It is asked at a quarter, half and three quarters of a run, and only where at least three others
    have come as far. A run that is slow to start may be dropped wrongly, and which ones are may
    depend on which run first: results that are compared should come from whole runs.
    """

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._jobs = jobs
        self._known: dict[tuple[Job, int], int] = {}

    def __call__(self, job: Job) -> bool:
        """For a job of these, after its logs have been read."""
        return any(self._is_below(job, update) for update in _rungs(job) if job.update >= update)

    def _is_below(self, job: Job, update: int) -> bool:
        others = [each for each in self._jobs if each is not job and each.update >= update]
        if len(others) < LEAST_OTHERS:
            return False
        median = statistics.median(self._discovered(each, update) for each in others)
        return self._discovered(job, update) < median

    def _discovered(self, job: Job, update: int) -> int:
        key = (job, update)
        if key not in self._known:
            columns = read_columns(job.path / "metrics.jsonl")
            row = int(np.searchsorted(columns["update"], update))
            self._known[key] = int(columns["discovered"][row])
        return self._known[key]


def _rungs(job: Job) -> Iterator[int]:
    for share in RUNGS:
        yield max(1, round(share * job.config.updates))

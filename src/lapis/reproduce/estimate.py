"""How long and how large: arithmetic on plans."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

from lapis.reproduce.plan import PlannedRun, Speed
from lapis.running.options import RunOptions

__all__ = ["disk_bytes", "run_seconds", "seconds_for"]

BYTES_PER_UPDATE = 3000
"""Lines of metrics.jsonl and TensorBoard's events of one update with 113 goals, measured."""


def seconds_for(seconds: Sequence[float], *, jobs: int) -> float:
    """Time until all runs are finished when each free job takes the next run.

    Args:
        seconds: Time that each run still takes, in the order of starting.
        jobs: Runs that go on at a time.
    """
    ends = [0.0] * jobs
    for each in seconds:
        heapq.heapreplace(ends, ends[0] + each)
    return max(ends)


def run_seconds(run: PlannedRun, speed: Speed) -> float:
    """Time of a whole run: training, and the evaluations in between and at the end."""
    evaluations = math.ceil(run.config.updates / run.config.evaluation_updates)
    return run.frames / speed.frames_per_second + evaluations * speed.evaluation_seconds


def disk_bytes(runs: Sequence[PlannedRun], speed: Speed, options: RunOptions) -> int:
    """Room that the runs will need in the end; one checkpoint more exists while it is written."""
    checkpoints = (options.checkpoint_count + 1) * speed.checkpoint_bytes
    return sum(checkpoints + run.config.updates * BYTES_PER_UPDATE for run in runs)

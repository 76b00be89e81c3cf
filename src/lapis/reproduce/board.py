"""What the reproduction view shows, computed from the jobs alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from lapis.reproduce.estimate import seconds_for
from lapis.reproduce.schedule import Job, State

__all__ = ["Board", "mean"]


class Board:
    """Answers what a view asks.

    Args:
        jobs: All of them, in the order in which they start.
        job_count: How many run at a time.
        frames_per_second: Expected speed of one job, until there is a measured one.
        clock: Seconds, from any start.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        *,
        job_count: int,
        frames_per_second: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.jobs = list(jobs)
        self.names = list(dict.fromkeys(job.run.name for job in jobs))
        self.seeds = sorted({job.run.seed for job in jobs})
        self._job_count = job_count
        self._expected = frames_per_second
        self._clock = clock
        self._start = clock()

    def poll(self) -> None:
        """Looks at the logs of what is running."""
        for job in self.in_state(State.RUNNING):
            job.watch.poll()

    def in_state(self, *states: State) -> list[Job]:
        """The jobs in one of these states."""
        return [job for job in self.jobs if job.state in states]

    def row(self, name: str) -> dict[int, Job]:
        """The jobs of a treatment by seed."""
        return {job.run.seed: job for job in self.jobs if job.run.name == name}

    @property
    def elapsed(self) -> float:
        """Seconds since the start of this session."""
        return self._clock() - self._start

    @property
    def share(self) -> float:
        """Share of all policy steps that are trained."""
        return sum(self._frames(job) for job in self.jobs) / sum(
            job.run.frames for job in self.jobs
        )

    @property
    def frames_per_second(self) -> float | None:
        """Mean speed of one job in this session; before that what was expected, or None."""
        seconds = sum(job.watch.trained_seconds for job in self.jobs)
        if not seconds:
            return self._expected
        return sum(job.watch.trained_frames for job in self.jobs) / seconds

    @property
    def seconds_left(self) -> float | None:
        """Time until the last run is finished; None before there is a speed."""
        speed = self.frames_per_second
        if not speed:
            return None
        left = [*self.in_state(State.RUNNING), *self.in_state(State.WAITING)]
        seconds = [(job.run.frames - self._frames(job)) / speed for job in left]
        return seconds_for(seconds, jobs=self._job_count)

    @staticmethod
    def _frames(job: Job) -> int:
        return min(job.watch.frames, job.run.frames)


def mean(values: Sequence[int | None]) -> float | None:
    """The mean of the values that are not None; None if there are none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None

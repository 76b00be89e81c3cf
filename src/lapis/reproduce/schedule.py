"""Runs as processes side by side: started in order, saved on a stop, never left orphaned."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from lapis.reproduce.plan import PlannedRun
from lapis.reproduce.watch import RunWatch
from lapis.runs import RunError, RunFolder
from lapis.runs.durable import explain_full_disk, sync_directory, write_durably
from lapis.train.config import TrainConfig, from_dict

__all__ = ["Job", "State", "make_job", "reportable", "run_jobs"]

POLL_SECONDS = 0.1


class State(Enum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(kw_only=True)
class Job:
    """One run and its process."""

    run: PlannedRun
    path: Path
    """The run folder."""
    command: Sequence[str]
    """What to start."""
    task: Mapping[str, Any]
    """What it gets as the first line of its standard input."""
    watch: RunWatch
    state: State = State.WAITING
    exit_code: int | None = None
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def log(self) -> Path:
        """Where the output of its processes goes."""
        return self.path.with_name(self.path.name + ".log")

    @property
    def marker(self) -> Path:
        """An empty file that is there when the run is finished."""
        return self.path.with_name(self.path.name + ".done")

    @property
    def title(self) -> str:
        """Its name for people."""
        return f"{self.run.name} seed {self.run.seed}"


def make_job(
    run: PlannedRun,
    folder: Path,
    *,
    task: Mapping[str, Any],
    clock: Callable[[], float] = time.monotonic,
) -> Job:
    """The job of a planned run, done already if an earlier reproduction has finished it.

    Raises:
        RunError: There is a run of that name with another configuration.
    """
    path = run.path(folder)
    job = Job(
        run=run,
        path=path,
        command=[sys.executable, "-m", "lapis.reproduce.child", str(path)],
        task=task,
        watch=RunWatch(path, clock),
    )
    if path.exists():
        if from_dict(TrainConfig, RunFolder.open(path).read_config()) != run.config:
            raise RunError(
                f"{path} was made with other settings than {folder / 'plan.json'} has; "
                "move it away, or start in another folder with --folder"
            )
        if job.marker.exists():
            job.state = State.DONE
        job.watch.poll()
    return job


def run_jobs(
    jobs: Sequence[Job],
    environments: Sequence[Mapping[str, str]],
    *,
    inherited: int,
    is_stopped: Callable[[], bool],
    look: Callable[[], None],
    say: Callable[[str], None],
) -> None:
    """Every waiting job has run, or was stopped.

    Args:
        jobs: In the order in which they start.
        environments: One per process that may run at a time: what it adds to the environment.
        inherited: Descriptor that every process keeps open.
        is_stopped: Whether the user wants to stop; then processes get SIGTERM, save and end.
        look: Called several times a second.
        say: Gets a sentence when a job starts or ends.
    """
    slots: list[Job | None] = [None] * len(environments)
    is_told = False
    try:
        while True:
            for index, job in enumerate(slots):
                if job is not None and _is_over(job, stopping=is_told):
                    say(_ending(job))
                    slots[index] = None
            stopping = is_stopped()
            if stopping and not is_told:
                is_told = True
                _signal(slots, signal.SIGTERM)
            waiting = iter([] if stopping else [j for j in jobs if j.state is State.WAITING])
            for index, job in enumerate(slots):
                if job is None and (fresh := next(waiting, None)) is not None:
                    _launch(fresh, environments[index], inherited)
                    slots[index] = fresh
                    say(f"{fresh.title}: started, log in {fresh.log}")
            look()
            if not any(slots):
                return
            time.sleep(POLL_SECONDS)
    finally:  # Only after an error, or when the user does not want to wait.
        _signal(slots, signal.SIGKILL)
        for job in slots:
            if job is not None and job.process is not None:
                job.process.wait()
                job.state = State.STOPPED


def reportable(jobs: Sequence[Job]) -> list[Job]:
    """The jobs to report: those that are done, or else all that have trained at all.

    Runs are compared at the number of frames that all of them have reached, so one that has just
    begun would hide what the finished ones found.
    """
    done = [job for job in jobs if job.state is State.DONE]
    return done or [job for job in jobs if job.watch.update > 0]


def _launch(job: Job, environment: Mapping[str, str], inherited: int) -> None:
    job.path.parent.mkdir(parents=True, exist_ok=True)
    job.watch.begin()
    with job.log.open("ab") as log:
        job.process = subprocess.Popen(
            job.command,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
            pass_fds=(inherited,),
            # Ctrl-C in a terminal goes to its whole group; children are told by their parent.
            start_new_session=True,
        )
    assert job.process.stdin is not None
    job.state = State.RUNNING
    with contextlib.suppress(BrokenPipeError):  # It is gone already; its exit code says why.
        job.process.stdin.write(json.dumps(job.task).encode() + b"\n")
        job.process.stdin.flush()


def _is_over(job: Job, *, stopping: bool) -> bool:
    """Whether its process has ended; then its state says how."""
    assert job.process is not None
    code = job.process.poll()
    if code is None:
        return False
    assert job.process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        job.process.stdin.close()
    job.watch.poll()
    job.exit_code = code
    if code == 0:
        with explain_full_disk("a file", job.marker.parent):
            write_durably(job.marker, b"")
        sync_directory(job.marker.parent)
        job.state = State.DONE
    elif stopping and code in (-signal.SIGTERM, 128 + signal.SIGTERM):
        job.state = State.STOPPED
    else:
        job.state = State.FAILED
    return True


def _ending(job: Job) -> str:
    if job.state is State.FAILED:
        assert job.exit_code is not None
        how = (
            f"killed by {signal.Signals(-job.exit_code).name}"
            if job.exit_code < 0
            else f"exit code {job.exit_code}"
        )
        return f"{job.title}: failed ({how}), see {job.log}"
    return f"{job.title}: {job.state.value} after update {job.watch.update}"


def _signal(slots: Sequence[Job | None], number: signal.Signals) -> None:
    for job in slots:
        if job is not None and job.process is not None and job.process.poll() is None:
            job.process.send_signal(number)

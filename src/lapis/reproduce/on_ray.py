"""Runs as tasks of Ray, on this machine or on a cluster.

Ray starts each run where its cores, or its part of a GPU, are free, and starts it again elsewhere
if its process or its machine dies; it then goes on from its last checkpoint. All machines must see
the folder of the runs under the same path, and have Lapis installed.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lapis.clusters import join_cluster
from lapis.reproduce.children import GRACE_SECONDS
from lapis.reproduce.jobs import POLL_SECONDS, Job, State, end_job
from lapis.reproduce.machine import processes_per_gpu
from lapis.runs import RunError

__all__ = ["connect", "resources_of", "run_on_ray"]

RESTARTS = 100
"""How often Ray may start a run again whose process was killed."""


@contextlib.contextmanager
def connect(address: str) -> Iterator[Any]:
    """The package `ray`, connected as `join_cluster` does for as long as it is needed.

    Raises:
        RunError: There is no cluster at the address.
    """
    try:
        ray = join_cluster(address, "`--on ray`")
    except ConnectionError as error:
        raise RunError(str(error)) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def resources_of(job: Job) -> dict[str, float]:
    """What a run asks Ray for: a core per thread and, with CUDA, its part of a GPU."""
    cores = {"num_cpus": float(job.config.threads)}
    if job.config.device == "cpu":
        return cores
    return {**cores, "num_gpus": 1 / processes_per_gpu(job.config)}


def run_on_ray(
    jobs: Sequence[Job],
    *,
    address: str,
    job_count: int | None,
    is_stopped: Callable[[], bool],
    look: Callable[[], None],
    say: Callable[[str], None],
    is_dropped: Callable[[Job], bool] = lambda job: False,
) -> None:
    """Runs every waiting job until done or stopped; the arguments are those of `run_jobs`.

    `address` is that of a cluster, as for `connect`. `job_count` is how many runs Ray gets at a
    time; by default all of them, so that a cluster can grow.
    """
    waiting = [job for job in jobs if job.state is State.WAITING]
    given: dict[Any, Job] = {}
    sizes: dict[Job, int] = {}
    asked: set[Job] = set()
    is_stopping = False
    with connect(address) as ray:
        task = ray.remote(max_retries=RESTARTS)(_train)
        try:
            while True:
                if given:
                    for done in ray.wait(list(given), timeout=POLL_SECONDS)[0]:
                        job = given.pop(done)
                        job.read_logs()
                        say(end_job(job, _code(ray, done, job), was_asked=job in asked))
                for ref, job in given.items():
                    job.read_logs()
                    if job.state is State.WAITING and _size(job.log) > sizes[job]:
                        job.state = State.RUNNING
                        say(f"{job.title}: started, log in {job.log}")
                    if job not in asked and (is_stopping or is_dropped(job)):
                        asked.add(job)
                        ray.cancel(ref)  # As Ctrl-C would: it finishes its update and saves.
                if is_stopped() and not is_stopping:
                    is_stopping = True
                    waiting.clear()
                    say("stopping: every run finishes its update and saves; Ctrl-C ends at once")
                while waiting and (job_count is None or len(given) < job_count):
                    job = waiting.pop(0)
                    if is_dropped(job):
                        job.state = State.STOPPED
                        continue
                    job.path.parent.mkdir(parents=True, exist_ok=True)
                    sizes[job] = _size(job.log)
                    path, log = job.path.resolve(), job.log.resolve()
                    ref = task.options(**resources_of(job)).remote(path, dict(job.task), log)
                    given[ref] = job
                look()
                if not given:
                    return
        finally:  # Only after an error, or when the user does not want to wait.
            for ref, job in given.items():
                ray.cancel(ref, force=True)
                job.state = State.STOPPED


def _train(path: Path, task: dict[str, Any], log: Path) -> int:
    """In a process of Ray's: starts or continues the run, its output in the log; the exit code."""
    import filelock  # Imported here, and only where runs are written.

    from lapis.reproduce.child import train

    with log.open("ab") as file, _output_in(file.fileno()):
        if path.exists():
            # Of a process that was asked to end and is about to save.
            filelock.FileLock(path / ".lock").acquire(timeout=GRACE_SECONDS).lock.release()
        print(f"process {os.getpid()} of {os.uname().nodename}", flush=True)
        return train(path, task)


@contextlib.contextmanager
def _output_in(descriptor: int) -> Iterator[None]:
    """What is printed goes to this file; Ray's processes work for several tasks."""
    kept = [os.dup(number) for number in (1, 2)]
    try:
        for number in (1, 2):
            os.dup2(descriptor, number)
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        for number, old in zip((1, 2), kept, strict=True):
            os.dup2(old, number)
            os.close(old)


def _code(ray: Any, ref: Any, job: Job) -> int:
    """The exit code of a task that has ended; an error of Ray's counts as one and is logged."""
    try:
        return ray.get(ref)
    except ray.exceptions.TaskCancelledError:
        return 130
    except ray.exceptions.RayError as error:
        with job.log.open("a") as log:
            log.write(f"{error}\n")
        return 1


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0

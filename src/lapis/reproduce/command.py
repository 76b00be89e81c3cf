"""A whole reproduction: plan, run, report."""

from __future__ import annotations

import dataclasses
import functools
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from lapis.reproduce.budget import Budget, agree_on_budget, load_budget, save_budget
from lapis.reproduce.display import Display
from lapis.reproduce.jobs import Job, State, make_job, reportable, require_same_settings, run_jobs
from lapis.reproduce.lock import hold_folder
from lapis.reproduce.machine import (
    disk_bytes,
    job_environments,
    measure_speed,
    run_seconds,
    seconds_for,
)
from lapis.reproduce.request import Request
from lapis.running.signals import StopRequest
from lapis.terminal.progress import duration

__all__ = ["dry_run", "reproduce", "run_and_report", "scheduler"]


def dry_run(request: Request) -> int:
    """Prints what would be run and how long it would take; nothing is created."""
    budget, jobs, environments = _plan(request, command=())
    if request.on != "here":
        _tell_plan(request, jobs, len(environments))
        print("nothing was created")
        return 0
    speed = budget.speed
    if speed is None or speed.jobs != len(environments):
        speed = measure_speed(jobs[0].config, jobs=request.jobs)
    _tell_plan(request, jobs, len(environments))
    left = [job for job in jobs if job.state is not State.DONE]
    seconds = seconds_for(
        [
            run_seconds(job.config, speed) * max(0.0, 1 - job.frames / job.frame_total)
            for job in left
        ],
        jobs=len(environments),
    )
    room = disk_bytes([job.config for job in left], speed, request.options())
    print(
        f"speed    {speed.frames_per_second:,.0f} frames/s per job, "
        f"{speed.evaluation_seconds:.1f} s per evaluation\n"
        f"time     about {duration(seconds)}\n"
        f"disk     about {room / 1e6:,.0f} MB\n"
        "nothing was created"
    )
    return 0


def reproduce(request: Request, *, command: Sequence[str] = ("lapis", "reproduce")) -> int:
    """Runs what is asked for, or the rest of it, and reports; `command` is for the record.

    Returns:
        The exit code: 0 if all runs are finished, 1 if one failed, 128 and the signal's number
        after a signal.
    """
    folder = request.folder
    folder.mkdir(parents=True, exist_ok=True)
    with hold_folder(folder) as shared:
        budget, jobs, environments = _plan(request, command)
        save_budget(folder, budget)
        for draft in folder.glob("*/.seed-*.creating-*"):  # Of processes that were killed.
            shutil.rmtree(draft)
        _tell_plan(request, jobs, len(environments))
        run = scheduler(request.on, environments, shared, job_count=request.jobs)
        return run_and_report(jobs, folder, run, title=f"lapis reproduce  {folder}")


def run_and_report(
    jobs: Sequence[Job], folder: Path, run: Callable[..., None], *, title: str
) -> int:
    """All jobs have been run by a `scheduler`, and `folder` has the report; the exit code."""
    # The loop says what a signal does; nothing is printed in its handler.
    with StopRequest(lambda text: None) as stop:
        with Display(jobs, title) as display:
            is_stopped = lambda: stop.signal is not None  # noqa: E731
            run(jobs, is_stopped=is_stopped, look=display.look, say=display.say)
        _report(jobs, folder)
    return _end(jobs, stop)


def _plan(
    request: Request, command: Sequence[str]
) -> tuple[Budget, list[Job], list[dict[str, str]]]:
    """The budget, the jobs seed by seed, so that an early stop is balanced, and environments."""
    measure = functools.partial(measure_speed, jobs=request.jobs)
    budget = agree_on_budget(request, load_budget(request.folder), measure)
    configs = {name: budget.apply(config) for name, config in request.configs().items()}
    for name, config in configs.items():
        require_same_settings(request.folder / name, config)
    task = {"command": list(command), "options": dataclasses.asdict(request.options())}
    jobs = [
        make_job(
            request.folder / name / f"seed-{seed}",
            dataclasses.replace(config, seed=seed),
            {**task, "recipe": f"{request.recipe}-{name}".replace("_", "-")},
        )
        for seed in request.seed_range
        for name, config in configs.items()
    ]
    if request.on != "here":
        return budget, jobs, []  # Ray knows its machines.
    return budget, jobs, job_environments(jobs[0].config, jobs=request.jobs)


def scheduler(
    on: str, environments: Sequence[dict[str, str]], shared: int, *, job_count: int | None
) -> Callable[..., None]:
    """What runs the jobs: processes that inherit the lock `shared`, or tasks of Ray."""
    if on == "here":
        return functools.partial(run_jobs, environments=environments, inherited=shared)
    from lapis.reproduce.on_ray import run_on_ray

    return functools.partial(run_on_ray, address=on.partition(":")[2], job_count=job_count)


def _tell_plan(request: Request, jobs: Sequence[Job], job_count: int) -> None:
    config = jobs[0].config
    at_a_time = f"{job_count} at a time" if request.on == "here" else f"by {request.on},"
    print(
        f"folder   {request.folder}\n"
        f"runs     {len(jobs)}: {', '.join(request.configs())}; "
        f"seeds {', '.join(map(str, request.seed_range))}\n"
        f"budget   {jobs[0].frame_total:,} frames ({config.updates:,} updates) each\n"
        f"jobs     {at_a_time} on {config.device}, "
        f"PyTorch threads each: {config.threads}",
        flush=True,
    )


def _report(jobs: Sequence[Job], folder: Path) -> None:
    chosen = reportable(jobs)
    if not chosen:
        print("no run has finished an update; there is nothing to report yet")
        return
    # Imported here: until now nothing needs what draws figures.
    from lapis.reproduce.results import write_results

    page, table = write_results([job.path for job in chosen], folder)
    Console().print(table)
    if len(chosen) < len(jobs):
        what = "finished" if chosen[0].state is State.DONE else "begun"
        print(f"The report covers the {len(chosen)} {what} of {len(jobs)} runs.")
    print(f"The report is {page.resolve()}: open it in a browser.", flush=True)


def _end(jobs: Sequence[Job], stop: StopRequest) -> int:
    failed = [job for job in jobs if job.state is State.FAILED]
    for job in failed:
        print(f"{job.title} failed, see {job.log}")
    if failed:
        print("start again with the same arguments to retry them")
    if stop.signal is not None and any(job.state is not State.DONE for job in jobs):
        print(f"stopped by {stop.signal.name}; start again with the same arguments to continue")
        return stop.exit_code
    return 1 if failed else 0

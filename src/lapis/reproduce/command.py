"""A whole reproduction: plan, run, report."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console

from lapis.reproduce.board import Board
from lapis.reproduce.calibrate import measure_speed
from lapis.reproduce.estimate import disk_bytes, run_seconds, seconds_for
from lapis.reproduce.lock import hold_folder
from lapis.reproduce.machine import job_environments
from lapis.reproduce.plan import Plan, PlannedRun, Speed, load_plan, save_plan
from lapis.reproduce.request import DEFAULT_THREADS, Agreement, Request, agree
from lapis.reproduce.schedule import Job, State, make_job, reportable, run_jobs
from lapis.reproduce.view import open_view
from lapis.running.options import RunOptions
from lapis.running.signals import StopRequest
from lapis.runs.durable import explain_full_disk
from lapis.terminal.progress import duration
from lapis.train.config import TrainConfig, to_dict

__all__ = ["Session", "dry_run", "reproduce"]


@dataclass(frozen=True, kw_only=True)
class Session:
    """How one call runs things; nothing here changes what is learned."""

    folder: Path
    """The reproduction's folder."""
    jobs: int | None = None
    """Runs at a time; None for as many as the machine can take."""
    options: RunOptions = field(default_factory=RunOptions)
    """How each run is kept."""
    command: Sequence[str] = ("lapis", "reproduce")
    """The command line, for the record."""

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise ValueError(f"jobs is {self.jobs}; it must be at least 1")


def dry_run(request: Request, session: Session) -> int:
    """Prints what would be run and how long it would take; nothing is created."""
    recorded = load_plan(session.folder)
    environments = _environments(request, session, recorded)
    measure = _calibration(environments)
    agreement = agree(request, recorded, session.folder, measure)
    speed = agreement.plan.speed
    if speed is None or speed.jobs != len(environments):
        speed = measure(agreement.runs[0].config)
    jobs = _make_jobs(agreement.runs, session)
    _tell_plan(agreement, session, len(environments))
    left = [job for job in jobs if job.state is not State.DONE]
    seconds = seconds_for(
        [
            run_seconds(job.run, speed) * max(0.0, 1 - job.watch.frames / job.run.frames)
            for job in left
        ],
        jobs=len(environments),
    )
    room = disk_bytes([job.run for job in left], speed, session.options)
    print(
        f"speed    {speed.frames_per_second:,.0f} frames/s per job, "
        f"{speed.evaluation_seconds:.1f} s per evaluation\n"
        f"time     about {duration(seconds)}\n"
        f"disk     about {room / 1e6:,.0f} MB\n"
        "nothing was created"
    )
    return 0


def reproduce(request: Request, session: Session) -> int:
    """Runs what is asked for, or what is left of it, and reports.

    Returns:
        The exit code: 0 if all runs are finished, 1 if one failed, 128 and the signal's number
        after a signal.
    """
    folder = session.folder
    with explain_full_disk("the folder", _nearest_existing(folder)):
        folder.mkdir(parents=True, exist_ok=True)
    with hold_folder(folder) as shared:
        recorded = load_plan(folder)
        environments = _environments(request, session, recorded)
        agreement = agree(request, recorded, folder, _calibration(environments))
        jobs = _make_jobs(agreement.runs, session)
        if agreement.plan != recorded:
            save_plan(folder, agreement.plan)
        _remove_drafts(folder, agreement.plan)
        _tell_plan(agreement, session, len(environments))
        speed = agreement.plan.speed
        board = Board(
            jobs,
            job_count=len(environments),
            frames_per_second=None if speed is None else speed.frames_per_second,
        )
        view = open_view(board, f"lapis reproduce  {folder}")

        def look() -> None:
            board.poll()
            view.look()

        with StopRequest(view.announce) as stop:
            with view:
                run_jobs(
                    jobs,
                    environments,
                    inherited=shared,
                    is_stopped=lambda: stop.signal is not None,
                    look=look,
                    say=view.say,
                )
            _report(jobs, folder)
        return _end(jobs, stop)


def _environments(
    request: Request, session: Session, recorded: Plan | None
) -> list[dict[str, str]]:
    known = None if recorded is None else next(iter(recorded.configs.values()))
    first = known or next(iter(request.configs.values()))
    threads = request.threads or (DEFAULT_THREADS if known is None else known.threads)
    return job_environments(
        jobs=session.jobs, threads=threads, device=request.device or first.device
    )


def _calibration(environments: list[dict[str, str]]) -> Callable[[TrainConfig], Speed]:
    def measure(config: TrainConfig) -> Speed:
        print(f"measuring the speed of {len(environments)} jobs side by side", flush=True)
        return measure_speed(config, environments)

    return measure


def _make_jobs(runs: Sequence[PlannedRun], session: Session) -> list[Job]:
    return [
        make_job(
            run,
            session.folder,
            task={
                "config": to_dict(run.config),
                "recipe": f"{run.config.world_name}-{run.name}".replace("_", "-"),
                "command": list(session.command),
                "options": asdict(session.options),
            },
        )
        for run in runs
    ]


def _remove_drafts(folder: Path, plan: Plan) -> None:
    """Removes half-created run folders of killed processes; nobody else runs here."""
    for name in plan.configs:
        for draft in (folder / name).glob(".seed-*.creating-*"):
            shutil.rmtree(draft)


def _tell_plan(agreement: Agreement, session: Session, job_count: int) -> None:
    for note in agreement.notes:
        print(note)
    runs = agreement.runs
    names = list(dict.fromkeys(run.name for run in runs))
    seeds = list(dict.fromkeys(run.seed for run in runs))
    config = runs[0].config
    where = f"on {config.device}, PyTorch threads each: {config.threads}"
    print(
        f"folder   {session.folder}\n"
        f"runs     {len(runs)}: {', '.join(names)}; seeds {', '.join(map(str, seeds))}\n"
        f"budget   {runs[0].frames:,} frames ({config.updates:,} updates) each\n"
        f"jobs     {job_count} at a time {where}",
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
        print("start again with the same arguments to try them again")
    if stop.signal is not None and any(job.state is not State.DONE for job in jobs):
        print(f"stopped by {stop.signal.name}; start again with the same arguments to go on")
        return stop.exit_code
    return 1 if failed else 0


def _nearest_existing(path: Path) -> Path:
    return next(place for place in (path, *path.absolute().parents) if place.is_dir())

"""Runs as processes side by side: started in order, saved on a stop, never left orphaned."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from lapis.reproduce.children import start_child
from lapis.runs import RunError, RunFolder
from lapis.runs.compact import THRESHOLDS
from lapis.runs.durable import explain_full_disk, sync_directory, write_durably
from lapis.runs.metrics import flat_items
from lapis.train.config import TrainConfig, load_config, to_dict

__all__ = [
    "Job",
    "State",
    "end_job",
    "last_row",
    "make_job",
    "reportable",
    "require_same_settings",
    "run_jobs",
]

POLL_SECONDS = 0.2
STOPPED_BY = (signal.SIGTERM, signal.SIGINT)
"""Signals by which a process is asked to save and end."""
TAIL_BYTES = 1 << 17
"""What is read from the end of a log; about forty lines with 113 goals."""


class State(Enum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(kw_only=True, eq=False)
class Job:
    """One run, its process, and the newest numbers of its logs."""

    config: TrainConfig
    """All settings, the seed included."""
    path: Path
    """The run folder: `TREATMENT/seed-SEED`."""
    command: Sequence[str]
    task: Mapping[str, Any]
    """What the process gets."""
    state: State = State.WAITING
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    update: int = 0
    frames: int = 0
    discovered: int | None = None
    """Goals above 5 % by the averages of training."""
    evaluated: int | None = None
    """Goals above 5 % in the last evaluation."""

    @property
    def name(self) -> str:
        """The treatment."""
        return self.path.parent.name

    @property
    def title(self) -> str:
        """What to call it."""
        return f"{self.name} seed {self.config.seed}"

    @property
    def frame_total(self) -> int:
        """Policy steps of the whole run."""
        return self.config.frame_total

    @property
    def log(self) -> Path:
        """Where the output of its processes goes."""
        return self.path.with_name(self.path.name + ".log")

    @property
    def marker(self) -> Path:
        """An empty file that is there when the run is finished."""
        return self.path.with_name(self.path.name + ".done")

    def read_logs(self) -> None:
        """Takes the newest numbers from the run folder, which need not exist yet."""
        if row := last_row(self.path / "metrics.jsonl"):
            self.update, self.frames = int(row["update"]), int(row["frames"])
            self.discovered = int(row["discovered"])
        if row := last_row(self.path / "evaluation.jsonl"):
            pairs = zip(row["successes"], row["attempts"], strict=True)
            self.evaluated = sum(wins > THRESHOLDS[0] * tries for wins, tries in pairs)


def make_job(path: Path, config: TrainConfig, task: Mapping[str, Any]) -> Job:
    """The job of the run at `path`, done already if an earlier reproduction has finished it."""
    command = [sys.executable, "-m", "lapis.reproduce.child", str(path)]
    task = {"config": to_dict(config), **task}
    job = Job(config=config, path=path, command=command, task=task)
    if path.exists() and job.marker.exists():
        job.state = State.DONE
    job.read_logs()
    return job


def require_same_settings(folder: Path, config: TrainConfig) -> None:
    """Checks that the runs in a treatment's folder differ from `config` only in their seeds.

    Raises:
        RunError: One differs in other settings; the message names them.
    """
    news = dict(flat_items(to_dict(config)))
    for path in sorted(folder.glob("seed-*/")):
        made = load_config(RunFolder.open(path).read_config())
        olds = dict(flat_items(to_dict(made)))
        differing = [
            f"{name} was {olds.get(name)}, now {news.get(name)}"
            for name in dict.fromkeys([*olds, *news])
            if name != "seed" and olds.get(name) != news.get(name)
        ]
        if differing:
            raise RunError(
                f"{path} has other settings: {'; '.join(differing)}. Runs of one treatment must "
                "not differ: move it away, or start in another folder with --folder"
            )


def run_jobs(
    jobs: Sequence[Job],
    environments: Sequence[Mapping[str, str]],
    *,
    inherited: int,
    is_stopped: Callable[[], bool],
    look: Callable[[], None],
    say: Callable[[str], None],
    is_dropped: Callable[[Job], bool] = lambda job: False,
) -> None:
    """Runs every waiting job, in this order, until done or stopped.

    Args:
        jobs: What is not waiting is left alone.
        environments: One per process that may run at a time: what it adds to the environment.
        inherited: Descriptor that every process keeps open.
        is_stopped: Whether the user wants to stop; then processes get SIGTERM, save and end.
        look: Called several times a second.
        say: Gets a sentence when a job starts or ends.
        is_dropped: Whether a job is no longer worth its time; only this job then saves and ends.
    """
    waiting = [job for job in jobs if job.state is State.WAITING]
    free = list(environments)
    running: dict[Job, tuple[subprocess.Popen[bytes], Mapping[str, str]]] = {}
    is_stopping = False
    dropped: set[Job] = set()
    try:
        while True:
            for job, (process, environment) in list(running.items()):
                job.read_logs()
                if process.poll() is not None:
                    assert process.stdin is not None
                    process.stdin.close()
                    was_asked = is_stopping or job in dropped
                    say(end_job(job, process.returncode, was_asked=was_asked))
                    del running[job]
                    free.append(environment)
                elif job not in dropped and is_dropped(job):
                    dropped.add(job)
                    process.terminate()
            if is_stopped() and not is_stopping:
                is_stopping = True
                waiting.clear()
                say("stopping: every run finishes its update and saves; Ctrl-C ends at once")
                for process, _ in running.values():
                    process.terminate()
            while waiting and free:
                job = waiting.pop(0)
                if is_dropped(job):
                    job.state = State.STOPPED
                    continue
                environment = free.pop(0)
                running[job] = (_launch(job, environment, inherited), environment)
                say(f"{job.title}: started, log in {job.log}")
            look()
            if not running:
                return
            time.sleep(POLL_SECONDS)
    finally:  # Only after an error, or when the user does not want to wait.
        for job, (process, _) in running.items():
            process.kill()
            process.wait()
            job.state = State.STOPPED


def end_job(job: Job, code: int, *, was_asked: bool) -> str:
    """The job's state says how it ended, with this exit code; so does the sentence."""
    if code == 0:
        with explain_full_disk("a file", job.marker.parent):
            write_durably(job.marker, b"")
        sync_directory(job.marker.parent)
        job.state = State.DONE
    elif was_asked and code in [each for number in STOPPED_BY for each in (-number, 128 + number)]:
        job.state = State.STOPPED
    else:
        job.state = State.FAILED
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return f"{job.title}: failed ({how}), see {job.log}"
    return f"{job.title}: {job.state.value} after update {job.update}"


def reportable(jobs: Sequence[Job]) -> list[Job]:
    """The jobs to report: those that are done, or otherwise all that have trained at all.

    Runs are compared at the number of frames that all of them have reached, so one that has just
    begun would hide what the finished ones found.
    """
    done = [job for job in jobs if job.state is State.DONE]
    return done or [job for job in jobs if job.update > 0]


def last_row(path: Path) -> dict[str, Any] | None:
    """The last whole line of a log that another process writes; None where there is none."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL_BYTES))
        lines = file.read().split(b"\n")[:-1]  # After the last newline is a half line or nothing.
    return json.loads(lines[-1]) if lines else None


def _launch(job: Job, environment: Mapping[str, str], inherited: int) -> subprocess.Popen[bytes]:
    job.path.parent.mkdir(parents=True, exist_ok=True)
    job.state = State.RUNNING
    with job.log.open("ab") as log:
        job.process = start_child(
            job.command, job.task, environment=environment, output=log, inherited=[inherited]
        )
    return job.process

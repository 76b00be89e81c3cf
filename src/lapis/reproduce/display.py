"""What a running reproduction shows: a live table, or plain lines where there is no terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.table import Table
from rich.text import Text

from lapis.reproduce.jobs import Job, State
from lapis.terminal.progress import duration, short

__all__ = ["Display"]

LINE_SECONDS = 30.0
"""Time between plain lines."""
SPEED_SECONDS = 120.0
"""The speed, and from it the time left, is that of the last so many seconds."""
MOST_SEED_COLUMNS = 8
"""With more seeds than this a treatment shows counts of runs, not each run."""
STYLES = {
    State.WAITING: "dim",
    State.RUNNING: "cyan",
    State.DONE: "green",
    State.FAILED: "bold red",
    State.STOPPED: "yellow",
}


class Display:
    """Shows where the jobs stand, with a title above; entered while they run."""

    def __init__(
        self,
        jobs: Sequence[Job],
        title: str,
        *,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._jobs = jobs
        self._title = title
        self._console = console or Console()
        self._clock = clock
        self._next_line = clock() + LINE_SECONDS
        self._progress = Progress(
            TextColumn("{task.fields[runs]} runs"),
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TextColumn("{task.fields[times]}"),
            console=self._console,
            get_time=clock,
            speed_estimate_period=SPEED_SECONDS,
            expand=True,
        )
        total = sum(job.frame_total for job in jobs)
        self._progress.add_task("", total=total, completed=self._frames(), runs="", times="")
        (self._task,) = self._progress.tasks
        self._live = Live(console=self._console, get_renderable=self.render, refresh_per_second=2)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def say(self, text: str) -> None:
        """Prints a line, above the table where there is one."""
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def look(self) -> None:
        """Takes the newest numbers of the jobs; without a terminal prints a line now and then."""
        self._progress.update(self._task.id, completed=self._frames())
        if not self._console.is_terminal and self._clock() >= self._next_line:
            self._next_line = self._clock() + LINE_SECONDS
            self.say(self.line())

    def line(self) -> str:
        """Where the reproduction stands, in a line of text."""
        running = "; ".join(
            f"{job.title} {_state(job)}" for job in self._jobs if job.state is State.RUNNING
        )
        share = f"{self._task.percentage:.1f} %, {self._done()} runs done"
        return f"{share}  {self._times()}  {running}"

    def render(self) -> RenderableType:
        """The panel: progress, treatments by seeds, what failed."""
        self._progress.update(self._task.id, runs=self._done(), times=self._times())
        failed = [job for job in self._jobs if job.state is State.FAILED]
        parts = Group(
            self._progress,
            Text(),
            _matrix(self._jobs),
            *(Text(f"{job.title} failed, see {job.log}", STYLES[State.FAILED]) for job in failed),
        )
        return Panel(parts, title=Text(self._title, style="bold"), title_align="left")

    def _frames(self) -> int:
        return sum(min(job.frames, job.frame_total) for job in self._jobs)

    def _done(self) -> str:
        return f"{sum(job.state is State.DONE for job in self._jobs)}/{len(self._jobs)}"

    def _times(self) -> str:
        speed, left = self._task.speed, self._task.time_remaining
        end = f" (until {datetime.now() + timedelta(seconds=left):%a %H:%M})" if left else ""
        return (
            f"{duration(self._task.elapsed)} elapsed, {duration(left)} left{end}, "
            f"{short(speed) if speed else '-'} frames/s"
        )


def _matrix(jobs: Sequence[Job]) -> Table:
    """A row per treatment: each seed, and the means over those that have numbers."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("treatment", no_wrap=True)
    seeds = sorted({job.config.seed for job in jobs})
    is_wide = len(seeds) <= MOST_SEED_COLUMNS
    for heading in [f"seed {seed}" for seed in seeds] if is_wide else ["runs"]:
        table.add_column(heading, no_wrap=True)
    table.add_column("mean discovered", justify="right")
    table.add_column("evaluated", justify="right")
    for name in dict.fromkeys(job.name for job in jobs):
        own = {job.config.seed: job for job in jobs if job.name == name}
        if is_wide:
            shown = [own.get(seed) for seed in seeds]
            cells = [Text(_state(job), STYLES[job.state]) if job else Text() for job in shown]
        else:
            cells = [_counts(list(own.values()))]
        discovered = _mean([job.discovered for job in own.values()])
        table.add_row(name, *cells, discovered, _mean([job.evaluated for job in own.values()]))
    return table


def _counts(jobs: Sequence[Job]) -> Text:
    counts = {state: sum(job.state is state for job in jobs) for state in State}
    found = [(f"{count} {state.value}", STYLES[state]) for state, count in counts.items() if count]
    return Text("  ").join(Text(*each) for each in found)


def _state(job: Job) -> str:
    """How far it is, and its discovered goals: by average and, after a slash, by evaluation."""
    if job.state not in (State.RUNNING, State.DONE):
        return job.state.value
    share = f"{100 * job.update / job.config.updates:.0f} %"
    goals = [str(count) for count in (job.discovered, job.evaluated) if count is not None]
    return " ".join(["done" if job.state is State.DONE else share, "/".join(goals)]).rstrip()


def _mean(values: Sequence[int | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{sum(known) / len(known):.4g}" if known else "-"

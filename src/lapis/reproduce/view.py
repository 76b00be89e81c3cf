"""Views of a running reproduction: a live table, or plain lines where there is no terminal."""

from __future__ import annotations

import time
from typing import Protocol, Self

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from lapis.reproduce.board import Board, mean
from lapis.reproduce.schedule import Job, State
from lapis.terminal.progress import duration, short
from lapis.terminal.screens import LiveScreen, PlainScreen

__all__ = ["LiveView", "PlainView", "View", "open_view", "plain_line", "render"]

LINE_SECONDS = 30.0
"""Time between plain lines."""
MOST_SEED_COLUMNS = 8
"""With more seeds than this a treatment shows counts of runs, not each run."""
STYLES = {
    State.WAITING: "dim",
    State.RUNNING: "cyan",
    State.DONE: "green",
    State.FAILED: "bold red",
    State.STOPPED: "yellow",
}


class View(Protocol):
    """What a reproduction shows its user; entered while it runs."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...

    def look(self) -> None:
        """Shows the board if it is time to."""
        ...

    def say(self, text: str) -> None:
        """Leaves a line on the screen."""
        ...

    def announce(self, text: str) -> None:
        """Shows a line at once; may be called from a signal handler."""
        ...


def open_view(board: Board, title: str) -> View:
    """The view that suits the standard output."""
    console = Console()
    return LiveView(board, title, console) if console.is_terminal else PlainView(board)


class LiveView(LiveScreen):
    """A panel that is redrawn twice a second."""

    def __init__(self, board: Board, title: str, console: Console) -> None:
        self._board = board
        self._title = title
        super().__init__(console)  # last: it renders once

    def look(self) -> None:
        """Nothing: the panel redraws itself."""

    def _render(self) -> RenderableType:
        return render(self._board, self._title, self._notice)


class PlainView(PlainScreen):
    """A line every half minute, and what is said in between."""

    def __init__(self, board: Board, *, interval: float = LINE_SECONDS) -> None:
        self._board = board
        self._interval = interval
        self._next_time = time.monotonic() + interval

    def look(self) -> None:
        """Prints a line if it is time to."""
        if time.monotonic() >= self._next_time:
            self._next_time = time.monotonic() + self._interval
            self.say(plain_line(self._board))


def plain_line(board: Board) -> str:
    """Where the reproduction stands, in a line of text."""
    running = "; ".join(
        f"{job.run.name} seed {job.run.seed} {_percent(job)}, {_goals(job)} goals"
        for job in board.in_state(State.RUNNING)
    )
    speed = board.frames_per_second
    return (
        f"{board.share:.1%}, {len(board.in_state(State.DONE))}/{len(board.jobs)} runs done  "
        f"elapsed {duration(board.elapsed)}, {duration(board.seconds_left)} left  "
        f"{short(speed) if speed else '-'} frames/s per job  {running}"
    )


def render(board: Board, title: str, notice: str = "") -> RenderableType:
    """The panel: progress, treatments by seeds, what runs now, what failed."""
    parts: list[RenderableType] = [_head(board), Text(), _matrix(board)]
    running = board.in_state(State.RUNNING)
    if running:
        parts += [Text(), _running(running)]
    parts += [
        Text(f"{job.title} failed, see {job.log}", style=STYLES[State.FAILED])
        for job in board.in_state(State.FAILED)
    ]
    if notice:
        parts.append(Text(notice, style="bold yellow"))
    return Panel(Group(*parts), title=Text(title, style="bold"), title_align="left", padding=(0, 1))


def _head(board: Board) -> RenderableType:
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for _ in range(3):
        table.add_column(no_wrap=True, justify="right")
    left = board.seconds_left
    end = "--:--" if left is None else time.strftime("%a %H:%M", time.localtime(time.time() + left))
    table.add_row(
        f"{len(board.in_state(State.DONE))} / {len(board.jobs)} runs",
        ProgressBar(total=1.0, completed=board.share),
        f"{board.share:.0%}",
        f"{duration(board.elapsed)} elapsed",
        f"{duration(left)} left, until {end}",
    )
    return table


def _matrix(board: Board) -> Table:
    """A row per treatment: each seed, and the means over those that have numbers."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("treatment", no_wrap=True)
    is_wide = len(board.seeds) <= MOST_SEED_COLUMNS
    for heading in [f"seed {seed}" for seed in board.seeds] if is_wide else ["runs"]:
        table.add_column(heading, no_wrap=True)
    table.add_column("mean discovered", justify="right")
    table.add_column("evaluated", justify="right")
    for name in board.names:
        jobs = board.row(name)
        cells = [_cell(jobs.get(seed)) for seed in board.seeds] if is_wide else [_counts(jobs)]
        watches = [job.watch for job in jobs.values()]
        table.add_row(
            name,
            *cells,
            _number(mean([watch.discovered for watch in watches])),
            _number(mean([watch.evaluated for watch in watches])),
        )
    return table


def _cell(job: Job | None) -> Text:
    if job is None:
        return Text("")
    text = {State.RUNNING: _percent(job), State.DONE: f"done {_goals(job)}"}.get(
        job.state, job.state.value
    )
    return Text(text, style=STYLES[job.state])


def _counts(jobs: dict[int, Job]) -> Text:
    text = Text()
    for state in State:
        count = sum(job.state is state for job in jobs.values())
        if count:
            text.append(f"{count} {state.value}  ", style=STYLES[state])
    return text


def _running(jobs: list[Job]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", expand=True)
    table.add_column("running now", no_wrap=True)
    table.add_column("", ratio=1, min_width=8)
    for heading in ("", "frames", "frames/s", "discovered", "evaluated"):
        table.add_column(heading, justify="right", no_wrap=True)
    for job in jobs:
        watch = job.watch
        speed = watch.frames_per_second
        table.add_row(
            job.title,
            ProgressBar(total=job.run.config.updates, completed=watch.update),
            _percent(job),
            short(watch.frames),
            short(speed) if speed else "-",
            _number(watch.discovered),
            _number(watch.evaluated),
        )
    return table


def _percent(job: Job) -> str:
    return f"{100 * job.watch.update / job.run.config.updates:.0f} %"


def _goals(job: Job) -> str:
    """Discovered goals by average, and after a slash by the last evaluation."""
    average, evaluated = job.watch.discovered, job.watch.evaluated
    return _number(average) if evaluated is None else f"{_number(average)}/{evaluated}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"

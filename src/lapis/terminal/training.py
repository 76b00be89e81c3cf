"""Views of a running training: a live panel, plain lines where there is no terminal, or nothing."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from lapis.terminal.progress import Progress, duration, resample, short

__all__ = ["LiveView", "PlainView", "View", "open_view", "render", "sparkline"]

FRONTIER_COUNT = 8
LINE_SECONDS = 10.0
BLOCKS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
ASCII_BLOCKS = "_.-:=+*#"


def open_view(progress: Progress, title: str, *, quiet: bool = False) -> View:
    """The view that suits the standard output."""
    console = Console()
    if quiet:
        return View()
    return LiveView(progress, title, console) if console.is_terminal else PlainView(progress)


class View:
    """What training shows its user, entered while it runs: here only notices after a signal."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def take(self, metrics: Mapping[str, Any]) -> None:
        """The metrics of one more update."""

    def take_evaluation(self, evaluation: Mapping[str, Any]) -> None:
        """The counts of one more evaluation."""

    def say(self, text: str) -> None:
        """Shows a message."""

    def announce(self, text: str) -> None:
        """Writes past Python's buffers, which the interrupted code may be using."""
        os.write(sys.stderr.fileno(), f"{text}\n".encode())


class PlainView(View):
    """A line on the first update, then every few seconds, and on the last update."""

    def __init__(self, progress: Progress, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress = progress
        self._clock = clock
        self._next_time = -float("inf")

    def take(self, metrics: Mapping[str, Any]) -> None:
        """Prints a line if it is time."""
        self._progress.take(metrics)
        now = self._clock()
        if now >= self._next_time or self._progress.update == self._progress.update_total:
            self._next_time = now + LINE_SECONDS
            self.say(_line(self._progress))

    def take_evaluation(self, evaluation: Mapping[str, Any]) -> None:
        """Prints a line."""
        self._progress.evaluation = evaluation
        self.say(_evaluated(self._progress))

    def say(self, text: str) -> None:
        """Prints `text`."""
        print(text, flush=True)


class LiveView(View):
    """A panel that is redrawn twice a second."""

    def __init__(self, progress: Progress, title: str, console: Console) -> None:
        self._progress = progress
        self._title = title
        self._notice = ""
        self._console = console
        self._live = Live(console=console, get_renderable=self._render, refresh_per_second=2)

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def take(self, metrics: Mapping[str, Any]) -> None:
        """Shows `metrics` at the next redraw."""
        self._progress.take(metrics)

    def take_evaluation(self, evaluation: Mapping[str, Any]) -> None:
        """Shows `evaluation` from the next redraw on."""
        self._progress.evaluation = evaluation

    def say(self, text: str) -> None:
        """Prints `text` above the panel."""
        self._console.print(text, highlight=False, markup=False)

    def announce(self, text: str) -> None:
        """Shows `text` in the panel from the next redraw on: a handler must not print."""
        self._notice = text

    def _render(self) -> RenderableType:
        options = self._console.options
        return render(
            self._progress,
            self._title,
            self._notice,
            width=options.max_width,
            ascii_only=options.ascii_only,
        )


def render(
    progress: Progress,
    title: str,
    notice: str = "",
    *,
    width: int = 100,
    ascii_only: bool = False,
) -> RenderableType:
    """The panel: bar, discovered goals over time, frontier and groups side by side, health."""
    parts: list[RenderableType] = [
        _head(progress),
        _discovered(progress, width, ascii_only),
        *([Text(_evaluated(progress), no_wrap=True)] if progress.evaluation else []),
        Text(),
        _tables(progress),
        *(
            Text(line, style="dim", overflow="ellipsis", no_wrap=True)
            for line in ("", _losses(progress.metrics), _split(progress.metrics))
        ),
    ]
    if notice:
        parts.append(Text(notice, style="bold yellow"))
    return Panel(Group(*parts), title=Text(title, style="bold"), title_align="left", padding=(0, 1))


def sparkline(values: Sequence[float], width: int, *, ascii_only: bool = False) -> str:
    """`values` as a row of at most `width` blocks, from zero to their largest."""
    blocks = ASCII_BLOCKS if ascii_only else BLOCKS
    points = resample(values, width)
    top = max(points, default=0) or 1
    return "".join(blocks[min(7, int(8 * max(0, point) / top))] for point in points)


def _line(progress: Progress) -> str:
    share = 100 * progress.update / progress.update_total
    frontier = ", ".join(f"{goal} {success:.0%}" for goal, _, success in progress.frontier(3))
    return (
        f"update {progress.update}/{progress.update_total} ({share:.1f} %)  "
        f"discovered {progress.discovered[-1]}/{progress.goal_total}  "
        f"{short(progress.metrics.get('frames_per_second', 0))} frames/s  "
        f"{duration(progress.seconds_left)} left  frontier: {frontier}"
    )


def _head(progress: Progress) -> RenderableType:
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for _ in range(3):
        table.add_column(no_wrap=True, justify="right")
    table.add_row(
        f"update {progress.update:,} / {progress.update_total:,}",
        ProgressBar(total=progress.update_total, completed=progress.update),
        f"{progress.update / progress.update_total:.0%}",
        f"{short(progress.metrics.get('frames_per_second', 0))} frames/s",
        f"{duration(progress.seconds_left)} left",
    )
    return table


def _discovered(progress: Progress, width: int, ascii_only: bool) -> Text:
    count = progress.discovered[-1] if progress.discovered else 0
    line = Text("discovered ", no_wrap=True)
    line.append(f"{count} / {progress.goal_total}  ", style="bold green")
    room = max(8, width - len(line) - 4)
    line.append(sparkline(progress.discovered, room, ascii_only=ascii_only), style="green")
    return line


def _evaluated(progress: Progress) -> str:
    return (
        f"evaluated: {progress.evaluated()} of {progress.goal_total} "
        f"({progress.evaluated(0.5)} above 50 %) after update {progress.evaluation['update']:,}"
    )


def _tables(progress: Progress) -> RenderableType:
    frontier = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    frontier.add_column("at the frontier", no_wrap=True, min_width=20)
    for name in ("sampled", "success"):
        frontier.add_column(name, justify="right", no_wrap=True)
    for goal, probability, success in progress.frontier(FRONTIER_COUNT):
        color = "red" if success < 0.1 else "yellow" if success < 0.5 else "green"
        frontier.add_row(goal, f"{probability:.1%}", Text(f"{success:.0%}", style=color))
    sides = Table.grid(padding=(0, 2))
    if not progress.groups:
        sides.add_row(frontier)
        return sides
    groups = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    groups.add_column("group", no_wrap=True)
    groups.add_column("discovered", no_wrap=True)
    groups.add_column("", justify="right", no_wrap=True)
    for name, discovered, total in progress.group_counts():
        bar = ProgressBar(total=total, completed=discovered, width=10)
        groups.add_row(name, bar, f"{discovered} / {total}")
    sides.add_row(frontier, groups)
    return sides


def _losses(metrics: Mapping[str, Any]) -> str:
    losses = {f"{name} loss": loss for name, loss in metrics.get("losses", {}).items()}
    names = ("entropy", "kl", "clip_share", "value_fit")
    others = {name.replace("_", " "): metrics[name] for name in names if name in metrics}
    return "  ".join(f"{name} {value:.3g}" for name, value in (losses | others).items())


def _split(metrics: Mapping[str, Any]) -> str:
    """Where the time of the last update went."""
    seconds = metrics.get("seconds", {})
    total = sum(seconds.values())
    if not total:
        return ""
    return "time  " + "  ".join(f"{name} {part / total:.0%}" for name, part in seconds.items())

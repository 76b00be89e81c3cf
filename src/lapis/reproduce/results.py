"""What a reproduction found: the report, its figures, and a small table in the terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from lapis.report.command import load_groups, write_html
from lapis.report.figures import write_figures
from lapis.report.series import Group
from lapis.report.summary import Measured, common_frames, mean_and_interval, summarize

__all__ = ["interval", "results_table", "write_results"]


def write_results(paths: Sequence[Path], folder: Path) -> tuple[Path, Table]:
    """Writes `FOLDER/report.html` and `FOLDER/figures`; returns the page's path and the table."""
    groups = load_groups(paths)
    page = write_html(groups, folder / "report.html")
    write_figures(groups, folder / "figures")
    return page, results_table(groups)


def results_table(groups: Sequence[Group]) -> Table:
    """Per treatment the discovered goals: mean over seeds and its 95 % interval."""
    frames = common_frames(groups)
    table = Table(
        title=f"goals above 5 % success after {frames:,} frames: mean (95 % interval)",
        title_justify="left",
    )
    table.add_column("treatment")
    for heading in ("seeds", "by the averages", "by evaluation", "paper"):
        table.add_column(heading, justify="right")
    for group in groups:
        summary = summarize(group, frames)
        paper = "" if group.treatment is None else str(group.treatment.paper_discovered)
        table.add_row(
            group.label,
            str(len(group.runs)),
            interval(summary.average),
            interval(summary.evaluation),
            paper,
        )
    return table


def interval(measured: Measured | None) -> str:
    """Mean and 95 % interval of the discovered goals in a cell; one seed has no interval."""
    if measured is None:
        return "-"
    mean, low, high = mean_and_interval(measured.discovered)
    return f"{mean:.1f}" if math.isnan(low) else f"{mean:.1f} ({low:.1f} to {high:.1f})"

"""What a reproduction found: the report, its figures, and a small table in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from lapis.report.command import load_groups, write_compact, write_html
from lapis.report.figures import write_figures
from lapis.report.series import Group, is_tech_tree
from lapis.report.summary import common_frames, summarize
from lapis.report.tables import results_table

__all__ = ["terminal_table", "write_results"]


def write_results(paths: Sequence[Path], folder: Path) -> tuple[Path, Table]:
    """Writes `FOLDER/report.html`, `FOLDER/figures` and compact tables to `FOLDER/tables`.

    Returns the page's path and the table for the terminal.
    """
    groups = load_groups(paths)
    page = write_html(groups, folder / "report.html")
    write_figures(groups, folder / "figures")
    write_compact(groups, folder / "tables")
    return page, terminal_table(groups)


def terminal_table(groups: Sequence[Group]) -> Table:
    """The discovered goals of each treatment, from the results table of the page."""
    frames = common_frames(groups)
    summaries = [summarize(group, frames) for group in groups]
    found = results_table(summaries, with_paper=is_tech_tree(groups[0].goals))
    title = f"discovered goals after {frames:,} frames: interquartile mean (95 % interval)"
    table = Table(title=title, title_justify="left")
    kept = [
        index for index, head in enumerate(found.heads) if "50" not in head and "area" not in head
    ]
    for index in kept:
        table.add_column(found.heads[index], justify="right" if index else "left")
    for row in found.rows:
        cells = [row[index] for index in kept]
        table.add_row(*(" ".join([cell.text, *(f"({s})" for s in cell.small)]) for cell in cells))
    return table

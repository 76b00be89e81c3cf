"""`lapis report RUN ...`: figures, tables and statistics of runs in one HTML file."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import tyro

from lapis.cli import UsageError
from lapis.report.command import load_groups, write_compact, write_html
from lapis.report.figures import write_figures
from lapis.report.theory import write_theory_figures


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReportArguments:
    """Reports on runs in one HTML file.

    Runs that differ in nothing but the seed are one treatment: curves get bands, and tables 95 %
    intervals.
    `lapis report theory` draws the figures that need no run, the paper's figures 5 to 7.
    """

    runs: tyro.conf.Positional[tuple[Path, ...]]
    """Run folders, or compact tables that `--compact` wrote."""
    output: Path = Path("report.html")
    """File to write; an older one is replaced."""
    figures: Path | None = None
    """Folder for PNG and SVG of each figure."""
    compact: Path | None = None
    """Folder for one small file per run, which reports read in place of run folders; no report is
    written then."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TheoryArguments:
    """Draws the paper's figures 5 to 7 (paper P28), which need no run."""

    output: Path = Path("figures")
    """Folder for the pictures."""


def main(arguments: list[str]) -> int:
    """Writes the report on the runs, or the figures of the theory."""
    if arguments[:1] == ["theory"]:
        theory = tyro.cli(TheoryArguments, args=arguments[1:], prog="lapis report theory")
        _tell(write_theory_figures(theory.output))
        return 0
    parsed = tyro.cli(ReportArguments, args=arguments, prog="lapis report")
    if not parsed.runs:
        raise UsageError("there is no run to report; name run folders, or `theory`")
    groups = load_groups(parsed.runs)
    if parsed.compact is not None:
        _tell(write_compact(groups, parsed.compact))
        return 0
    _tell([write_html(groups, parsed.output)])
    if parsed.figures is not None:
        _tell(write_figures(groups, parsed.figures))
        _tell(write_theory_figures(parsed.figures))
    return 0


def _tell(paths: list[Path]) -> None:
    for path in paths:
        print(f"wrote {path}")

"""`lapis report RUN ...`: figures, tables and statistics of runs in one HTML file."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import tyro

from lapis.cli import UsageError

# matplotlib and SciPy take a second to load; `--help` and typos need neither.


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReportArguments:
    """Writes a report on runs to one HTML file.

    Runs that differ only in the seed form one treatment: their curves get bands, and their numbers
    95 % intervals.
    `lapis report theory` draws the paper's figures 5 to 7, which need no run.
    """

    runs: tyro.conf.Positional[tuple[Path, ...]]
    """Run folders, compact tables written by `--compact`, or folders that contain them."""
    output: Path = Path("report.html")
    """File to write; an older one is replaced."""
    figures: Path | None = None
    """Folder for PNG and SVG of each figure."""
    compact: Path | None = None
    """Folder for one small file per run, which reports read like run folders. No report is written
    then."""
    serve: bool = False
    """Shows the report in a browser on this machine instead of writing it, and keeps it up to date
    while the runs train, until Ctrl-C."""
    port: int = 8010
    """Port on which `--serve` listens; 0 picks a free one."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TheoryArguments:
    """Draws the paper's figures 5 to 7 (paper P28), which need no run."""

    output: Path = Path("figures")
    """Folder for the pictures."""


def main(arguments: list[str]) -> int:
    """Writes or serves the report on the runs, or draws the figures of the theory."""
    if arguments[:1] == ["theory"]:
        theory = tyro.cli(TheoryArguments, args=arguments[1:], prog="lapis report theory")
        _write_theory(theory.output)
        return 0
    parsed = tyro.cli(ReportArguments, args=arguments, prog="lapis report")
    if not parsed.runs:
        raise UsageError("there is no run to report; name run folders, or `theory`")
    if parsed.output.is_dir():
        raise UsageError(f"--output {parsed.output} is a folder; name a file, such as report.html")
    if parsed.serve:
        if parsed.figures is not None or parsed.compact is not None:
            raise UsageError("--serve writes nothing; give --figures or --compact without it")
        for path in parsed.runs:
            if not path.exists():
                raise UsageError(f"there is no {path}")
        from lapis.report.serve import serve_report

        serve_report(parsed.runs, port=parsed.port)
        return 0
    from lapis.report.command import load_groups, write_compact, write_html

    groups = load_groups(parsed.runs)
    if parsed.compact is not None:
        _tell(write_compact(groups, parsed.compact))
        return 0
    _tell([write_html(groups, parsed.output)])
    if parsed.figures is not None:
        from lapis.report.figures import write_figures

        _tell(write_figures(groups, parsed.figures))
        _write_theory(parsed.figures)
    return 0


def _write_theory(folder: Path) -> None:
    from lapis.report.theory import write_theory_figures

    _tell(write_theory_figures(folder))


def _tell(paths: list[Path]) -> None:
    for path in paths:
        print(f"wrote {path}")

"""Writing a report: run folders in, one HTML file and pictures out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lapis.report.html import report_html
from lapis.report.series import Group, group_runs, load_run

__all__ = ["load_groups", "write_html", "write_report"]


def write_report(run_paths: Sequence[str | Path], output: str | Path) -> Path:
    """Writes the report on the runs to the HTML file `output`, and returns its path.

    Raises:
        FileNotFoundError: A path is no run folder.
        RunError: A run has nothing to report, or the runs do not belong into one report.
    """
    return write_html(load_groups(run_paths), output)


def load_groups(run_paths: Sequence[str | Path]) -> tuple[Group, ...]:
    """The runs at these paths, grouped by treatment; errors as of `write_report`."""
    return group_runs([load_run(path) for path in run_paths])


def write_html(groups: Sequence[Group], output: str | Path) -> Path:
    """Writes the page; its folder is made if it does not exist."""
    output = Path(output)
    text = report_html(groups)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text, encoding="utf-8")
    return output

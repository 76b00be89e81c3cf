"""Writing a report: runs in, one HTML file or compact tables out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lapis.report.grouping import group_runs
from lapis.report.series import Group, load_run, load_table
from lapis.runs import RunError
from lapis.runs.compact import write_table
from lapis.runs.durable import replace_durably
from lapis.runs.reading import reading

__all__ = ["find_runs", "load_groups", "write_compact", "write_html", "write_report"]


def write_report(run_paths: Sequence[str | Path], output: str | Path) -> Path:
    """Writes the report on the runs to the HTML file `output`, and returns its path.

    Runs are run folders, compact tables, or folders that hold either. An older file is replaced.

    Raises:
        FileNotFoundError: A path is not a run folder.
        RunError: A run has nothing to report, or the runs do not belong in one report.
    """
    return write_html(load_groups(run_paths), output)


def find_runs(paths: Sequence[str | Path]) -> list[Path]:
    """Run folders and tables as they are; for any other folder, those in it."""
    found: list[Path] = []
    for path in map(Path, paths):
        inside = []
        if path.is_dir() and not _is_run(path):
            inside = sorted(each for each in path.iterdir() if _is_run(each) or _is_table(each))
        found += inside or [path]
    return found


def load_groups(run_paths: Sequence[str | Path]) -> tuple[Group, ...]:
    """The runs at these paths, grouped by treatment; errors as of `write_report`."""
    paths = find_runs(run_paths)
    runs = [load_run(path) for path in paths]
    with reading(f"the configuration of {', '.join(map(str, paths))}"):
        return group_runs(runs)


def write_html(groups: Sequence[Group], output: str | Path) -> Path:
    """Writes the page; creates its folder if needed."""
    from lapis.report.page import report_html  # matplotlib is slow to load.

    output = Path(output)
    text = report_html(groups)
    output.parent.mkdir(parents=True, exist_ok=True)
    replace_durably(output, text.encode())
    return output


def write_compact(groups: Sequence[Group], folder: str | Path) -> list[Path]:
    """Writes each run to `<variant>-seed-<seed>.npz` in `folder`, and returns the paths.

    `write_report` reads such files in place of run folders.

    Raises:
        RunError: Two runs would have the same name; nothing is written then.
    """
    paths: dict[Path, Path] = {}
    for group in groups:
        for run in group.runs:
            path = Path(folder) / f"{group.name}-seed-{run.seed}.npz"
            if path in paths:
                raise RunError(
                    f"{run.path} and {paths[path]} are both seed {run.seed} of {group.label}; "
                    f"name only one of them"
                )
            paths[path] = run.path
    return [write_table(load_table(source), path) for path, source in paths.items()]


def _is_run(path: Path) -> bool:
    return (path / "config.json").is_file()


def _is_table(path: Path) -> bool:
    return path.suffix == ".npz" and path.is_file()

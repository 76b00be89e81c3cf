"""`lapis resume RUN`: continues a run from its last checkpoint."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import tyro

from lapis.cli import UsageError
from lapis.cli.checks import check_least
from lapis.running.options import RunOptions
from lapis.runs import RunFolder


@dataclasses.dataclass(frozen=True, kw_only=True)
class ResumeArguments:
    """Continues a run from its newest complete checkpoint, as if it had never stopped."""

    run: tyro.conf.Positional[Path]
    """Folder of the run."""
    updates: int | None = None
    """New number of updates, to extend the run. Default: the one in its config.json."""
    from_start: bool = False
    """Starts over if there is a log but no checkpoint; the log is dropped."""
    keep: Annotated[RunOptions, tyro.conf.arg(name="")] = dataclasses.field(
        default_factory=RunOptions
    )
    """How the run is kept and shown."""


def main(arguments: list[str]) -> int:
    """Continues the run that the arguments name."""
    try:
        parsed = tyro.cli(ResumeArguments, args=arguments, prog="lapis resume")
    except ValueError as error:
        raise UsageError(str(error)) from error
    check_least(parsed, "updates")
    if not parsed.run.exists():
        raise UsageError(_no_such_run(parsed.run))
    folder = RunFolder.open(parsed.run).path
    # Imported here: a wrong command line is answered before PyTorch is loaded.
    from lapis.running.run import resume

    return resume(
        folder,
        command=["lapis", "resume", *arguments],
        updates=parsed.updates,
        from_start=parsed.from_start,
        options=parsed.keep,
    )


def _no_such_run(path: Path) -> str:
    parent = path.parent
    there = sorted(child.name for child in parent.iterdir()) if parent.is_dir() else []
    runs = [str(parent / name) for name in there if (parent / name / "config.json").is_file()]
    return f"there is no run {path}" + (f"; there are: {', '.join(runs)}" if runs else "")

"""`lapis export RUN FILE`: the policy of a run as one small file."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import tyro

from lapis.cli import UsageError


@dataclasses.dataclass(frozen=True, kw_only=True)
class ExportArguments:
    """Writes the policy of a run's newest complete checkpoint to one file, to use elsewhere.

    The file holds the weights in half precision, the configuration, and what the run recorded for
    each goal. `lapis watch` and `lapis evaluate` accept it in place of a run.
    """

    run: tyro.conf.Positional[Path]
    """Folder of the run."""
    file: tyro.conf.Positional[Path]
    """The file to write. It must end with .safetensors and must not exist yet."""


def main(arguments: list[str]) -> int:
    """Exports, and says how large the file is."""
    parsed = tyro.cli(ExportArguments, args=arguments, prog="lapis export")
    # Imported here: a wrong flag is answered before PyTorch is loaded.
    from lapis.running.export import export, is_exported
    from lapis.running.trained import load_run

    if not is_exported(parsed.file):
        raise UsageError(f"{parsed.file} must end with .safetensors")
    trained = load_run(parsed.run, device="cpu")
    size = export(trained, parsed.file)
    print(f"{parsed.file}: the policy after update {trained.update:,}, {size:,} bytes")
    return 0

"""Where the numbers of a run can be watched: TensorBoard and, with `--wandb`, Weights & Biases."""

from __future__ import annotations

import importlib.util
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from torch.utils.tensorboard import SummaryWriter

from lapis.runs import RunError
from lapis.runs.durable import explain_full_disk

__all__ = ["TensorBoard", "ScalarWriter", "WandB", "require_wandb"]

WANDB_PROJECT = "lapis"
FLUSH_SECONDS = 10
"""A number is in TensorBoard's files after this time, and whenever a checkpoint is made."""


class ScalarWriter(Protocol):
    """Takes the numbers of updates, by name. Lists stay in metrics.jsonl, where reports look."""

    def write(self, update: int, scalars: Mapping[str, float]) -> None:
        """Adds numbers of one update."""
        ...

    def flush(self) -> None:
        """Numbers that were given are safe."""
        ...

    def close(self) -> None:
        """Waits until all numbers are written."""
        ...


class TensorBoard:
    """Writes event files.

    Args:
        folder: Directory of the event files; a new file is made in it.
        update: Updates finished so far. TensorBoard drops what older files say about later ones.
    """

    def __init__(self, folder: Path, *, update: int) -> None:
        self._folder = folder
        with explain_full_disk("TensorBoard events", folder.parent):
            self._writer = SummaryWriter(
                str(folder), purge_step=update + 1, flush_secs=FLUSH_SECONDS
            )

    def write(self, update: int, scalars: Mapping[str, float]) -> None:
        """Adds numbers of one update."""
        with explain_full_disk("TensorBoard events", self._folder):
            for tag, number in scalars.items():
                self._writer.add_scalar(tag, number, update)

    def flush(self) -> None:
        """Writes what is queued."""
        with explain_full_disk("TensorBoard events", self._folder):
            self._writer.flush()

    def close(self) -> None:
        """Writes what is queued and closes the file."""
        with explain_full_disk("TensorBoard events", self._folder):
            self._writer.close()


def require_wandb() -> None:
    """Raises RunError where the package wandb is not installed."""
    if importlib.util.find_spec("wandb") is None:
        raise RunError(
            "--wandb needs the package wandb; get it with: pip install 'lapis-rl[wandb]'"
        )


class WandB:
    """Sends the numbers of each update. `WANDB_MODE=offline` keeps them in the run folder.

    Args:
        folder: The run folder. It keeps the run's id, so that a resumed run stays one run there.
        config: The whole configuration.

    Raises:
        RunError: Weights & Biases refuses, for example because nobody is logged in.
    """

    def __init__(self, folder: Path, *, config: Mapping[str, Any]) -> None:
        import wandb  # pyright: ignore[reportMissingImports]
        from wandb.errors import Error  # pyright: ignore[reportMissingImports]

        id_file = folder / "wandb_id.txt"
        if not id_file.exists():
            id_file.write_text(secrets.token_hex(4) + "\n", encoding="utf-8")
        try:
            self._run = wandb.init(
                project=WANDB_PROJECT,
                name=folder.name,
                id=id_file.read_text(encoding="utf-8").strip(),
                resume="allow",
                dir=folder,
                config=dict(config),
                # The terminal belongs to the view of the run.
                settings=wandb.Settings(console="off", silent=True),
            )
        except Error as error:
            raise RunError(f"Weights & Biases refuses: {error}") from error

    @property
    def place(self) -> str:
        """Where the run can be seen: an address, or a folder when offline."""
        return str(self._run.dir if self._run.offline else self._run.url)

    def write(self, update: int, scalars: Mapping[str, float]) -> None:
        """Adds numbers of one update; those of a later one must not have come before."""
        self._run.log(dict(scalars), step=update)

    def flush(self) -> None:
        """Does nothing: a process of wandb's own has the numbers already."""

    def close(self) -> None:
        """Waits until everything is sent."""
        self._run.finish()

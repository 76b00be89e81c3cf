"""A run's numbers at Weights & Biases, for those who ask for it with `--wandb`."""

from __future__ import annotations

import importlib.util
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lapis.runs import RunError

__all__ = ["WandbLog", "require_wandb"]

PROJECT = "lapis"


def require_wandb() -> None:
    """Refuses to go on without the package.

    Raises:
        RunError: It is not installed.
    """
    if importlib.util.find_spec("wandb") is None:
        raise RunError(
            "--wandb needs the package wandb; get it with: pip install 'lapis-rl[wandb]'"
        )


class WandbLog:
    """Sends the scalars of each update. `WANDB_MODE=offline` keeps them in the run folder.

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
                project=PROJECT,
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

    def close(self) -> None:
        """Waits until everything is sent."""
        self._run.finish()

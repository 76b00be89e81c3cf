"""Where the numbers of a run can be watched: TensorBoard and, with `--wandb`, Weights & Biases.

Both get one number per name. Lists stay in metrics.jsonl, where reports look.
"""

from __future__ import annotations

import importlib.util
import math
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from torch.utils.tensorboard import SummaryWriter

from lapis.runs import RunError
from lapis.runs.compact import DISCOVERED_AT, MASTERED_AT
from lapis.runs.durable import explain_full_disk, replace_durably
from lapis.runs.metrics import flat_items
from lapis.terminal.progress import UNOBTAINABLE

__all__ = ["TensorBoard", "WandB", "evaluation_scalars", "require_wandb", "update_scalars"]

WANDB_PROJECT = "lapis"
FLUSH_SECONDS = 10
"""A number is in TensorBoard's files after this time, and whenever a checkpoint is made."""


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
            replace_durably(id_file, secrets.token_hex(4).encode() + b"\n")
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


def update_scalars(metrics: Mapping[str, Any], groups: Sequence[str]) -> dict[str, float]:
    """The finite scalars of one update, nested ones as `outer/inner`, and those of the groups.

    `metrics` is a line of metrics.jsonl, `groups` the group of each goal or nothing.
    """
    found = {
        name.replace(".", "/"): float(value)
        for name, value in flat_items(metrics)
        if isinstance(value, int | float) and name != "update" and math.isfinite(value)
    }
    if groups and "success" in metrics:
        success = np.asarray(metrics["success"], dtype=np.float64)
        found |= _by_group(success, groups, "discovered_goals", "mean_success")
    return found


def evaluation_scalars(evaluation: Mapping[str, Any], groups: Sequence[str]) -> dict[str, float]:
    """What one evaluation found, in all and per group; a goal without attempts has no success."""
    attempts = np.asarray(evaluation["attempts"], dtype=np.float64)
    success = np.asarray(evaluation["successes"], dtype=np.float64) / np.maximum(attempts, 1.0)
    possible = np.array([group != UNOBTAINABLE for group in groups] or [True] * len(success))
    found = {
        "evaluation/goals_above_5_percent": float(np.sum(success[possible] > DISCOVERED_AT)),
        "evaluation/goals_above_50_percent": float(np.sum(success[possible] > MASTERED_AT)),
        "evaluation/mean_success": float(success[possible].mean()),
    }
    if "pairs" in evaluation:
        found["evaluation/share_of_pairs_above_5_percent"] = pair_coverage(evaluation)
    if groups:
        found |= _by_group(success, groups, "evaluation_discovered_goals", "evaluation_success")
    return found


def pair_coverage(evaluation: Mapping[str, Any]) -> float:
    """The share of the pairs that an evaluation played whose success is above 5 %."""
    attempts = np.asarray(evaluation["pair_attempts"], dtype=np.float64)
    success = np.asarray(evaluation["pair_successes"]) / np.maximum(attempts, 1.0)
    return float((success > DISCOVERED_AT).mean())


def _by_group(
    success: np.ndarray, groups: Sequence[str], count_name: str, mean_name: str
) -> dict[str, float]:
    """Discovered goals and mean success of each group that can be reached at all."""
    found = {}
    for group in dict.fromkeys(groups):
        if group != UNOBTAINABLE:
            own = success[np.array(groups) == group]
            found[f"{count_name}/{group}"] = float(np.sum(own > DISCOVERED_AT))
            found[f"{mean_name}/{group}"] = float(own.mean())
    return found

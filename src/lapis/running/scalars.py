"""What TensorBoard and Weights & Biases show of a run: one number per name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from lapis.runs.compact import DISCOVERED_AT, MASTERED_AT
from lapis.terminal.progress import UNOBTAINABLE

__all__ = ["evaluation_scalars", "update_scalars"]


def update_scalars(metrics: Mapping[str, Any], groups: Sequence[str]) -> dict[str, float]:
    """The finite scalars of one update, nested ones as `outer/inner`, and those of the groups.

    Args:
        metrics: One line of metrics.jsonl.
        groups: The group of each goal, or nothing.
    """
    found = dict(_scalars(metrics))
    if groups and "success" in metrics:
        success = np.asarray(metrics["success"], dtype=np.float64)
        found |= _by_group(success, groups, "discovered_goals", "mean_success")
    return found


def evaluation_scalars(evaluation: Mapping[str, Any], groups: Sequence[str]) -> dict[str, float]:
    """What one evaluation found, in all and per group; a goal without attempts has no success.

    Args:
        evaluation: One line of evaluation.jsonl.
        groups: The group of each goal, or nothing.
    """
    attempts = np.asarray(evaluation["attempts"], dtype=np.float64)
    success = np.asarray(evaluation["successes"], dtype=np.float64) / np.maximum(attempts, 1.0)
    possible = np.array([group != UNOBTAINABLE for group in groups] or [True] * len(success))
    found = {
        "evaluation/goals_above_5_percent": float(np.sum(success[possible] > DISCOVERED_AT)),
        "evaluation/goals_above_50_percent": float(np.sum(success[possible] > MASTERED_AT)),
        "evaluation/mean_success": float(success[possible].mean()),
    }
    if groups:
        found |= _by_group(success, groups, "evaluation_discovered_goals", "evaluation_success")
    return found


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


def _scalars(metrics: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    for name, value in metrics.items():
        if isinstance(value, Mapping):
            yield from _scalars(value, f"{prefix}{name}/")
        elif isinstance(value, int | float) and name != "update" and math.isfinite(value):
            yield prefix + name, float(value)

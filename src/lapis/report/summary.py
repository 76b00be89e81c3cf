"""The numbers of the tables: every group of runs at the same number of frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lapis.minecraft.goals import ALL_GOALS, GOAL_GROUP, GROUPS
from lapis.report import statistics
from lapis.report.series import DISCOVERED, Group, Run

__all__ = ["LEVELS", "Summary", "common_frames", "group_counts", "summarize", "unequal_lengths"]

LEVELS = (17, 43, 70, 82)
"""Numbers of goals, found by treatments of the paper, that curves are timed to (paper P23)."""

MASTERED = 0.5
"""The second threshold: a goal that is obtained more often than not."""

BOOTSTRAP_SEED = 0


@dataclass(frozen=True, kw_only=True)
class Summary:
    """One group of runs, one value per seed."""

    group: Group
    discovered: np.ndarray
    """Goals above 5 % at the common number of frames."""
    mastered: np.ndarray
    """Goals above 50 % there."""
    area: np.ndarray
    """Mean of discovered goals over frames, from 0 to the common number."""
    frames_to: dict[int, np.ndarray]
    """Frames until so many goals were discovered; infinity where they never were."""
    drop: np.ndarray
    """Largest drop of discovered goals from their maximum until then (paper P29)."""
    evaluated: np.ndarray
    """Goals above 5 % in the last evaluation until then; shorter where seeds have none."""
    evaluated_drop: np.ndarray
    """Largest drop between evaluations until then; likewise."""


def common_frames(groups: Sequence[Group]) -> int:
    """The number of frames that every run has reached."""
    return min(int(run.frames[-1]) for group in groups for run in group.runs)


def unequal_lengths(groups: Sequence[Group]) -> bool:
    """Whether some run is more than 1 % longer than the shortest."""
    longest = max(int(run.frames[-1]) for group in groups for run in group.runs)
    return longest > 1.01 * common_frames(groups)


def summarize(group: Group, frames: int) -> Summary:
    """The group's values at `frames` policy steps."""
    curves = [_until(run, frames) for run in group.runs]
    evaluations = [_evaluations_until(run, frames) for run in group.runs]
    evaluated = [counts for counts in evaluations if counts.size]
    return Summary(
        group=group,
        discovered=np.array([values[-1] for _, values in curves]),
        mastered=np.array([_at(run, run.discovered(MASTERED), frames) for run in group.runs]),
        area=np.array([statistics.area_under_curve(*curve) for curve in curves]),
        frames_to={
            level: np.array([statistics.first_crossing(*curve, level) for curve in curves])
            for level in LEVELS
        },
        drop=np.array([statistics.largest_drop(values) for _, values in curves]),
        evaluated=np.array([counts[-1] for counts in evaluated]),
        evaluated_drop=np.array([statistics.largest_drop(counts) for counts in evaluated]),
    )


def mean_and_interval(values: np.ndarray) -> tuple[float, float, float]:
    """Mean over seeds and the ends of its 95 % interval, always from the same resamples."""
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    low, high = statistics.bootstrap_interval(values, generator)
    return float(np.mean(values)), float(low), float(high)


def group_counts(group: Group, frames: int) -> dict[str, tuple[float, int]]:
    """Per resource group: discovered goals, mean over seeds, and how many goals there are."""
    goals = group.runs[0].goals
    resource = np.array([GROUPS[GOAL_GROUP[ALL_GOALS.index(goal)]] for goal in goals])
    success = np.stack([_at(run, run.success, frames) for run in group.runs])
    return {
        name: (
            float(statistics.discovered_count(success[:, resource == name], DISCOVERED).mean()),
            int(np.count_nonzero(resource == name)),
        )
        for name in GROUPS
        if np.any(resource == name)
    }


def _until(run: Run, frames: int) -> tuple[np.ndarray, np.ndarray]:
    """Frames and discovered goals of the run up to and at `frames`."""
    inside = run.frames < frames
    discovered = run.discovered()
    last = _at(run, discovered, frames)
    return np.append(run.frames[inside], frames), np.append(discovered[inside], last)


def _at(run: Run, values: np.ndarray, frames: int) -> np.ndarray:
    return statistics.value_at(run.frames, values, np.array([frames]))[0]


def _evaluations_until(run: Run, frames: int) -> np.ndarray:
    """Goals above 5 % in each evaluation until `frames`; empty where there is none."""
    if run.evaluation is None:
        return np.zeros(0)
    return run.evaluated()[run.evaluation.frames <= frames]

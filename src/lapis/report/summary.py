"""The numbers of the tables: every group of runs at the same number of frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lapis.minecraft.goals import ALL_GOALS, GOAL_GROUP, GROUPS
from lapis.report import statistics
from lapis.report.series import DISCOVERED, Group, Measure

__all__ = [
    "LEVELS",
    "Measured",
    "Summary",
    "by_result",
    "common_frames",
    "common_frames_per_update",
    "common_measure",
    "group_counts",
    "middle_and_interval",
    "summarize",
]

LEVELS = (17, 43, 70, 82)
"""Numbers of goals, found by treatments of the paper, that curves are timed to (paper P23)."""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What one measure of success gives, one value per seed."""

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


@dataclass(frozen=True, kw_only=True)
class Summary:
    """One group of runs."""

    group: Group
    measured: dict[Measure, Measured]
    """By evaluation only if every seed has one until the common number of frames."""
    evaluation_frames: np.ndarray
    """When the last evaluation until then was; empty without evaluations."""
    gap: np.ndarray
    """Goals above 5 % by the averages at the last evaluation, less those by that evaluation."""

    def discovered(self, measure: Measure) -> np.ndarray:
        """Goals above 5 %, one value per seed."""
        return self.measured[measure].discovered


def common_frames(groups: Sequence[Group]) -> int:
    """The number of frames that every run has reached."""
    return min(int(run.frames[-1]) for group in groups for run in group.runs)


def common_frames_per_update(groups: Sequence[Group]) -> float | None:
    """The frames that every group plays in an update; None where they differ."""
    rates = {group.frames_per_update for group in groups}
    return rates.pop() if len(rates) == 1 else None


def common_measure(summaries: Sequence[Summary]) -> Measure:
    """Evaluation where all groups have one: groups are never compared by different measures."""
    has_evaluation = all("evaluation" in summary.measured for summary in summaries)
    return "evaluation" if has_evaluation else "average"


def by_result(summaries: Sequence[Summary]) -> list[Summary]:
    """The most discovered goals first, by the measure that all of them have."""
    measure = common_measure(summaries)
    return sorted(summaries, key=lambda each: -middle_and_interval(each.discovered(measure))[0])


def summarize(group: Group, frames: int) -> Summary:
    """The group's values at `frames` policy steps."""
    measured: dict[Measure, Measured] = {"average": _measured(group, "average", frames)}
    last = gap = np.zeros(0)
    evaluations = [run.evaluation for run in group.runs if run.evaluation is not None]
    known = [each for each in evaluations if each.frames[0] <= frames]
    if len(known) == len(group.runs):
        by_evaluation = measured["evaluation"] = _measured(group, "evaluation", frames)
        last = np.array([each.frames[each.frames <= frames][-1] for each in known])
        then = [
            statistics.value_at(run.frames, run.discovered, when)
            for run, when in zip(group.runs, last, strict=True)
        ]
        gap = np.array(then) - by_evaluation.discovered
    return Summary(group=group, measured=measured, evaluation_frames=last, gap=gap)


def middle_and_interval(values: np.ndarray) -> tuple[float, float, float]:
    """Interquartile mean over seeds and the ends of its 95 % interval."""
    low, high = statistics.bootstrap_interval(values, statistic=statistics.interquartile_mean)
    return float(statistics.interquartile_mean(values)), float(low), float(high)


def group_counts(group: Group, frames: int, measure: Measure) -> dict[str, tuple[float, int]]:
    """Per resource group: discovered goals, mean over seeds, and how many goals there are."""
    resource = np.array([GROUPS[GOAL_GROUP[ALL_GOALS.index(goal)]] for goal in group.goals])
    success = np.stack([run.success_at(frames, measure) for run in group.runs])
    return {
        name: (
            float(statistics.discovered_count(success[:, resource == name], DISCOVERED).mean()),
            int(np.count_nonzero(resource == name)),
        )
        for name in GROUPS
        if np.any(resource == name)
    }


def _measured(group: Group, measure: Measure, frames: int) -> Measured:
    """What the curves of each seed say until `frames`; after its end a curve stays level."""
    seeds = [run.curves(measure) for run in group.runs]
    curves: list[tuple[np.ndarray, np.ndarray]] = []
    for position, discovered, _ in seeds:
        inside = position < frames
        last = statistics.value_at(position, discovered, frames)
        curves.append((np.append(position[inside], frames), np.append(discovered[inside], last)))
    return Measured(
        discovered=np.array([values[-1] for _, values in curves]),
        mastered=np.array([statistics.value_at(x, values, frames) for x, _, values in seeds]),
        area=np.array([statistics.area_under_curve(*curve) for curve in curves]),
        frames_to={
            level: np.array([statistics.first_crossing(*curve, level) for curve in curves])
            for level in LEVELS
        },
        drop=np.array([statistics.drop_from_maximum(values).max() for _, values in curves]),
    )

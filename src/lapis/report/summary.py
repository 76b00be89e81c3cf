"""The numbers of the tables: every group of runs at the same number of frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lapis.minecraft.goals import ALL_GOALS, GOAL_GROUP, GROUPS
from lapis.report import statistics
from lapis.report.series import DISCOVERED, MASTERED, Curves, Group, Run

__all__ = [
    "LEVELS",
    "Measure",
    "Measured",
    "Summary",
    "by_result",
    "common_frames",
    "common_frames_per_update",
    "common_measure",
    "group_counts",
    "mean_and_interval",
    "summarize",
    "unequal_lengths",
]

Measure = Literal["evaluation", "average"]
"""How success is known: from attempts apart from training, or by the averages of training."""

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
    average: Measured
    evaluation: Measured | None
    """None unless every seed has an evaluation until the common number of frames."""
    evaluation_frames: np.ndarray
    """When the last evaluation until then was; empty without evaluations."""
    gap: np.ndarray
    """Goals above 5 % by the averages at the last evaluation, less those by that evaluation."""

    def by(self, measure: Measure) -> Measured:
        """The numbers by this measure, which must be there."""
        if measure == "average":
            return self.average
        assert self.evaluation is not None
        return self.evaluation


def common_frames(groups: Sequence[Group]) -> int:
    """The number of frames that every run has reached."""
    return min(int(run.frames[-1]) for group in groups for run in group.runs)


def common_frames_per_update(groups: Sequence[Group]) -> float | None:
    """The frames that every group plays in an update; None where they differ."""
    rates = {float(group.grid_frames[-1] / group.grid[-1]) for group in groups}
    return rates.pop() if len(rates) == 1 else None


def unequal_lengths(groups: Sequence[Group]) -> bool:
    """Whether some run is more than 1 % longer than the shortest."""
    longest = max(int(run.frames[-1]) for group in groups for run in group.runs)
    return longest > 1.01 * common_frames(groups)


def common_measure(summaries: Sequence[Summary]) -> Measure:
    """Evaluation where all groups have one: groups are never compared by different measures."""
    has_evaluation = all(summary.evaluation is not None for summary in summaries)
    return "evaluation" if has_evaluation else "average"


def by_result(summaries: Sequence[Summary]) -> list[Summary]:
    """The most discovered goals first, by the measure that all of them have."""
    measure = common_measure(summaries)
    return sorted(summaries, key=lambda each: -float(each.by(measure).discovered.mean()))


def summarize(group: Group, frames: int) -> Summary:
    """The group's values at `frames` policy steps."""
    averages = [(r.frames, r.discovered(), r.discovered(MASTERED)) for r in group.runs]
    average = _measured(averages, frames)
    evaluated = [run.evaluation_curves() for run in group.runs]
    known = [curves for curves in evaluated if curves is not None and curves[0][1] <= frames]
    if len(known) < len(group.runs):
        none = np.zeros(0)
        return Summary(
            group=group, average=average, evaluation=None, evaluation_frames=none, gap=none
        )
    evaluation = _measured(known, frames)
    last = np.array([position[position <= frames][-1] for position, *_ in known])
    then = [_at(r.frames, r.discovered(), when) for r, when in zip(group.runs, last, strict=True)]
    return Summary(
        group=group,
        average=average,
        evaluation=evaluation,
        evaluation_frames=last,
        gap=np.array(then) - evaluation.discovered,
    )


def mean_and_interval(values: np.ndarray) -> tuple[float, float, float]:
    """Mean over seeds and the ends of its 95 % interval."""
    low, high = statistics.bootstrap_interval(values)
    return float(np.mean(values)), float(low), float(high)


def group_counts(group: Group, frames: int, measure: Measure) -> dict[str, tuple[float, int]]:
    """Per resource group: discovered goals, mean over seeds, and how many goals there are.

    From the last evaluation until `frames`, or from the averages at the last point in time that is
    kept until then.
    """
    goals = group.runs[0].goals
    resource = np.array([GROUPS[GOAL_GROUP[ALL_GOALS.index(goal)]] for goal in goals])
    success = np.stack([_success_at(run, frames, measure) for run in group.runs])
    return {
        name: (
            float(statistics.discovered_count(success[:, resource == name], DISCOVERED).mean()),
            int(np.count_nonzero(resource == name)),
        )
        for name in GROUPS
        if np.any(resource == name)
    }


def _success_at(run: Run, frames: int, measure: Measure) -> np.ndarray:
    """Success of each goal, shape (goal,)."""
    if measure == "average":
        return _at(run.point_frames, run.success, frames)
    assert run.evaluation is not None
    return _at(run.evaluation.frames, run.evaluation.success, frames)


def _measured(seeds: Sequence[Curves], frames: int) -> Measured:
    """What the curves of each seed say until `frames`."""
    discovered = [_until(position, values, frames) for position, values, _ in seeds]
    return Measured(
        discovered=np.array([values[-1] for _, values in discovered]),
        mastered=np.array([_at(position, values, frames) for position, _, values in seeds]),
        area=np.array([statistics.area_under_curve(*curve) for curve in discovered]),
        frames_to={
            level: np.array([statistics.first_crossing(*curve, level) for curve in discovered])
            for level in LEVELS
        },
        drop=np.array([statistics.largest_drop(values) for _, values in discovered]),
    )


def _until(position: np.ndarray, values: np.ndarray, frames: int) -> tuple[np.ndarray, np.ndarray]:
    """The curve up to and at `frames`; after its end it stays at its last level."""
    inside = position < frames
    return np.append(position[inside], frames), np.append(
        values[inside], _at(position, values, frames)
    )


def _at(position: np.ndarray, values: np.ndarray, frames: int) -> np.ndarray:
    return statistics.value_at(position, values, np.array([frames]))[0]

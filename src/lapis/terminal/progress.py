"""What a training view shows, computed from the metrics alone."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from lapis.runs.compact import DISCOVERED_AT

__all__ = ["DISCOVERED_AT", "UNOBTAINABLE", "Progress", "duration", "resample", "short"]

UNOBTAINABLE = "impossible"
"""The group of goals that nobody can reach; they are sampled but not counted (paper P9)."""

RATE_WINDOW = 50
"""Updates over which the rate is taken."""


class Progress:
    """Takes the metrics of each update and answers what a view asks.

    `goals` are in the order of the metrics' lists, `groups` has the group of each, or nothing.
    `discovered` is for a run that is resumed: discovered goals after each update so far.
    """

    def __init__(
        self,
        *,
        update_total: int,
        goals: Sequence[str],
        groups: Sequence[str] = (),
        discovered: Sequence[int] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.update_total = update_total
        self.goals = tuple(goals)
        self.groups = tuple(groups)
        self.metrics: Mapping[str, Any] = {}
        self.discovered = list(discovered)
        self.evaluation: Mapping[str, Any] = {}
        """The counts of the newest one."""
        self._clock = clock
        self._marks: deque[tuple[float, int]] = deque(maxlen=RATE_WINDOW)

    def take(self, metrics: Mapping[str, Any]) -> None:
        """The metrics of one more update."""
        self.metrics = metrics
        self.discovered.append(int(metrics["discovered"]))
        self._marks.append((self._clock(), int(metrics["update"])))

    def evaluated(self, threshold: float = DISCOVERED_AT) -> int | None:
        """Goals whose share of successes in the last evaluation is above `threshold`.

        Goals that nobody can reach are not counted; None before the first evaluation.
        """
        if not self.evaluation:
            return None
        share = np.asarray(self.evaluation["successes"]) / np.asarray(self.evaluation["attempts"])
        possible = np.array(self.groups or [""] * len(share)) != UNOBTAINABLE
        return int(np.count_nonzero(possible & (share > threshold)))

    @property
    def update(self) -> int:
        """Updates finished."""
        return int(self.metrics.get("update", 0))

    @property
    def goal_total(self) -> int:
        """Goals that can be discovered."""
        return len(self.goals) - self.groups.count(UNOBTAINABLE)

    @property
    def seconds_left(self) -> float | None:
        """Time to the last update at the rate of the last ones; None before there is a rate."""
        if len(self._marks) < 2:
            return None
        (first_time, first_update), (last_time, last_update) = self._marks[0], self._marks[-1]
        seconds_per_update = (last_time - first_time) / (last_update - first_update)
        return (self.update_total - last_update) * seconds_per_update

    def frontier(self, count: int) -> list[tuple[str, float, float]]:
        """Goals that are sampled most now: name, sampling probability, success probability.

        Among equals (all of them, when sampling is uniform) those nearest to even odds come first.
        """
        if "probabilities" not in self.metrics:
            return []
        probability = np.asarray(self.metrics["probabilities"], dtype=np.float64)
        success = np.asarray(self.metrics["success"], dtype=np.float64)
        order = np.lexsort((np.abs(success - 0.5), -probability))[:count]
        return [(self.goals[i], float(probability[i]), float(success[i])) for i in order]

    def group_counts(self) -> list[tuple[str, int, int]]:
        """Per group, in the order of the goals: name, discovered goals, goals."""
        groups = np.array(self.groups)
        success = np.asarray(self.metrics.get("success", np.zeros(len(groups))))
        is_discovered = success > DISCOVERED_AT
        return [
            (name, int(is_discovered[groups == name].sum()), int((groups == name).sum()))
            for name in dict.fromkeys(self.groups)
            if name != UNOBTAINABLE
        ]


def resample(values: Sequence[float], count: int) -> list[float]:
    """At most `count` of `values`, evenly spread, the last one included."""
    if len(values) <= count:
        return list(values)
    ends = np.linspace(0, len(values) - 1, count).round().astype(int)
    return [values[end] for end in ends]


def duration(seconds: float | None) -> str:
    """`seconds` as hours:minutes:seconds, with days where there are any."""
    if seconds is None:
        return "-:--:--"
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    clock = f"{hour}:{minute:02d}:{second:02d}"
    return f"{days} d {clock}" if days else clock


def short(number: float) -> str:
    """A large number in few characters: 950, 26.1k, 3.4M."""
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= limit:
            return f"{number / limit:.1f}{unit}"
    return f"{number:.0f}"

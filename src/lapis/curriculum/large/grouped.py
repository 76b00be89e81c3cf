"""A curriculum over groups of described tasks, which are regrouped as outcomes come in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.bounds import NOT_NEGATIVE, SHARE, Bound, check, shown
from lapis.curriculum import noise
from lapis.curriculum.checks import COUNTED, MOST_COUNTS
from lapis.curriculum.large.centers import CENTERS, Basis, Centers
from lapis.curriculum.large.log import OutcomeLog
from lapis.curriculum.large.relevance import relevance
from lapis.curriculum.large.rule import LargeRule, checked_features, near_shares
from lapis.curriculum.large.slopes import Slopes
from lapis.curriculum.teacher import DRAWS, Teacher, draw

FIRST_REGROUPING = 8
"""Attempts per group after which features are weighed first, and then at each doubling."""
LOG_PER_GROUP = 256
"""Outcomes per group that are kept for new groups to learn from."""
LEAST_CHANGE = 1.5
"""Tasks are regrouped when a feature's weight has changed by that factor against another's."""
RELEVANT = Bound(above=0, most=1)
_GROUPING = {
    "weight_": RELEVANT,
    "grouped_": COUNTED,
    "log_task_": COUNTED,
    "log_tries_": COUNTED,
    "log_update_": COUNTED,
    "log_won_": NOT_NEGATIVE,
    "log_next_": COUNTED,
}


class GroupedProgress(Teacher):
    """What clusters and functions share: each task belongs to its nearest groups, in shares.

    A subclass says to how many. With no more tasks than groups, each task is its own group.
    """

    _learned: ClassVar[Mapping[str, Bound]] = {"total_": COUNTED}

    def __init__(
        self,
        task_count: int,
        features: ArrayLike | None,
        group_count: int,
        near_count: int,
        rule: LargeRule,
    ) -> None:
        super().__init__(task_count)
        self.rule = rule
        self._group_count = check("group_count", group_count, CENTERS)
        self._near_count = near_count
        self._features: np.ndarray | None = None
        self.total_ = np.zeros(1, np.int64)
        self._log: OutcomeLog | None = None
        if features is None:
            if self.task_count > group_count:
                raise ValueError(
                    f"features are needed to group {self.task_count} tasks into {group_count} "
                    "groups: an array of shape (task, feature)"
                )
            self._centers = None
            self._join(np.arange(self.task_count)[:, None], np.ones((self.task_count, 1)))
            self._neighbors = None
            self._slopes = Slopes(self.task_count, self.rule)
            return
        self._features = checked_features(features, self.task_count)
        self.grouped_ = np.array([self.task_count])
        """Tasks whose features decided where the groups are, shape (1,)."""
        self.weight_ = np.ones(self._features.shape[1])
        """How much each feature counts in the choice of groups, shape (feature,)."""
        if self.task_count > group_count:
            self._log = OutcomeLog(LOG_PER_GROUP * group_count)
        self._group()

    def group_progress(self) -> np.ndarray:
        """The least change of each group's reweighted success per `rule.memory` attempts."""
        low, high = self._slopes.bounds()
        return np.maximum(np.maximum(low, -high), 0.0)

    def group_hopes(self) -> np.ndarray:
        """The progress that each group may make at best, shape (group,); see `LargeRule`."""
        slopes = self._slopes
        rise = slopes.rise()
        near = np.zeros_like(rise) if self._neighbors is None else self._neighbors @ rise
        return self.rule.hopes(slopes.bounds(), slopes.success(), slopes.successes(), near)

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        if not self.total_[0]:
            return np.full(self.task_count, 1.0 / self.task_count)
        per_share = self._group_probabilities() / self._mass
        if self._near.shape[1] == 1:
            return per_share[self._near[:, 0]]
        return (per_share[self._near] * self._share).sum(axis=1)

    def sample(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draws `count` tasks independently, int64, shape (count,): a group, then a task of it."""
        count = check("count", count, DRAWS)
        if not isinstance(rng, np.random.Generator):
            raise ValueError(f"rng must be a numpy.random.Generator, not {shown(rng)}")
        group = draw(self._group_probabilities(), count, rng)
        goal = self._start[group] + rng.random(count) * self._mass[group]
        # Rounding must not lead into the next group.
        place = np.searchsorted(self._upper, goal, side="right")
        return self._order[np.clip(place, self._first[group], self._first[group + 1] - 1)]

    def add_tasks(self, features: ArrayLike) -> None:
        """Adds tasks to the groups that they resemble; they are numbered after the existing ones.

        Args:
            features: What is known of each new task, shape (task, feature).
        """
        if self._centers is None or self._features is None:
            raise ValueError(
                "add_tasks needs groups of described tasks: give features, of more tasks than "
                f"there are groups ({self._group_count})"
            )
        rows = checked_features(features, None, self._features.shape[1])
        self._features = np.concatenate([self._features, rows])
        self.task_count += len(rows)
        self._join(*self._groups_of(self._features, len(self._centers.of_rows)))
        recorded = np.zeros((2, self.task_count), np.int64)
        recorded[:, : self._recorded.shape[1]] = self._recorded
        self._recorded = recorded

    def state_dict(self) -> dict[str, Any]:
        """Everything learned so far; a teacher that loads it continues bit for bit."""
        arrays = self._grouping() | self._slopes.arrays()
        return super().state_dict() | {name: array.copy() for name, array in arrays.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Loads a state from `state_dict` of a teacher of the same tasks and settings."""
        before = self.__dict__.copy()
        try:
            self._load(state)
        except ValueError:
            self.__dict__ = before
            raise

    def _group_probabilities(self) -> np.ndarray:
        if not self.total_[0]:
            return self._mass / self.task_count
        weights = self.rule.weights(self.group_hopes())
        floor = self.rule.floor
        return (1.0 - floor) * weights + floor * self._mass / self.task_count

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        tried = np.flatnonzero(attempts)
        if not tried.size:
            return
        won, tries = successes[tried], attempts[tried]
        self._learn_from(tried, won, tries)
        before = int(self.total_[0])
        self.total_ = np.array([min(before + int(tries.sum()), MOST_COUNTS)])
        if self._log is not None:
            self._log.append(tried, won, tries)
            least = FIRST_REGROUPING * self._group_count
            if (int(self.total_[0]) // least).bit_length() > (before // least).bit_length():
                self._consider_regrouping()

    def _learn_from(self, tried: np.ndarray, won: np.ndarray, tries: np.ndarray) -> None:
        group, share = self._near[tried].ravel(), self._share[tried]
        count = self._mass.size
        self._slopes.update(
            np.bincount(group, (won[:, None] * share).ravel(), count),
            np.bincount(group, (tries[:, None] * share).ravel(), count),
        )

    def _consider_regrouping(self) -> None:
        """Weighs the features by the logged outcomes and regroups if that changes much."""
        assert self._log is not None
        assert self._features is not None
        task, won, tries, _ = self._log.entries()
        tried, place = np.unique(task, return_inverse=True)
        success = np.bincount(place, won) / np.bincount(place, tries)
        scale = self._centers.unit_scale if self._centers is not None else 1.0
        rows = self._features[tried] * scale
        weight = relevance(rows, self._near[tried, 0], success, self._mass.size)
        change = np.log(weight / self.weight_)
        if np.ptp(change) > np.log(LEAST_CHANGE):
            self.weight_ = weight
            self.grouped_ = np.array([self.task_count])
            self._group()
            for each in self._log.updates():
                self._learn_from(*each)

    def _group(self) -> None:
        """Makes groups of tasks by their weighed features; nothing is known of them then."""
        assert self._features is not None
        rows = self._features[: int(self.grouped_[0])]
        if self.task_count > self._group_count or self._near_count > 1:
            self._centers = Centers(rows, self._group_count, self.weight_)
            self._basis = Basis(self._centers, self._near_count)
            places = self._centers.places
            self._join(*self._groups_of(self._features, len(rows)))
        else:
            self._centers = None
            spread = rows.std(axis=0)
            places = rows * np.divide(1.0, spread, where=spread > 1e-12, out=0.0 * spread)
            self._join(np.arange(self.task_count)[:, None], np.ones((self.task_count, 1)))
        self._neighbors = near_shares(places, self.rule.neighbor_count)
        self._slopes = Slopes(len(places), self.rule)

    def _groups_of(self, features: np.ndarray, known: int) -> tuple[np.ndarray, np.ndarray]:
        """The groups of tasks and their shares; the first `known` ones were there at grouping."""
        assert self._centers is not None
        if self._near_count > 1:
            return self._basis(features)
        later = self._centers.nearest(features[known:])
        near = np.concatenate([self._centers.of_rows, later])[:, None].astype(np.int32)
        return near, np.ones(near.shape)

    def _join(self, near: np.ndarray, share: np.ndarray) -> None:
        """Lists the tasks of each group, to draw from."""
        self._near, self._share = near, share
        group = near.ravel()
        count = int(group.max()) + 1 if self._centers is None else len(self._centers.places)
        order = np.argsort(group, kind="stable")
        self._order = (order // near.shape[1]).astype(np.int64)
        self._upper = np.cumsum(share.ravel()[order])
        self._first = np.searchsorted(group[order], np.arange(count + 1))
        edges = np.append(0.0, self._upper)[self._first]
        self._start, self._mass = edges[:-1], np.diff(edges)

    def _grouping(self) -> dict[str, np.ndarray]:
        if self._features is None:
            return {}
        found = {"weight_": self.weight_, "grouped_": self.grouped_}
        if self._log is not None:
            found |= {f"log_{name}": value for name, value in vars(self._log).items()}
        return found

    def _load(self, state: Mapping[str, Any]) -> None:
        self._check_kind(state)
        loaded = {
            name: self._loaded(name, array, state, _GROUPING[name])
            for name, array in self._grouping().items()
        }
        if self._features is not None:
            weight, grouped = loaded["weight_"], loaded["grouped_"]
            if not 1 <= grouped[0] <= self.task_count:
                raise ValueError(
                    f"state['grouped_'] is {grouped[0]}; it must be 1 to {self.task_count}"
                )
            if (weight != self.weight_).any() or (grouped != self.grouped_).any():
                self.weight_, self.grouped_ = weight, grouped
                self._group()
        if self._log is not None:
            self._log = OutcomeLog.loaded(
                {name.removeprefix("log_"): each for name, each in loaded.items()}, self.task_count
            )
        slopes = Slopes(self._mass.size, self.rule)
        for name, array in slopes.arrays().items():
            array[...] = self._loaded(name, array, state, SHARE)
        factors = slopes.noise.factors_
        if ((factors > 0.0) & (factors < noise.LEAST_FACTOR)).any():
            raise ValueError(
                f"state['factors_'] holds a factor below {noise.LEAST_FACTOR} that is not 0"
            )
        self._slopes = slopes
        super().load_state_dict(state)

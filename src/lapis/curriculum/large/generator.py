"""Generators of tasks: they propose described tasks and learn from the outcomes (paper P32).

    generator = ProgressGenerator(Descriptions([Range(low=0.0, high=1.0), Choice(count=3)]))
    tasks = generator.propose(64, rng)               # rows of numbers: train on these
    generator.update(tasks, successes, attempts)     # counts per row

All have `propose`, `update`, `state_dict` and `load_state_dict`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import MODERATE, check_numbers
from lapis.bounds import COUNT, FRACTION, SEED, SHARE, Bound, check, shown
from lapis.curriculum.checks import COUNTED, check_counts
from lapis.curriculum.large.clusters import ClusteredProgress
from lapis.curriculum.large.descriptions import Descriptions
from lapis.curriculum.sampling import sampling_weights
from lapis.curriculum.teacher import draw

TEMPERATURE = Bound(above=0, most=1e6)
CHILDREN_PER_PLACE = 4
"""Children that are judged for each one that is proposed."""
KEPT_OUTCOMES = 0.5
"""What earlier outcomes of a replayed task count, once there are new ones."""


class DomainRandomization:
    """Proposes even draws from all descriptions, whatever happens.

    Args:
        space: All descriptions.
    """

    def __init__(self, space: Descriptions) -> None:
        self.space = space

    def propose(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Describes `count` tasks, float64, shape (task, number)."""
        return self.space.draw(check("count", count, COUNT), rng)

    def update(self, tasks: ArrayLike, successes: ArrayLike, attempts: ArrayLike) -> None:
        """Learns nothing; refuses what is no outcome of described tasks."""
        _checked(self.space, tasks, successes, attempts)

    def state_dict(self) -> dict[str, Any]:
        """Nothing but the kind."""
        return {"class": type(self).__name__}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Checks the kind."""
        _check_kind(self, state)


class ReplayGenerator:
    """Replays tasks that are solved now and then, edits them, and draws new ones (PLR, ACCEL).

    Prioritized Level Replay (Jiang et al. 2021) keeps a buffer of levels and replays those of high
    score, by rank, and stale ones; ACCEL (Parker-Holder et al. 2022) also edits what it replays.
    Their scores are errors of a value function. Outcomes contain no value function, so the score
    here is p (1 - p), as in Sampling For Learnability (Rutherford et al. 2024), with p from the
    outcomes of the task itself, plus one success and one failure.

    Args:
        space: All descriptions.
        capacity: Tasks in the buffer, at most; those of the greatest score stay.
        replay: Share of the proposals that come from the buffer.
        edited: Share of these that are mutated.
        temperature: The smaller, the more the best ranks are preferred.
        staleness: Share of replays chosen by how long ago a task was proposed.
        step: Size of mutations, in units of each range.
    """

    def __init__(
        self,
        space: Descriptions,
        *,
        capacity: int = 1024,
        replay: float = 0.5,
        edited: float = 0.5,
        temperature: float = 0.3,
        staleness: float = 0.1,
        step: float = 0.1,
    ) -> None:
        self.space = space
        self.capacity = check("capacity", capacity, COUNT)
        self.replay = check("replay", replay, SHARE)
        self.edited = check("edited", edited, SHARE)
        self.temperature = check("temperature", temperature, TEMPERATURE)
        self.staleness = check("staleness", staleness, SHARE)
        self.step = check("step", step, FRACTION)
        self.tasks_ = np.zeros((0, space.width))
        self.outcomes_ = np.zeros((0, 2))
        """Successes and attempts of each task in the buffer, old ones counting less."""
        self.tried_ = np.zeros(0, np.int64)
        """The update that brought its last outcome."""
        self.updates_ = 0

    def propose(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Describes `count` tasks, float64, shape (task, number)."""
        rows = self.space.draw(check("count", count, COUNT), rng)
        if not len(self.tasks_):
            return rows
        replayed = self.tasks_[draw(self._chances(), count, rng)]
        edits = self.space.mutate(replayed, rng, self.step)
        replayed = np.where(rng.random((count, 1)) < self.edited, edits, replayed)
        return np.where(rng.random((count, 1)) < self.replay, replayed, rows)

    def _chances(self) -> np.ndarray:
        rank = np.empty(len(self.tasks_))
        rank[np.argsort(-score(self.outcomes_), kind="stable")] = np.arange(1, rank.size + 1)
        by_rank = rank ** (-1.0 / self.temperature)
        age = self.updates_ - self.tried_ + 1.0
        return (1.0 - self.staleness) * by_rank / by_rank.sum() + self.staleness * age / age.sum()

    def update(self, tasks: ArrayLike, successes: ArrayLike, attempts: ArrayLike) -> None:
        """Learns from the outcomes of tasks, one row each: those of the greatest score stay."""
        rows, won, tries = _checked(self.space, tasks, successes, attempts)
        self.updates_ += 1
        is_tried = tries > 0
        rows, new = rows[is_tried], np.stack([won, tries], axis=1)[is_tried].astype(float)
        # Rows that describe the same task are one.
        known = len(self.tasks_)
        every, first, place = np.unique(
            np.concatenate([self.tasks_, rows]), axis=0, return_index=True, return_inverse=True
        )
        place = place.reshape(-1)
        fresh, before = np.zeros((len(every), 2)), np.zeros((len(every), 2))
        np.add.at(fresh, place[known:], new)
        before[place[:known]] = self.outcomes_
        tried = np.zeros(len(every), np.int64)
        tried[place[:known]] = self.tried_
        is_new = fresh[:, 1] > 0
        outcomes = np.where(is_new[:, None], KEPT_OUTCOMES * before + fresh, before)
        tried[is_new] = self.updates_
        # Of equal scores those that were tried last stay, and then those that came first.
        order = np.lexsort((first, -tried, -score(outcomes)))[: self.capacity]
        self.tasks_, self.outcomes_, self.tried_ = every[order], outcomes[order], tried[order]

    def state_dict(self) -> dict[str, Any]:
        """Everything learned so far; a generator that loads it continues bit for bit."""
        return {
            "class": type(self).__name__,
            "tasks_": self.tasks_.copy(),
            "outcomes_": self.outcomes_.copy(),
            "tried_": self.tried_.copy(),
            "updates_": self.updates_,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Loads a state from `state_dict` of a generator of the same descriptions."""
        _check_kind(self, state)
        tasks = _loaded_tasks(self.space, state)
        outcomes, tried = (_loaded(name, state, COUNTED) for name in ("outcomes_", "tried_"))
        updates = check("state['updates_']", state.get("updates_"), COUNTED)
        fits = outcomes.shape == (len(tasks), 2) and tried.shape == (len(tasks),)
        if not fits or len(tasks) > self.capacity:
            raise ValueError(f"state has no buffer of at most {self.capacity} tasks and outcomes")
        if (outcomes[:, 0] > outcomes[:, 1]).any():
            raise ValueError("state['outcomes_'] has a task with more successes than attempts")
        if (tried > updates).any():
            raise ValueError("state['tried_'] has a task that was tried after the last update")
        self.tasks_, self.outcomes_ = tasks, outcomes.copy()
        self.tried_, self.updates_ = tried.astype(np.int64), updates


class ProgressGenerator:
    """Breeds tasks at which learned progress is high: mutation and recombination (paper P32).

    `ClusteredProgress` learns over `anchor_count` even draws: an outcome counts for the anchor
    nearest to its task. Parents are drawn from recently proposed tasks by the progress that the
    curriculum hopes for; of their children, the most promising are proposed. The rest are even
    draws, so that nothing is left out forever.

    Args:
        space: All descriptions.
        anchor_count: Even draws that represent all descriptions.
        population: Proposed tasks that can be parents: the latest ones.
        fresh: Share of the proposals that are even draws.
        recombined: Share of the children with two parents.
        step: Size of mutations, in units of each range.
        seed: Decides the anchors.
        cluster_count: Of `ClusteredProgress`.
        rule: Other settings of it.
    """

    def __init__(
        self,
        space: Descriptions,
        *,
        anchor_count: int = 2048,
        population: int = 512,
        fresh: float = 0.2,
        recombined: float = 0.3,
        step: float = 0.1,
        seed: int = 0,
        cluster_count: int = 256,
        **rule: Any,
    ) -> None:
        self.space = space
        self.population = check("population", population, COUNT)
        self.fresh = check("fresh", fresh, SHARE)
        self.recombined = check("recombined", recombined, SHARE)
        self.step = check("step", step, FRACTION)
        rng = np.random.default_rng(check("seed", seed, SEED))
        anchor_count = check("anchor_count", anchor_count, COUNT)
        self._anchors = space.features(space.draw(anchor_count, rng))
        self._half_square = 0.5 * np.square(self._anchors).sum(axis=1)
        self.judge = ClusteredProgress(
            anchor_count, self._anchors, cluster_count=cluster_count, **rule
        )
        self.tasks_ = np.zeros((0, space.width))
        self._anchor = np.zeros(0, np.int64)  # nearest to each of these tasks

    def propose(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Describes `count` tasks, float64, shape (task, number)."""
        rows = self.space.draw(check("count", count, COUNT), rng)
        if not len(self.tasks_):
            return rows
        # Rounded up or down by chance: so the share holds on average, whatever the count.
        fresh_count = min(int(self.fresh * count + rng.random()), count)
        if fresh_count == count:
            return rows
        hopes = self.judge.probabilities()
        bred_count = count - fresh_count
        child_count = CHILDREN_PER_PLACE * bred_count
        chances = _chances(hopes[self._anchor])
        first, second = self.tasks_[draw(chances, 2 * child_count, rng)].reshape(2, child_count, -1)
        both = self.space.recombine(first, second, rng)
        children = np.where(rng.random((child_count, 1)) < self.recombined, both, first)
        children = self.space.mutate(children, rng, self.step)
        chosen = draw(_chances(hopes[self.nearest(children)]), bred_count, rng)
        return np.concatenate([rows[:fresh_count], children[chosen]])

    def nearest(self, tasks: np.ndarray) -> np.ndarray:
        """The anchor nearest to each task, int64, shape (task,)."""
        features = self.space.features(tasks)
        return (self._half_square - features @ self._anchors.T).argmin(axis=1)

    def update(self, tasks: ArrayLike, successes: ArrayLike, attempts: ArrayLike) -> None:
        """Learns from the outcomes of tasks, one row each; they become the next parents."""
        rows, won, tries = _checked(self.space, tasks, successes, attempts)
        anchor, count = self.nearest(rows), len(self._anchors)
        self.judge.update(np.bincount(anchor, won, count), np.bincount(anchor, tries, count))
        self.tasks_ = np.concatenate([self.tasks_, rows[tries > 0]])[-self.population :]
        self._anchor = np.concatenate([self._anchor, anchor[tries > 0]])[-self.population :]

    def state_dict(self) -> dict[str, Any]:
        """Everything learned so far; a generator that loads it continues bit for bit."""
        return {
            "class": type(self).__name__,
            "tasks_": self.tasks_.copy(),
            "judge": self.judge.state_dict(),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Loads a state from `state_dict` of a generator with the same settings."""
        _check_kind(self, state)
        tasks = _loaded_tasks(self.space, state)
        self.judge.load_state_dict(state.get("judge", {}))
        self.tasks_, self._anchor = tasks, self.nearest(tasks)


def score(outcomes: np.ndarray) -> np.ndarray:
    """The variance p (1 - p) of each task, after one more success and failure, shape (task,)."""
    p = (outcomes[:, 0] + 1.0) / (outcomes[:, 1] + 2.0)
    return p * (1.0 - p)


def _chances(hopes: np.ndarray) -> np.ndarray:
    """The probability of each row, by the hopes of its anchor."""
    weights = sampling_weights(hopes / hopes.max())
    return weights / weights.sum()


def _checked(
    space: Descriptions, tasks: ArrayLike, successes: ArrayLike, attempts: ArrayLike
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = space.checked(tasks)
    won, tries = (
        check_counts(name, values, len(rows))
        for name, values in (("successes", successes), ("attempts", attempts))
    )
    if (won > tries).any():
        row = int((won > tries).argmax())
        raise ValueError(f"successes[{row}] is {won[row]}; there were {tries[row]} attempts")
    return rows, won, tries


def _check_kind(generator: object, state: Mapping[str, Any]) -> None:
    kind = state.get("class") if isinstance(state, Mapping) else None
    if kind != type(generator).__name__:
        raise ValueError(f"state is of class {shown(kind)}; this is a {type(generator).__name__}")


def _loaded_tasks(space: Descriptions, state: Mapping[str, Any]) -> np.ndarray:
    tasks = _loaded("tasks_", state, MODERATE)
    return space.checked(tasks).copy() if tasks.size else np.zeros((0, space.width))


def _loaded(name: str, state: Mapping[str, Any], bound: Bound) -> np.ndarray:
    if name not in state:
        raise ValueError(f"state lacks {name!r}")
    return check_numbers(f"state[{name!r}]", state[name], bound)

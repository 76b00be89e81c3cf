"""Runs a teacher with a simulated learner and records what happens."""

from __future__ import annotations

import dataclasses

import numpy as np

from lapis.arrays import check_per_task
from lapis.bounds import COUNT, SHARE, WHOLE, Bound, check
from lapis.curriculum.simulation.graph import TaskGraph
from lapis.curriculum.simulation.learner import LearnerModel, SimulatedLearner
from lapis.curriculum.teacher import Teacher

KNOWN_SUCCESS = 0.05
"""A task is known when its true success probability exceeds this (paper P23)."""


TASKS = Bound(least=0, most=1e9)


@dataclasses.dataclass(frozen=True)
class History:
    """What happened in a run, at regular intervals (row: record)."""

    update: np.ndarray
    """Updates done at each record, shape (record,)."""

    success: np.ndarray
    """True success probability, shape (record, task)."""

    sampling: np.ndarray
    """Share of the attempts since the last record, shape (record, task)."""

    @property
    def known(self) -> np.ndarray:
        """Number of tasks known at each record, by their true success, shape (record,)."""
        return (self.success > KNOWN_SUCCESS).sum(axis=1)


class Simulation:
    """One learner's world: the tasks, and everything that the seed decides.

    The same seed gives every teacher the same tasks: their ceilings do not depend on the teacher.
    """

    def __init__(self, graph: TaskGraph, seed: int, model: LearnerModel | None = None) -> None:
        self.graph = graph
        self.seed = check("seed", seed, WHOLE)
        self.model = LearnerModel() if model is None else model

    def run(self, teacher: Teacher, update_count: int, record_every: int = 100) -> History:
        """Lets a new learner practice what the teacher samples, and returns what happened.

        The teacher, of as many tasks as the graph has, learns as the run goes on. There are
        `record_every` updates between two records.
        """
        task_count = self.graph.task_count
        if teacher.task_count != task_count:
            raise ValueError(f"teacher has {teacher.task_count} tasks; the graph has {task_count}")
        update_count = check("update_count", update_count, COUNT)
        record_every = check("record_every", record_every, COUNT)
        ceilings, chance = (np.random.default_rng([self.seed, purpose]) for purpose in (0, 1))
        learner = SimulatedLearner(
            self.graph, self.model, ceilings.uniform(self.model.least_ceiling, 1.0, task_count)
        )
        record_count = update_count // record_every
        success = np.zeros((record_count, task_count))
        sampling = np.zeros((record_count, task_count))
        for record in range(record_count):
            tried = np.zeros(task_count, np.int64)
            for _ in range(record_every):
                attempts = chance.multinomial(self.model.attempt_count, teacher.probabilities())
                teacher.update(learner.practice(attempts, chance), attempts)
                tried += attempts
            success[record] = learner.success_
            sampling[record] = tried / tried.sum()
        return History(np.arange(1, record_count + 1) * record_every, success, sampling)


def largest_drop(known: np.ndarray, least_known: int = 10) -> float:
    """The largest share of the known tasks that was lost again, whether regained or not.

    Measured from the running maximum, once it has reached `least_known` tasks.
    """
    known = check_per_task("known", known, TASKS)
    top = np.maximum.accumulate(known)
    return float(_drops(known, top, least_known).max(initial=0.0))


def largest_cycle(known: np.ndarray, recovery: float = 0.9, least_known: int = 10) -> float:
    """The largest share of the known tasks that was lost and then regained.

    A drop counts if the share `recovery` of the former maximum is reached again.
    """
    known = check_per_task("known", known, TASKS)
    recovery = check("recovery", recovery, SHARE)
    top = np.maximum.accumulate(known)
    best_later = np.maximum.accumulate(known[::-1])[::-1]
    drops = _drops(known, top, least_known)
    return float(drops[best_later >= recovery * top].max(initial=0.0))


def _drops(known: np.ndarray, top: np.ndarray, least_known: int) -> np.ndarray:
    least_known = check("least_known", least_known, WHOLE)
    return np.where(top >= least_known, (top - known) / np.maximum(top, 1), 0.0)

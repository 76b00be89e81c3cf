"""The learner itself: how success grows with practice and fades without."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import numpy as np

from lapis.arrays import check_numbers, check_shape
from lapis.bounds import FRACTION, SHARE, Bound, Checked
from lapis.curriculum.checks import check_counts
from lapis.curriculum.simulation.graph import TaskGraph

SIGNAL = Bound(least=0, most=1e50)


@dataclasses.dataclass(frozen=True, kw_only=True)
class LearnerModel(Checked):
    """The constants of the simulated learner; one set for all teachers."""

    attempt_count: Annotated[int, Bound(least=1, most=10**9, whole=True)] = 50
    """Attempts per update. The paper's 17,180 frames are 11 tasks that time out or far more that
    succeed early."""

    learning_rate: Annotated[float, FRACTION] = 0.003
    """Share of the missing skill gained per success in an update."""

    least_signal: Annotated[float, SIGNAL] = 0.4
    """Successes per update below which the noise of the other tasks in the batch washes a young
    skill out: the H samples per batch of paper section 2.1."""

    bonus: Annotated[float, SIGNAL] = 0.015
    """What one occasion to stumble on a task is worth, in successes."""

    bonus_for_any_goal: bool = True
    """True: an exploration bonus (paper P7, P8) makes any attempt that comes near an occasion.
    False: there is none, and a task can only be found while it is the goal."""

    bonus_limit: Annotated[float, SHARE] = 0.1
    """Success above which a task pays no bonus (paper P8)."""

    relearning_rate: Annotated[float, FRACTION] = 0.03
    """Rate of recall when all practice keeps a task alive [1 / update]."""

    forgetting_rate: Annotated[float, FRACTION] = 0.001
    """Rate of forgetting when none does [1 / update]."""

    kinship: Annotated[float, SHARE] = 0.2
    """How much practice of a task keeps the rest of its group alive, compared with itself."""

    gate_success: Annotated[float, FRACTION] = 0.1
    """Success at which a prerequisite is at hand half the time."""

    least_ceiling: Annotated[float, SHARE] = 0.2
    """The best possible success of a task is drawn evenly from here to 1: some starts make a task
    impossible (paper section 2.1)."""


class SimulatedLearner:
    """Learns the tasks of a graph from its attempts.

    `ceiling` is the best possible success of each task, shape (task,).
    """

    def __init__(self, graph: TaskGraph, model: LearnerModel, ceiling: np.ndarray) -> None:
        self.model = model
        self.ceiling = check_numbers("ceiling", ceiling, SHARE)
        check_shape("ceiling", self.ceiling, (graph.task_count,))
        self._prerequisites = graph.padded_prerequisites()
        # Row: the task attempted; column: the task that this keeps alive. Its prerequisites are
        # done on the way, and the places where they are done are passed through.
        passed = graph.closure()
        nearby = passed @ graph.same_group()
        self._keeps_alive = np.where(passed, 1.0, np.where(nearby, model.kinship, 0.0))
        self.skill_ = np.zeros(graph.task_count)
        self.recall_ = np.ones(graph.task_count)
        self._gate = self._gates(np.zeros(graph.task_count))
        self.success_ = np.zeros(graph.task_count)
        """True success probability of each task now, shape (task,)."""

    def practice(self, attempts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Makes the attempts, learns from them and returns the successes, shape (task,)."""
        attempts = check_counts("attempts", attempts, self.skill_.size)
        successes = rng.binomial(attempts, self.success_)
        total = max(int(attempts.sum()), 1)
        nearby = attempts @ self._keeps_alive
        self._learn(successes, self._occasions(attempts, nearby, total))
        self._forget(self._gate * nearby / total)
        self._gate = self._gates(self.success_)
        self.success_ = self.ceiling * self._gate * self.recall_ * self.skill_
        return successes

    def _occasions(self, attempts: np.ndarray, nearby: np.ndarray, total: int) -> np.ndarray:
        """How often the learner could have stumbled on each task, shape (task,)."""
        if not self.model.bonus_for_any_goal:
            return attempts * self._gate
        # Where the rarest of the prerequisites has just been obtained, whatever for.
        obtained = np.append(nearby * self.success_, total)
        return obtained[self._prerequisites].min(axis=0)

    def _learn(self, successes: np.ndarray, occasions: np.ndarray) -> None:
        """Skill grows with successes and the bonus, and is washed out while it is young."""
        model = self.model
        signal = successes + model.bonus * occasions * (self.success_ < model.bonus_limit)
        washed_out = model.least_signal * self.skill_ * (1.0 - self.skill_)
        self.skill_ += model.learning_rate * (1.0 - self.skill_) * (signal - washed_out)
        np.clip(self.skill_, 0.0, 1.0, out=self.skill_)

    def _forget(self, share: np.ndarray) -> None:
        """Recall rises with the share of practice that keeps a task alive, and falls with the rest.

        Skill stays: what is forgotten is latent and comes back quickly.
        """
        model = self.model
        self.recall_ += model.relearning_rate * share * (1.0 - self.recall_)
        self.recall_ -= model.forgetting_rate * (1.0 - share) * self.recall_

    def _gates(self, success: np.ndarray) -> np.ndarray:
        """The chance that all direct prerequisites are at hand, shape (task,)."""
        at_hand = np.append(success / (success + self.model.gate_success), 1.0)
        return at_hand[self._prerequisites].prod(axis=0)

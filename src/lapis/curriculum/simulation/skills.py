"""A learner of skills, for task spaces so large that most tasks are never tried twice.

What is learned on one task of a skill applies to all of its tasks. Nothing is forgotten.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Annotated, ClassVar

import numpy as np

from lapis.bounds import COUNT, FRACTION, NOT_NEGATIVE, SHARE, WHOLE, Bound, Checked, check
from lapis.curriculum.simulation.spaces import Kind, SkillSpace
from lapis.curriculum.teacher import Teacher

REACHED_SHARE = 0.5
"""A task is reached when its true success exceeds this share of its ceiling."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class SkillModel(Checked):
    """The constants of the learner; one set for all teachers and spaces."""

    attempt_count: Annotated[int, Bound(least=1, most=10**9, whole=True)] = 256
    """Attempts per update."""
    learning_rate: Annotated[float, FRACTION] = 0.02
    """Share of the missing skill gained per success."""
    luck: Annotated[float, SHARE] = 0.05
    """Success, as a share of the ceiling, at a task whose skill is open but not practiced yet."""
    washed_out: Annotated[float, NOT_NEGATIVE] = 0.05
    """Successes per update that a half-learned skill needs to survive in the batch, times 4: the H
    samples per batch of paper section 2.1."""
    gate_success: Annotated[float, FRACTION] = 0.3
    """Success, as a share of the ceiling, at which a skill half opens its neighbors."""


class SkillLearner:
    """Learns the skills of a space from the attempts at its tasks that it is given."""

    def __init__(self, space: SkillSpace, model: SkillModel) -> None:
        self.space, self.model = space, model
        self.skill_ = np.zeros(space.skill_count)
        self.success_ = np.zeros(space.skill_count)
        """True success of each skill, of the ceiling of its tasks, shape (skill,)."""
        self._is_learnable = space.kind == Kind.LEARNABLE
        self._open()

    def practice(self, tasks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Attempts these tasks, learns from it and returns which succeeded, shape (attempt,)."""
        space, model = self.space, self.model
        skill = space.skill[tasks]
        is_noisy = space.kind[skill] == Kind.NOISY
        chance = space.ceiling[tasks] * np.where(is_noisy, 1.0, self.success_[skill])
        won = rng.random(tasks.size) < chance
        signal = np.bincount(skill[won], minlength=space.skill_count)
        gain = 1.0 - (1.0 - model.learning_rate) ** signal
        loss = model.learning_rate * model.washed_out * self.skill_
        self.skill_ += (1.0 - self.skill_) * (gain - loss) * self._is_learnable
        np.clip(self.skill_, 0.0, 1.0, out=self.skill_)
        self._open()
        return won

    def reached(self) -> np.ndarray:
        """Whether the tasks of each skill are reached, shape (skill,)."""
        return self.success_ > REACHED_SHARE

    def _open(self) -> None:
        """Success follows skill and the gates, which follow the success of the neighbors."""
        own = self.success_ * self.success_
        at_hand = np.append(own / (own + self.model.gate_success**2), 0.0)
        gate = np.where(self.space.is_root, 1.0, at_hand[self.space.neighbors].max(axis=1))
        level = self.model.luck + (1.0 - self.model.luck) * self.skill_
        self.success_ = gate * level * self._is_learnable


class SkillOracle(Teacher):
    """Samples evenly from the open skills that are not learned yet: a yardstick.

    It sees the learner's true state, which no real teacher does. Once all is learned it samples
    uniformly.

    Args:
        learner: The learner of the simulation that it teaches.
        mastered: Success, as a share of the ceiling, up to which a skill is practiced.
    """

    _learned: ClassVar[Mapping[str, Bound]] = {}

    def __init__(self, learner: SkillLearner, mastered: float = 0.6) -> None:
        super().__init__(learner.space.task_count)
        self.learner = learner
        self.mastered = check("mastered", mastered, FRACTION)
        self._size = np.bincount(learner.space.skill, minlength=learner.space.skill_count)

    def probabilities(self) -> np.ndarray:
        """Equal for each skill at the frontier and for its tasks, shape (task,), sum 1."""
        success = self.learner.success_
        # Open by half: success is at least half of what luck alone gives.
        is_open = success >= 0.5 * self.learner.model.luck
        chosen = (is_open & (success < self.mastered) & (self._size > 0)).astype(float)
        if not chosen.any():
            return np.full(self.task_count, 1.0 / self.task_count)
        chosen /= np.maximum(self._size, 1) * chosen.sum()
        return chosen[self.learner.space.skill]

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        pass


@dataclasses.dataclass(frozen=True)
class SkillHistory:
    """What happened in a run, at regular intervals, shape (record,) each."""

    update: np.ndarray
    """Updates done."""
    reached: np.ndarray
    """Share of the learnable tasks that are reached, by their true success."""
    junk: np.ndarray
    """Share of the attempts since the last record that went to impossible or noisy tasks."""

    @property
    def area(self) -> float:
        """Mean of `reached` over the run: the area below its curve."""
        return float(self.reached.mean())


class SkillSimulation:
    """A learner in a space, ready for one run."""

    def __init__(self, space: SkillSpace, seed: int, model: SkillModel | None = None) -> None:
        self.space = space
        self.seed = check("seed", seed, WHOLE)
        self.model = SkillModel() if model is None else model
        self.learner = SkillLearner(space, self.model)

    def run(self, teacher: Teacher, update_count: int, record_every: int = 50) -> SkillHistory:
        """Lets the learner practice what the teacher samples, and returns what happened."""
        space = self.space
        if teacher.task_count != space.task_count:
            raise ValueError(
                f"teacher has {teacher.task_count} tasks; the space has {space.task_count}"
            )
        record_count = check("update_count", update_count, COUNT) // check(
            "record_every", record_every, COUNT
        )
        chance = np.random.default_rng([self.seed, 1])
        is_learnable = space.is_learnable
        size = np.bincount(space.skill[is_learnable], minlength=space.skill_count)
        reached, junk = np.zeros(record_count), np.zeros(record_count)
        for record in range(record_count):
            for _ in range(record_every):
                tasks = teacher.sample(self.model.attempt_count, chance)
                won = self.learner.practice(tasks, chance)
                successes = np.bincount(tasks[won], minlength=space.task_count)
                teacher.update(successes, np.bincount(tasks, minlength=space.task_count))
                junk[record] += np.count_nonzero(~is_learnable[tasks])
            reached[record] = size[self.learner.reached()].sum() / size.sum()
        update = np.arange(1, record_count + 1) * record_every
        return SkillHistory(update, reached, junk / (record_every * self.model.attempt_count))

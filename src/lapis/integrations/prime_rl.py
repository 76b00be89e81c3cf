"""The curriculum as a task sampler of prime-rl.

prime-rl makes its samplers from its configuration, which only knows its own kinds. So replace a
training environment's sampler with this one:

    from lapis.curriculum import LearningProgress
    from lapis.integrations.prime_rl import CurriculumTaskSampler

    sampler = CurriculumTaskSampler(LearningProgress(5), tasks, group_of=lambda task: ...)
    curriculum.sampler = sampler        # `curriculum`: prime_rl.orchestrator.curriculum.Curriculum

It has the methods of prime-rl's `TaskSampler` (`__next__`, `observe`, `state_dict`,
`load_state_dict`, `metrics`) and needs nothing of prime-rl.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from lapis.bounds import COUNT, check
from lapis.curriculum import OutcomeCounts, Teacher
from lapis.integrations.prompts import PromptGroups

__all__ = ["CurriculumTaskSampler"]


class CurriculumTaskSampler(Iterator[Any]):
    """Draws a group of tasks from the curriculum, then a task of that group.

    Args:
        curriculum: One of its tasks for each group.
        tasks: prime-rl's tasks, a finite list; each has a `key` of its own.
        group_of: The group of a task: a whole number from 0, or a name.
        groups_per_update: The curriculum is updated once per this many rollout groups: give the
            number that an optimization step trains on.
        score: Turns a reward into a score from 0 to 1; None: it already is one.
        seed: Decides which tasks are drawn.
    """

    def __init__(
        self,
        curriculum: Teacher,
        tasks: Sequence[Any],
        *,
        group_of: Callable[[Any], Hashable],
        groups_per_update: int = 1,
        score: Callable[[float], float] | None = None,
        seed: int = 0,
    ) -> None:
        self.curriculum = curriculum
        self.tasks = tuple(tasks)
        values = [group_of(task) for task in self.tasks]
        self.groups = PromptGroups(values, curriculum.task_count)
        self._number = {
            task.key: self.groups.number(value)
            for task, value in zip(self.tasks, values, strict=True)
        }
        if len(self._number) != len(self.tasks):
            raise ValueError("tasks must have different keys; some are the same")
        self.groups_per_update = check("groups_per_update", groups_per_update, COUNT)
        self._score = score
        self.counts = OutcomeCounts(curriculum.task_count)
        self._observed = 0
        self._rng = np.random.default_rng(seed)

    def __next__(self) -> Any:
        (task,) = self.curriculum.sample(1, self._rng)
        return self.tasks[self.groups.draw(task, self._rng)]

    def observe(self, group: Sequence[Any]) -> None:
        """Counts the rewards of a finished rollout group, all of one task.

        Rollouts with an error, and those of agents that do not train, do not count as attempts.
        """
        for episode in group:
            for trace in episode.traces:
                if not trace.has_error and trace.agent.trainable:
                    reward = trace.reward if self._score is None else self._score(trace.reward)
                    self.counts.add(self._number[episode.task.key], reward)
        self._observed += 1
        if self._observed == self.groups_per_update:
            self.counts.teach(self.curriculum)
            self._observed = 0

    def state_dict(self) -> dict[str, Any]:
        """The curriculum and the random generator.

        Outcomes since the last update are not saved.
        """
        return {"curriculum": self.curriculum.state_dict(), "rng": self._rng.bit_generator.state}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Loads what `state_dict` gave."""
        self.curriculum.load_state_dict(state_dict["curriculum"])
        self._rng.bit_generator.state = state_dict["rng"]

    def metrics(self) -> dict[str, float]:
        """The probability of each group."""
        probabilities = self.curriculum.probabilities()
        return {
            f"probability/{name}": float(probability)
            for name, probability in zip(self.groups.names, probabilities, strict=True)
        }

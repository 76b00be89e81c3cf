"""The curriculum in a loop of your own over Gymnasium's vector environments.

    from lapis.curriculum import LearningProgress
    from lapis.integrations.gym_vector import VectorCurriculum

    teaching = VectorCurriculum(LearningProgress(task_count), envs)
    ...
    observation, reward, terminated, truncated, info = envs.step(action)
    teaching.count(info)
    ...
    teaching.update()           # once per optimization step

The environments follow `lapis.integrations.TaskEnvironment`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lapis.curriculum import OutcomeCounts, Teacher
from lapis.integrations.convention import TaskEnvironment

__all__ = ["VectorCurriculum"]


class VectorCurriculum:
    """Connects a curriculum to a vector environment, and sets its task probabilities.

    All three autoreset modes of Gymnasium work: the last report of an episode is also looked for in
    `final_info`. Gymnasium puts the reports of a step into one array of the first one's type: so
    outcomes must all be of one type, and one that does not count must be left out or NaN, not None.

    Args:
        curriculum: It keeps what it has learned.
        envs: `SyncVectorEnv`, `AsyncVectorEnv` or any other with `call`; or a batch of worlds that
            has `set_task_probabilities` itself, like Lapis's.
    """

    def __init__(self, curriculum: Teacher, envs: Any) -> None:
        self.curriculum = curriculum
        self.envs = envs
        self.counts = OutcomeCounts(curriculum.task_count)
        self._send(curriculum.probabilities())

    def count(self, info: Mapping[str, Any]) -> None:
        """Counts the attempts that ended in a step, given its `info`."""
        for part in (info, info.get("final_info")):
            if isinstance(part, Mapping) and "task" in part and "task_succeeded" in part:
                # Gymnasium fills rows that reported nothing with 0; the masks tell them apart.
                ended = np.asarray(part["_task"]) & np.asarray(part["_task_succeeded"])
                rows = np.flatnonzero(ended)
                outcomes = part["task_succeeded"]
                self.counts.add_many(
                    (part["task"][row] for row in rows), (outcomes[row] for row in rows)
                )

    def update(self) -> np.ndarray:
        """Updates the curriculum with everything counted since the last update.

        Returns:
            The probabilities that the environments draw with from now on, shape (task,).
        """
        probabilities = self.counts.teach(self.curriculum)
        self._send(probabilities)
        return probabilities

    def _send(self, probabilities: np.ndarray) -> None:
        if isinstance(self.envs, TaskEnvironment):
            self.envs.set_task_probabilities(probabilities)
        else:
            self.envs.call("set_task_probabilities", probabilities)

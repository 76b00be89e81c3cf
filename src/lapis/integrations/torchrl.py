"""The curriculum in a loop over a TorchRL collector.

    from lapis.curriculum import LearningProgress
    from lapis.integrations.torchrl import CollectorCurriculum, with_tasks

    env = SerialEnv(8, lambda: with_tasks(GymWrapper(make_env())))
    teaching = CollectorCurriculum(LearningProgress(task_count), env)
    for data in Collector(env, policy, ...):
        teaching.update(data)
        ...

The environments that `make_env` makes follow `lapis.integrations.TaskEnvironment`: their outermost
wrapper has `set_task_probabilities`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lapis.curriculum import OutcomeCounts, Teacher
from lapis.extras import needed_by

with needed_by(__name__, "torchrl"):
    import torch
    from tensordict import TensorDictBase
    from torchrl.data import Composite, Unbounded
    from torchrl.envs.gym_like import BaseInfoDictReader

__all__ = ["CollectorCurriculum", "TaskInfoReader", "with_tasks"]


class TaskInfoReader(BaseInfoDictReader):
    """Reads `task` and `task_succeeded` into tensors; NaN where a step does not report them.

    TorchRL's own reader would write 0, which would count as a failed attempt.
    """

    KEYS = ("task", "task_succeeded")

    def __call__(self, info_dict: Any, tensordict: TensorDictBase) -> TensorDictBase:
        """Sets both entries of a step."""
        for key in self.KEYS:
            value = info_dict.get(key)
            number = float("nan") if value is None else float(value)
            tensordict.set(key, torch.tensor(number, dtype=torch.float64))
        return tensordict

    @property
    def info_spec(self) -> Any:
        """Two numbers of any size."""
        spec = {key: Unbounded((), dtype=torch.float64) for key in self.KEYS}
        return Composite(spec, shape=[])


def with_tasks(env: Any) -> Any:
    """A `GymWrapper` or `GymEnv` whose data hold `task` and `task_succeeded` of each step."""
    return env.set_info_dict_reader(TaskInfoReader())


class CollectorCurriculum:
    """Connects a curriculum to a TorchRL environment, and sets its task probabilities.

    Args:
        curriculum: It keeps what it has learned.
        env: The collector's environment: single, serial or parallel, in this process, transformed
            or not. Collectors with their own processes are not supported.
    """

    def __init__(self, curriculum: Teacher, env: Any) -> None:
        self.curriculum = curriculum
        self.env = env
        self.counts = OutcomeCounts(curriculum.task_count)
        if env.is_closed and hasattr(env, "start"):
            env.start()  # Otherwise the workers start with the first reset.
        self._send(curriculum.probabilities())

    def update(self, data: TensorDictBase) -> np.ndarray:
        """Moves the curriculum by the attempts that ended in a batch of a collector.

        Returns:
            The probabilities that the environments draw with from now on, shape (task,).
        """
        columns = [data["next", key].flatten().cpu().numpy() for key in TaskInfoReader.KEYS]
        self.counts.add_many(*columns)
        probabilities = self.counts.teach(self.curriculum)
        self._send(probabilities)
        return probabilities

    def _send(self, probabilities: np.ndarray) -> None:
        if not self.env.is_closed:  # A collector closes it before it hands out the last batch.
            self.env.set_task_probabilities(probabilities)

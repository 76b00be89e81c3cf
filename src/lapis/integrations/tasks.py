"""A wrapper that lets any Gymnasium environment follow the convention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, SupportsFloat, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.extras import needed_by
from lapis.integrations.convention import check_task_probabilities

with needed_by(__name__, "gym"):
    import gymnasium

__all__ = ["EpisodeEnd", "TaskChoice"]

Task = TypeVar("Task")


@dataclass(frozen=True, kw_only=True)
class EpisodeEnd:
    """How an episode ended, for `outcome`."""

    terminated: bool
    truncated: bool
    reward: float
    """Of the last step."""
    total_reward: float
    """Of the whole episode."""
    info: dict[str, Any]
    """Of the last step."""


class TaskChoice(gymnasium.Wrapper, Generic[Task]):
    """Draws a task for each episode, sets it, and reports how it ended.

    The tasks depend only on the seed of the last `reset(seed=...)` and on the probabilities; the
    environment's own generator is not used. The environment must show the policy which task it is
    on.

    Args:
        env: Any environment.
        tasks: The tasks: anything that `set_task` understands.
        set_task: Called with the environment (`env.unwrapped`) and a task before each reset.
        outcome: True, False or a score from 0 to 1 for an episode that ended; None: it does not
            count.
    """

    def __init__(
        self,
        env: gymnasium.Env,
        tasks: Sequence[Task],
        *,
        set_task: Callable[[Any, Task], object],
        outcome: Callable[[EpisodeEnd], SupportsFloat | None],
    ) -> None:
        super().__init__(env)
        if len(tasks) == 0:
            raise ValueError("tasks must hold at least one task; it is empty")
        self.tasks = tasks
        self.task = 0
        self._set_task = set_task
        self._outcome = outcome
        self._probabilities = np.full(len(tasks), 1.0 / len(tasks))
        self._rng = np.random.default_rng()
        self._total_reward = 0.0

    def set_task_probabilities(self, probabilities: ArrayLike) -> None:
        """Draws tasks with these probabilities, shape (task,), from the next episode on."""
        self._probabilities = check_task_probabilities(probabilities, len(self.tasks))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode of a task that is drawn now."""
        if seed is not None:
            self._rng = np.random.default_rng([seed, len(self.tasks)])
        upper = np.cumsum(self._probabilities)
        self.task = int(np.searchsorted(upper, self._rng.random() * upper[-1], side="right"))
        self._set_task(self.env.unwrapped, self.tasks[self.task])
        self._total_reward = 0.0
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, {**info, "task": self.task}

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Plays one action; the last one of an episode that counts reports `task_succeeded`."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._total_reward += float(reward)
        info = {**info, "task": self.task}
        if terminated or truncated:
            end = EpisodeEnd(
                terminated=bool(terminated),
                truncated=bool(truncated),
                reward=float(reward),
                total_reward=self._total_reward,
                info=info,
            )
            outcome = self._outcome(end)
            if outcome is not None:
                # Vector environments have one array for all: a type, and it knows no None.
                info["task_succeeded"] = float(outcome)
        return observation, reward, terminated, truncated, info

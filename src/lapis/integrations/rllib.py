"""The curriculum as callbacks of RLlib, for algorithms on its new API stack.

    from lapis.curriculum import LearningProgress
    from lapis.integrations.rllib import curriculum_callbacks

    config.callbacks(curriculum_callbacks(lambda: LearningProgress(task_count)))

The environments follow `lapis.integrations.TaskEnvironment`. The one curriculum of a run is
`algorithm.curriculum`. RLlib's checkpoints do not hold it: save its `state_dict()` beside them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from lapis.curriculum import OutcomeCounts, Teacher
from lapis.extras import needed_by

with needed_by(__name__, "rllib"):
    from ray.rllib.callbacks.callbacks import RLlibCallback

__all__ = ["CurriculumCallbacks", "curriculum_callbacks"]

OUTCOMES = "task_outcomes"
"""Under this name environment runners report pairs of task and outcome."""


class CurriculumCallbacks(RLlibCallback):
    """Collects outcomes of all environment runners, and moves one curriculum once per result.

    Environments for evaluation keep their own tasks; their outcomes are not counted.
    """

    @staticmethod
    def make_curriculum() -> Teacher:
        """Makes the curriculum of a run; `curriculum_callbacks` puts yours in its place."""
        raise NotImplementedError("make the class with curriculum_callbacks(make_curriculum)")

    def on_algorithm_init(self, *, algorithm: Any, **_: Any) -> None:
        """Makes the curriculum, and sets the probabilities of all environments."""
        algorithm.curriculum = self.make_curriculum()
        _send(algorithm)

    def on_env_runners_recreated(
        self, *, algorithm: Any, is_evaluation: bool = False, **_: Any
    ) -> None:
        """Sets the probabilities of environments that came back after a crash."""
        if not is_evaluation:
            _send(algorithm)

    def on_episode_step(self, *, episode: Any, metrics_logger: Any = None, **_: Any) -> None:
        """Notes an attempt that ended with this step, which may be the episode's last."""
        info = episode.get_infos(-1) or {}
        task, outcome = info.get("task"), info.get("task_succeeded")
        if task is not None and outcome is not None:
            pair = np.array([task, outcome], np.float64)
            metrics_logger.log_value(OUTCOMES, pair, reduce="item_series")

    def on_train_result(self, *, algorithm: Any, result: dict[str, Any], **rest: Any) -> None:
        """Moves the curriculum by all attempts of this iteration."""
        pairs = result.get("env_runners", {}).pop(OUTCOMES, [])
        counts = OutcomeCounts(algorithm.curriculum.task_count)
        if isinstance(pairs, list):  # RLlib has a NaN for a series without items.
            for task, outcome in pairs:
                counts.add(task, outcome)
        successes, attempts, _ = counts.totals()
        probabilities = counts.teach(algorithm.curriculum)
        _send(algorithm)
        result["curriculum"] = {
            "successes": successes.tolist(),
            "attempts": attempts.tolist(),
            "probabilities": probabilities.tolist(),
        }


def curriculum_callbacks(make_curriculum: Callable[[], Teacher]) -> type[CurriculumCallbacks]:
    """A class for `AlgorithmConfig.callbacks`; the curriculum is made when the algorithm is."""
    members = {"make_curriculum": staticmethod(make_curriculum)}
    return type("CurriculumCallbacks", (CurriculumCallbacks,), members)


def _send(algorithm: Any) -> None:
    probabilities = algorithm.curriculum.probabilities()
    algorithm.env_runner_group.foreach_env_runner(
        functools.partial(_set_probabilities, probabilities=probabilities)
    )


def _set_probabilities(env_runner: Any, probabilities: np.ndarray) -> None:
    if env_runner.env is not None:  # The local runner has none where there are remote ones.
        env_runner.env.unwrapped.call("set_task_probabilities", probabilities)

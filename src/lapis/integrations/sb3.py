"""The curriculum as a callback of Stable-Baselines3, for its algorithms and sb3-contrib's.

    from lapis.curriculum import LearningProgress
    from lapis.integrations.sb3 import CurriculumCallback

    PPO("MlpPolicy", envs).learn(100_000, callback=CurriculumCallback(LearningProgress(task_count)))

The environments follow `lapis.integrations.TaskEnvironment`.
"""

from __future__ import annotations

from lapis.curriculum import OutcomeCounts, Teacher
from lapis.extras import needed_by

with needed_by(__name__, "sb3"):
    from stable_baselines3.common.callbacks import BaseCallback

__all__ = ["CurriculumCallback"]


class CurriculumCallback(BaseCallback):
    """Counts outcomes in all environments, and updates the curriculum after each rollout.

    On-policy algorithms have one rollout per update. Off-policy ones (DQN, SAC) have very short
    rollouts of `train_freq` steps: give their curriculum a longer time scale.

    Logs `curriculum/attempts` and `curriculum/success` of each rollout.

    Args:
        curriculum: It keeps what it has learned: save its `state_dict()` next to the model.
        verbose: As for all callbacks.
    """

    def __init__(self, curriculum: Teacher, verbose: int = 0) -> None:
        super().__init__(verbose)
        self.curriculum = curriculum
        self.counts = OutcomeCounts(curriculum.task_count)

    def _on_training_start(self) -> None:
        self._send()

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            self.counts.add_info(info)
        return True

    def _on_rollout_end(self) -> None:
        successes, attempts, _ = self.counts.totals()
        self.logger.record("curriculum/attempts", int(attempts.sum()))
        if attempts.any():
            self.logger.record("curriculum/success", float(successes.sum() / attempts.sum()))
        self.counts.teach(self.curriculum)
        self._send()

    def _send(self) -> None:
        probabilities = self.curriculum.probabilities()
        self.training_env.env_method("set_task_probabilities", probabilities)

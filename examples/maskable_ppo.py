"""Trains sb3-contrib's MaskablePPO on Simon Says in the tech tree.

    pip install 'lapis-rl[gym]' stable-baselines3 sb3-contrib
    python examples/maskable_ppo.py --steps 100000

The masks keep it to what can be done now. It asks for the first goals of the tree alone, which an
untrained player reaches now and then; the curriculum and the trainer of Lapis are for the rest.
"""

from __future__ import annotations

import argparse
from collections import deque

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

GOALS = ("dirt", "log", "planks", "stick", "crafting_table", "wooden_button")


class TaskRecord(BaseCallback):
    """Keeps the outcomes of the last tasks, and counts actions that the mask did not allow."""

    def __init__(self, window: int = 200):
        super().__init__()
        self.outcomes: deque[bool] = deque(maxlen=window)
        self.tasks = 0
        self.invalid_actions = 0

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            self.invalid_actions += info["invalid_action"]
            if info["task_over"]:
                self.tasks += 1
                self.outcomes.append(info["task_succeeded"])
        return True

    @property
    def success_rate(self) -> float:
        """Share of the last tasks that were solved."""
        return float(np.mean(self.outcomes)) if self.outcomes else float("nan")


def train(
    steps: int, *, env_count: int = 8, rollout_steps: int = 256, seed: int = 0
) -> tuple[MaskablePPO, TaskRecord]:
    """Trains for `steps` actions; returns the model and the record of its tasks."""

    def make() -> gymnasium.Env:
        return gymnasium.make(
            "lapis.simonsays.gym:lapis/SimonSaysTechTree-v0",
            goals=GOALS,
            task_ticks=1200,
            episode_ticks=7200,
            bonus="fixed",
            bonus_coefficient=0.05,
        ).unwrapped

    envs = make_vec_env(make, n_envs=env_count, seed=seed)
    model = MaskablePPO(
        "MultiInputPolicy",
        envs,
        n_steps=rollout_steps,
        batch_size=min(256, rollout_steps * env_count),
        n_epochs=4,
        ent_coef=0.01,
        seed=seed,
        device="cpu",
    )
    record = TaskRecord()
    model.learn(steps, callback=record)
    return model, record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    _, record = train(arguments.steps, seed=arguments.seed)
    print(f"{record.tasks} tasks; of the last {len(record.outcomes)}: {record.success_rate:.0%}")


if __name__ == "__main__":
    main()

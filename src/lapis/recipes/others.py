"""Runs in other people's worlds, on a CPU or a GPU: Craftax and XLand-MiniGrid."""

from __future__ import annotations

from lapis.agent.config import PolicyConfig, PPOConfig
from lapis.agent.schedule import Schedule
from lapis.curriculum import ExplorationConfig, LearningProgressConfig
from lapis.simonsays import SimonSaysConfig
from lapis.train.config import TrainConfig
from lapis.worlds.craftax.config import CLASSIC_ACHIEVEMENTS, CraftaxConfig
from lapis.worlds.xland.config import XLandConfig


def craftax() -> TrainConfig:
    """The 22 achievements of Craftax-Classic: the bidirectional treatment, minutes on a CPU."""
    return TrainConfig(
        world=CraftaxConfig(),
        simonsays=SimonSaysConfig(
            goals=CLASSIC_ACHIEVEMENTS,
            task_ticks=200,
            episode_ticks=2000,
        ),
        world_count=256,
        rollout_steps=32,
        updates=60,
        evaluation_updates=10,
        evaluation_attempts=20,
        cuda_graphs=False,
        policy=PolicyConfig(width=64),
        ppo=_ppo(),
        curriculum=LearningProgressConfig(time_scale=10.0, floor=0.25),
        exploration=ExplorationConfig(time_scale=10.0),
    )


def xland() -> TrainConfig:
    """Chains of XLand-MiniGrid: the bidirectional treatment, minutes on a CPU."""
    world = XLandConfig()
    return TrainConfig(
        world=world,
        simonsays=SimonSaysConfig(
            goals=world.goals,
            task_ticks=100,
            episode_ticks=1000,
            inherit_probability=0.0,  # Counts are all there is to inherit.
        ),
        world_count=256,
        rollout_steps=32,
        updates=250,
        evaluation_updates=50,
        evaluation_attempts=20,
        cuda_graphs=False,
        policy=PolicyConfig(width=64, equal_inputs=True, observe_mask=True),
        ppo=_ppo(),
        curriculum=LearningProgressConfig(time_scale=10.0, floor=0.25),
        exploration=ExplorationConfig(time_scale=10.0),
    )


def _ppo() -> PPOConfig:
    """For few frames: large steps, each frame used four times, a horizon of fifty steps."""
    return PPOConfig(
        learning_rate=Schedule(3e-3),
        discount=0.98,
        discount_ticks=1,
        entropy_coefficient=Schedule(0.01),
        normalize_values=True,
        sequence_steps=32,
        minibatch_sequences=64,
        sample_reuse=4.0,
    )

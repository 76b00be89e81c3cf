"""Runs in the tech-tree world."""

from __future__ import annotations

import dataclasses

from lapis.agent.config import PolicyConfig, PPOConfig
from lapis.minecraft.goals import ALL_GOALS
from lapis.simonsays import SimonSaysConfig
from lapis.train.config import CurriculumConfig, TrainConfig, with_treatment


def demo() -> TrainConfig:
    """The bidirectional treatment in about ten minutes on two CPU cores."""
    # DEVIATION: for so short a run the entropy weighs less and less. A large weight finds the way
    # down, a small one gets things done from empty hands within a task's five minutes. Twice as
    # many, smaller gradient steps go with it, and habits that use things up less often.
    config = techtree_bidirectional()
    ppo = dataclasses.replace(
        config.ppo,
        learning_rate=5e-4,
        minibatch_sequences=32,
        entropy_coefficient=0.015,
        final_entropy_coefficient=0.006,
        entropy_updates=1000,
    )
    policy = dataclasses.replace(config.policy, habits=True)
    return dataclasses.replace(config, updates=1300, evaluation_updates=325, policy=policy, ppo=ppo)


def techtree_uniform() -> TrainConfig:
    """All goals equally often, no bonus (paper P23)."""
    return _techtree("uniform")


def techtree_uniform_fixed() -> TrainConfig:
    """All goals equally often, every goal item pays a little (paper P7, P23)."""
    return _techtree("uniform_fixed")


def techtree_uniform_dynamic() -> TrainConfig:
    """All goals equally often, goal items that are not mastered pay (paper P8, P23)."""
    return _techtree("uniform_dynamic")


def techtree_unidirectional() -> TrainConfig:
    """Goals that are improving, dynamic bonus (paper P2, P23)."""
    return _techtree("unidirectional")


def techtree_bidirectional() -> TrainConfig:
    """Goals that are improving or being forgotten, dynamic bonus (paper P2, P23)."""
    return _techtree("bidirectional")


def _techtree(treatment: str) -> TrainConfig:
    # DEVIATION: a small network and a large learning rate, for CPUs; a shorter horizon, which
    # learned to go deep sooner. Averages follow faster because a run has thousands of updates, not
    # fifty thousand; the floor keeps a curriculum whose goals are all mastered from sampling only
    # the noise of their averages.
    config = TrainConfig(
        world="techtree",
        simonsays=SimonSaysConfig(goals=ALL_GOALS),
        world_count=256,
        rollout_steps=32,
        updates=6000,
        evaluation_updates=200,
        evaluation_attempts=20,
        policy=PolicyConfig(width=128),
        ppo=PPOConfig(
            learning_rate=7e-4,
            discount=0.9985,
            entropy_coefficient=0.015,
            sequence_steps=32,
            minibatch_sequences=64,
        ),
        curriculum=CurriculumConfig(time_scale=40.0, floor=0.25),
    )
    return with_treatment(config, treatment)

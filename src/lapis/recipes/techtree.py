"""Runs in the tech-tree world."""

from __future__ import annotations

import dataclasses

from lapis.agent.config import PolicyConfig, PPOConfig
from lapis.agent.schedule import Schedule
from lapis.curriculum import ExplorationConfig, LearningProgressConfig
from lapis.minecraft.goals import ALL_GOALS, GOALS
from lapis.simonsays import SimonSaysConfig
from lapis.train.config import TrainConfig
from lapis.worlds.techtree import TechTreeConfig


def demo() -> TrainConfig:
    """The bidirectional treatment in about ten minutes on two CPU cores."""
    # DEVIATION: for so short a run the entropy weighs less and less. A large weight finds the way
    # down, a small one gets things done from empty hands within a task's five minutes. Twice as
    # many, smaller gradient steps go with it, a prior that uses things up less often, and actions
    # that know their items, so that what is learned about crafting one item holds for the next.
    config = techtree()
    ppo = dataclasses.replace(
        config.ppo,
        learning_rate=Schedule(5e-4),
        minibatch_sequences=32,
        entropy_coefficient=Schedule(0.03, 0.004, 1000),
    )
    policy = dataclasses.replace(config.policy, action_prior=True, action_items=True)
    return dataclasses.replace(config, updates=1300, evaluation_updates=325, policy=policy, ppo=ppo)


def combinations() -> TrainConfig:
    """Each of the 107 goals, and any two of them within one task: 5,778 tasks, on a CPU."""
    # The curriculum is the paper's table; --curriculum chooses one for very many tasks.
    config = demo()
    return dataclasses.replace(
        config,
        simonsays=dataclasses.replace(config.simonsays, goals=GOALS, pairs=True),
        evaluation_updates=config.updates,
        evaluation_pairs=200,
        evaluation_attempts=10,
    )


def techtree() -> TrainConfig:
    """The tech tree with all goals, on a CPU or a GPU: the bidirectional treatment."""
    # DEVIATION: a small network and a large learning rate, for CPUs; a shorter horizon, which
    # learned to go deep sooner. Averages follow faster because a run has thousands of updates, not
    # fifty thousand; the floor keeps a curriculum whose goals are all mastered from sampling only
    # the noise of their averages.
    return TrainConfig(
        world=TechTreeConfig(),
        simonsays=SimonSaysConfig(goals=ALL_GOALS),
        world_count=256,
        rollout_steps=32,
        updates=6000,
        evaluation_updates=200,
        evaluation_attempts=20,
        policy=PolicyConfig(width=128),
        ppo=PPOConfig(
            learning_rate=Schedule(7e-4),
            discount=0.9985,
            entropy_coefficient=Schedule(0.015),
            sequence_steps=32,
            minibatch_sequences=64,
        ),
        curriculum=LearningProgressConfig(time_scale=40.0, floor=0.25),
        exploration=ExplorationConfig(time_scale=40.0),
    )

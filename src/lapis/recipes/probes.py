"""Runs of seconds in the probe worlds: the tests that an agent learns at all."""

from __future__ import annotations

import dataclasses

from lapis.agent.config import PolicyConfig, PPOConfig
from lapis.agent.schedule import Schedule
from lapis.curriculum import ExplorationConfig, LearningProgressConfig
from lapis.simonsays import SimonSaysConfig
from lapis.train.config import TrainConfig
from lapis.worlds.probe_config import ProbeConfig, ProbeName


def bandit(seed: int = 0) -> TrainConfig:
    """One choice of eight pays."""
    return _probe("bandit", seed, task_ticks=1, updates=40)


def memory(seed: int = 0) -> TrainConfig:
    """What was seen at the start of an episode is asked for through several tasks."""
    return _probe("memory", seed, task_ticks=1000, updates=150)


def first_step(seed: int = 0) -> TrainConfig:
    """Only a memory that is cleared at the ends of episodes tells that a new one began."""
    return _probe("first_step", seed, task_ticks=1000, updates=60)


def masked(seed: int = 0) -> TrainConfig:
    """Four of 512 choices are allowed, one pays."""
    return _probe("masked", seed, task_ticks=1, updates=60)


def two_goals(seed: int = 0) -> TrainConfig:
    """Two goals that need different actions, under the real curriculum.

    With two goals the z-score of progress is always +1 and -1, so that one goal would get all the
    weight: the floor keeps a quarter for each.
    """
    config = _probe("two_goals", seed, task_ticks=2, updates=150, goals=("log", "planks"))
    return dataclasses.replace(
        config,
        ppo=dataclasses.replace(config.ppo, entropy_coefficient=Schedule(0.03)),
        curriculum=LearningProgressConfig(time_scale=10.0, floor=0.5),
    )


def _probe(
    name: ProbeName,
    seed: int,
    *,
    task_ticks: int,
    updates: int,
    goals: tuple[str, ...] = ("prize",),
) -> TrainConfig:
    return TrainConfig(
        world=ProbeConfig(name=name),
        simonsays=SimonSaysConfig(
            goals=goals,
            task_ticks=task_ticks,
            episode_ticks=32,
            failures_to_end=1000,
            inherit_probability=0.0,
            bonus="none",
            bonus_coefficient=0.0,
        ),
        world_count=64,
        seed=seed,
        updates=updates,
        rollout_steps=32,
        policy=PolicyConfig(width=32),
        ppo=PPOConfig(
            learning_rate=Schedule(2e-3),
            discount=0.9,
            discount_ticks=1,
            sequence_steps=32,
            minibatch_sequences=32,
            sample_reuse=4.0,
        ),
        curriculum=LearningProgressConfig(time_scale=10.0),
        exploration=ExplorationConfig(time_scale=10.0),
    )

"""Runs in Minetest's own game."""

from __future__ import annotations

import dataclasses

from lapis.agent.config import PPOConfig
from lapis.agent.schedule import Schedule
from lapis.curriculum import ExplorationConfig, LearningProgressConfig
from lapis.recipes.techtree import techtree
from lapis.simonsays import SimonSaysConfig
from lapis.train.config import TrainConfig
from lapis.worlds.minetest.config import MinetestConfig


def minetest() -> TrainConfig:
    """The tech tree of Minetest's game in about ten minutes on two CPU cores: bidirectional."""
    # The demo's recipe on a game that is ten times slower: fewer worlds and updates, and averages
    # that follow faster.
    config = techtree()
    world = MinetestConfig()
    return dataclasses.replace(
        config,
        world=world,
        simonsays=SimonSaysConfig(goals=world.tree.goals),
        world_count=32,
        rollout_steps=64,
        updates=500,
        evaluation_updates=0,
        evaluation_attempts=2,
        evaluation_worlds=32,
        checkpoint_worlds=False,
        policy=dataclasses.replace(
            config.policy,
            equal_inputs=True,
            observe_mask=True,
            observe_ingredients=True,
            action_prior=True,
            action_items=True,
        ),
        ppo=PPOConfig(
            learning_rate=Schedule(7e-4),
            discount=0.998,
            entropy_coefficient=Schedule(0.02, 0.005, 400),
            normalize_values=True,
            sequence_steps=32,
            minibatch_sequences=16,
        ),
        curriculum=LearningProgressConfig(time_scale=40.0, floor=0.25),
        exploration=ExplorationConfig(time_scale=40.0),
    )

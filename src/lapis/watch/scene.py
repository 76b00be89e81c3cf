"""What a film shows: a game of one world, and who plays in it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from lapis.minecraft.goals import GOALS
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.train.build import make_game
from lapis.train.config import TrainConfig, from_dict
from lapis.train.evaluation import Trained, evaluation_config
from lapis.train.loop import Trainer
from lapis.train.run import restore
from lapis.watch.players import ExpertPlayer, Player, PolicyPlayer, RandomPlayer
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.expert.wood import log_budget
from lapis.worlds.voxel.world import VoxelWorld

__all__ = ["expert_scene", "policy_scene", "random_scene", "run_scene"]

EXPERT_TICKS = 200_000
"""Time of the scripted player, who is not in a hurry."""


def random_scene(*, seed: int = 0, size: int = 64) -> tuple[SimonSays, Player]:
    """A world of its own, all goals, and a player that takes any allowed action."""
    world = VoxelWorld(1, seed=seed, config=VoxelConfig(size=size, view="fan"))
    game = SimonSays(world, SimonSaysConfig(goals=GOALS, bonus="none"), seed=seed)
    return game, RandomPlayer(seed)


def expert_scene(goal: str, *, seed: int = 0, size: int = 64) -> tuple[SimonSays, Player]:
    """A world of its own, one goal with all the time that it takes, and a scripted player.

    Raises:
        ValueError: Nothing gives the goal.
    """
    log_budget(goal)
    world = VoxelWorld(1, seed=seed, config=VoxelConfig(size=size, view="fan"))
    config = SimonSaysConfig(
        goals=(goal,), bonus="none", task_ticks=EXPERT_TICKS, episode_ticks=EXPERT_TICKS
    )
    return SimonSays(world, config, seed=seed), ExpertPlayer(seed)


def run_scene(path: Path, *, seed: int = 0) -> tuple[SimonSays, Player]:
    """The policy of a run's newest whole checkpoint, in a world of the run's kind.

    Raises:
        RunError: There is no such run, or it has no checkpoint yet.
    """
    trainer = restore(
        path, load_config=lambda settings: from_dict(TrainConfig, settings), build=Trainer
    )
    return policy_scene(trainer, seed=seed)


def policy_scene(trainer: Trained, *, seed: int = 0) -> tuple[SimonSays, Player]:
    """A trainer's policy in one world that it is not trained in; the trainer is left as it was.

    As in an evaluation no bonus is paid, but the policy sees its exploration set.
    """
    config = evaluation_config(trainer.config)
    config = dataclasses.replace(config, world_count=1, seed=(config.seed + seed) % 2**31)
    game = make_game(config)
    game.observation["exploration_set"].copy_(trainer.game.observation["exploration_set"])
    return game, PolicyPlayer(trainer.policy, seed)

"""What a film shows: a game of one world, and who plays in it."""

from __future__ import annotations

import dataclasses
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from lapis.minecraft.goals import GOALS
from lapis.play.actors import Actor, expert_actor, policy_actor, random_actor
from lapis.running.export import load_policy
from lapis.runs import RunError
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.terminal.progress import DISCOVERED_AT
from lapis.train.build import make_game
from lapis.train.evaluation import Trained, evaluation_config
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.expert.script import log_budget
from lapis.worlds.voxel.world import VoxelWorld

__all__ = ["SHIPPED", "Scene", "expert_scene", "policy_scene", "random_scene", "run_scene"]

SHIPPED = Path(str(files("lapis"))) / "data/voxel.safetensors"
"""The trained policy that comes with the package."""

EXPERT_TICKS = 200_000
"""Time of the scripted player, who is not in a hurry."""


class Scene(NamedTuple):
    """A game of one world, and who plays in it."""

    game: SimonSays
    actor: Actor
    recorded: tuple[float, ...] = ()
    """Success averages at the end of the player's training, by goal; nothing where it had none."""

    def learned(self) -> list[str]:
        """Goals that the player had discovered when its training ended (paper P23)."""
        pairs = zip(self.game.goals, self.recorded or [0.0] * len(self.game.goals), strict=True)
        return [goal for goal, average in pairs if average > DISCOVERED_AT]


def random_scene(*, seed: int = 0, size: int = 64) -> Scene:
    """A world of its own, all goals, and a player that takes any allowed action."""
    world = VoxelWorld(1, seed=seed, config=VoxelConfig(size=size, view="fan"))
    game = SimonSays(world, SimonSaysConfig(goals=GOALS, bonus="none"), seed=seed)
    return Scene(game, random_actor(seed))


def expert_scene(goal: str, *, seed: int = 0, size: int = 64) -> Scene:
    """A world of its own, one goal with all the time that it takes, and a scripted player.

    Raises:
        ValueError: Nothing gives the goal.
    """
    log_budget(goal)
    world = VoxelWorld(1, seed=seed, config=VoxelConfig(size=size, view="fan"))
    config = SimonSaysConfig(
        goals=(goal,), bonus="none", task_ticks=EXPERT_TICKS, episode_ticks=EXPERT_TICKS
    )
    return Scene(SimonSays(world, config, seed=seed), expert_actor(seed))


def run_scene(path: Path, *, seed: int = 0, device: str = "cpu") -> Scene:
    """A trained policy in a world of the kind that it was trained in, whatever its device was.

    `path` is a run folder, whose newest whole checkpoint plays, or a file of `lapis export`.

    Raises:
        RunError: There is no such run, it has no checkpoint yet, or its world has no pictures.
    """
    trained = load_policy(path, device=device)
    if trained.config.world_name != "voxel":
        raise RunError(
            f"{path} was trained in the world `{trained.config.world_name}`, which has no "
            "pictures; only players of `voxel` can be watched. "
            f"Use `lapis evaluate {path}` to count what it reaches"
        )
    return policy_scene(trained, seed=seed)._replace(recorded=trained.success.average)


def policy_scene(trained: Trained, *, seed: int = 0) -> Scene:
    """A trainer's policy in one world that it is not trained in; the trainer is left as it was.

    As in an evaluation no bonus is paid, but the policy sees its exploration set.
    """
    config = evaluation_config(trained.config)
    config = dataclasses.replace(config, world_count=1, seed=(config.seed + seed) % 2**31)
    game = make_game(config)
    game.observation["exploration_set"].copy_(trained.exploration_set)
    return Scene(game, policy_actor(trained.policy, seed))

"""What a film shows: a game of one world, and who plays in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import torch
from torch import Tensor

from lapis.agent.player import act
from lapis.agent.policy import Policy
from lapis.minecraft.goals import GOALS
from lapis.registry import WorldSettings
from lapis.running.export import load_policy
from lapis.running.trained import in_world
from lapis.runs import RunError
from lapis.simonsays import SimonSays, SimonSaysConfig, words
from lapis.terminal.progress import DISCOVERED_AT
from lapis.train.build import make_game
from lapis.train.evaluation import Trained, evaluation_config
from lapis.worlds.voxel.actions import ACTION_SIZES
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.expert.script import Script, log_budget
from lapis.worlds.voxel.expert.senses import Senses
from lapis.worlds.voxel.world import VoxelWorld

__all__ = [
    "SHIPPED",
    "Actor",
    "Scene",
    "expert_scene",
    "policy_actor",
    "policy_scene",
    "random_actor",
    "random_scene",
    "run_scene",
]

SHIPPED = Path(str(files("lapis"))) / "data/voxel.safetensors"
"""The trained policy that comes with the package."""

EXPERT_TICKS = 200_000
"""Time of the scripted player, who is not in a hurry."""

Actor: TypeAlias = Callable[[SimonSays], Tensor]
"""Chooses what to do next: an action that the mask allows now, int32 of shape (world, component).

A fair actor looks at `game.observation` and `game.action_mask` alone; a script may read the world.
"""


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


def random_scene(*, seed: int = 0, size: int = 64, settings: WorldSettings | None = None) -> Scene:
    """A new world, all goals, and a player that takes random allowed actions.

    By default it is a voxel world of this size.
    """
    settings = settings or VoxelConfig(size=size, view="fan")
    world = settings.build(1, seed=seed, device="cpu", first_world=0)
    game = SimonSays(world, SimonSaysConfig(goals=GOALS, bonus="none"), seed=seed)
    return Scene(game, random_actor(seed))


def expert_scene(goal: str, *, seed: int = 0, size: int = 64) -> Scene:
    """A new world, one goal with as much time as it takes, and a scripted player.

    Raises:
        ValueError: Nothing gives the goal.
    """
    log_budget(goal)
    world = VoxelWorld(1, seed=seed, config=VoxelConfig(size=size, view="fan"))
    config = SimonSaysConfig(
        goals=(goal,), bonus="none", task_ticks=EXPERT_TICKS, episode_ticks=EXPERT_TICKS
    )
    return Scene(SimonSays(world, config, seed=seed), expert_actor(seed))


def run_scene(
    path: Path, *, seed: int = 0, device: str = "cpu", settings: WorldSettings | None = None
) -> Scene:
    """A trained policy in a world of the kind that it was trained in, or in that of `settings`.

    `path` is a run folder, whose newest whole checkpoint plays, or a file of `lapis export`.

    Raises:
        RunError: There is no such run, it has no checkpoint yet, or its world has no pictures or
            another layout.
    """
    trained = load_policy(path, device=device)
    if settings is not None:
        trained = in_world(trained, settings)
    layout = trained.config.world.layout
    if layout is None or layout[0] != "voxel":
        raise RunError(
            f"{path} was trained in the world `{trained.config.world_name}`, which has no "
            "pictures; only players of `voxel` and of worlds like it can be watched. "
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


def random_actor(seed: int = 0) -> Actor:
    """Takes any allowed choice of each component with equal probability."""
    generator = torch.Generator().manual_seed(seed)

    def choose(game: SimonSays) -> Tensor:
        parts = game.action_mask.cpu().split(game.action_sizes, dim=1)
        choices = [torch.multinomial(part.float(), 1, generator=generator) for part in parts]
        return torch.cat(choices, dim=1).to(game.device, torch.int32)

    return choose


def policy_actor(policy: Policy, seed: int = 0) -> Actor:
    """Draws actions from a policy, as in training, with its memory from step to step.

    It plays one game only, from its first step on; the policy is left as it was.
    """
    generator = torch.Generator(next(policy.parameters()).device).manual_seed(seed)
    memory = None

    def choose(game: SimonSays) -> Tensor:
        nonlocal memory
        move = act(policy, game, memory or policy.initial_state(game.world_count), generator)
        memory = move.thought.memory
        return move.action_WK.to(torch.int32)

    return choose


def expert_actor(seed: int = 0) -> Actor:
    """Plays one voxel world by a script; when it holds what is asked for, it stands still."""
    rng = np.random.default_rng(seed)
    script: Iterator[list[int]] = iter(())
    played = ""

    def choose(game: SimonSays) -> Tensor:
        nonlocal script, played
        world, goal = game.world, words.asked(game)
        assert isinstance(world, VoxelWorld)
        if bool(game.restarted) or goal != played:
            script, played = Script(Senses(world, 0), goal, rng).play(), goal
        action = [0] * len(ACTION_SIZES)
        if not bool(game.terminated | game.truncated):
            action = next(script, action)
        return torch.tensor([action], dtype=torch.int32)

    return choose

"""Who acts in a film: chance, a policy or a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor

from lapis.agent.player import act
from lapis.agent.policy import Policy
from lapis.simonsays import SimonSays, words
from lapis.worlds.voxel.actions import ACTION_SIZES
from lapis.worlds.voxel.expert.script import Script
from lapis.worlds.voxel.expert.senses import Senses
from lapis.worlds.voxel.world import VoxelWorld

__all__ = ["Actor", "expert_actor", "policy_actor", "random_actor"]

Actor: TypeAlias = Callable[[SimonSays], Tensor]
"""Chooses what to do next: an action that the mask allows now, int32 of shape (world, component).

A fair actor looks at `game.observation` and `game.action_mask` alone; a script may read the world.
"""


def random_actor(seed: int = 0) -> Actor:
    """Takes any allowed choice of each component, all alike."""
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

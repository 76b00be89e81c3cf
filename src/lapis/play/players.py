"""Who plays in a film."""

# W = worlds, A = choices of all action components
from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from lapis.agent import actions
from lapis.agent.player import seen
from lapis.agent.policy import Policy
from lapis.simonsays import SimonSays
from lapis.worlds.voxel.actions import ACTION_SIZES
from lapis.worlds.voxel.expert.script import Script
from lapis.worlds.voxel.expert.senses import Senses
from lapis.worlds.voxel.world import VoxelWorld

__all__ = ["ExpertPlayer", "Player", "PolicyPlayer", "RandomPlayer"]


class Player(Protocol):
    """Chooses what to do next."""

    def act(self, game: SimonSays) -> Tensor:
        """An action that the mask allows now, int32 of shape (world, component).

        `game.observation` and `game.action_mask` are all that a fair player looks at; a scripted
        one may read the world.
        """
        ...


class RandomPlayer:
    """Takes any allowed choice of each component, all alike.

    Args:
        seed: Decides the choices.
    """

    def __init__(self, seed: int = 0) -> None:
        self._generator = torch.Generator().manual_seed(seed)

    def act(self, game: SimonSays) -> Tensor:
        """An action for each world."""
        parts = game.action_mask.cpu().split(game.action_sizes, dim=1)
        choices = [torch.multinomial(part.float(), 1, generator=self._generator) for part in parts]
        return torch.cat(choices, dim=1).to(game.device, torch.int32)


class PolicyPlayer:
    """Draws actions from a policy, as in training, with its memory from step to step.

    Args:
        policy: Who plays; it is left as it was.
        seed: Decides the draws.
    """

    def __init__(self, policy: Policy, seed: int = 0) -> None:
        self._policy = policy
        device = next(policy.parameters()).device
        self._generator = torch.Generator(device).manual_seed(seed)
        self._memory = None

    @torch.no_grad()
    def act(self, game: SimonSays) -> Tensor:
        """An action for each world; of one game only, from its first step on."""
        memory = self._memory
        if memory is None:
            memory = self._policy.initial_state(game.world_count)
        logits_1WA, _, self._memory = self._policy(seen(game), game.restarted.unsqueeze(0), memory)
        components = actions.choices(logits_1WA[0], game.action_mask, game.action_sizes)
        uniform_WA = actions.uniform(logits_1WA[0], self._generator)
        return actions.sample(components, uniform_WA).to(torch.int32)


class ExpertPlayer:
    """Plays by a script that reads the world; when it holds what is asked for, it stands still.

    Args:
        seed: Decides what the script leaves to chance.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)
        self._script: Iterator[list[int]] = iter(())
        self._goal = ""

    def act(self, game: SimonSays) -> Tensor:
        """An action for the one world of a game, which is a voxel world."""
        world = game.world
        assert isinstance(world, VoxelWorld)
        goal = game.goals[int(game.goal)]
        if bool(game.restarted) or goal != self._goal:
            self._script = Script(Senses(world, 0), goal, self._rng).play()
            self._goal = goal
        action = [0] * len(ACTION_SIZES)
        if not bool(game.terminated | game.truncated):
            action = next(self._script, action)
        return torch.tensor([action], dtype=torch.int32)

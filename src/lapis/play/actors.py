"""Who acts in a film: chance, a policy or a script."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

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

__all__ = ["Actor", "ExpertActor", "PolicyActor", "RandomActor"]


class Actor(Protocol):
    """Chooses what to do next."""

    def act(self, game: SimonSays) -> Tensor:
        """An action that the mask allows now, int32 of shape (world, component).

        `game.observation` and `game.action_mask` are all that a fair actor looks at; a scripted
        one may read the world.
        """
        ...


class RandomActor:
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


class PolicyActor:
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

    def act(self, game: SimonSays) -> Tensor:
        """An action for each world; of one game only, from its first step on."""
        memory = self._memory or self._policy.initial_state(game.world_count)
        move = act(self._policy, game, memory, self._generator)
        self._memory = move.thought.memory
        return move.action_WK.to(torch.int32)


class ExpertActor:
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
        world, goal = game.world, words.asked(game)
        assert isinstance(world, VoxelWorld)
        if bool(game.restarted) or goal != self._goal:
            self._script = Script(Senses(world, 0), goal, self._rng).play()
            self._goal = goal
        action = [0] * len(ACTION_SIZES)
        if not bool(game.terminated | game.truncated):
            action = next(self._script, action)
        return torch.tensor([action], dtype=torch.int32)

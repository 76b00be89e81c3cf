"""Where a policy acts: in one step of a game, and in all steps of a rollout."""

# W = worlds, R = some of them, A = choices of all action components, K = action components
from __future__ import annotations

import time
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from lapis.agent import actions
from lapis.agent.compiling import compiled_once
from lapis.agent.lstm import LSTMState
from lapis.agent.policy import Policy
from lapis.agent.rollout import SHARED, Rollout


class Game(Protocol):
    """What a player asks of the worlds; `lapis.simonsays.SimonSays` is one."""

    world_count: int
    device: torch.device
    action_sizes: tuple[int, ...]
    observation: dict[str, Tensor]
    reward: Tensor
    ticks: Tensor
    """Game ticks that the last step took, int32 (world,)."""
    terminated: Tensor
    restarted: Tensor
    """Whether the last step only started a new episode, bool (world,): the observation now is the
    episode's first, the action was ignored. True everywhere before the first step."""

    @property
    def action_mask(self) -> Tensor:
        """What is allowed now, bool (world, sum of action_sizes)."""
        ...

    def step(self, action: Tensor, /) -> None:
        """Plays one action, int32 (world, component), in every world."""


def seen(game: Game, row_R: Tensor | None = None) -> dict[str, Tensor]:
    """All that a policy may look at now, in all worlds or in some, with a time axis of one."""
    observation = {**game.observation, "action_mask": game.action_mask}
    return {
        name: value if name in SHARED else (value if row_R is None else value[row_R]).unsqueeze(0)
        for name, value in observation.items()
    }


class Thought(NamedTuple):
    """What a policy makes of what it sees."""

    logits_WA: Tensor
    value_W: Tensor
    memory: LSTMState


class Move(NamedTuple):
    """An action in each world, and what led to it."""

    action_WK: Tensor
    """int64."""
    log_probability_W: Tensor
    thought: Thought


@torch.no_grad()
def think(
    policy: Policy,
    game: Game,
    memory: LSTMState,
    observation: dict[str, Tensor] | None = None,
    row_R: Tensor | None = None,
) -> Thought:
    """The policy's scores and values now, and its memory afterwards; `memory` stays as it is.

    All worlds count, or those of `row_R` alone; the memory has one row for each. An `observation`
    is seen instead of `seen(game, row_R)`.
    """
    first_W = game.restarted if row_R is None else game.restarted[row_R]
    observation = seen(game, row_R) if observation is None else observation
    logits_1WA, value_1W, memory = policy(observation, first_W.unsqueeze(0), memory)
    return Thought(logits_1WA[0], value_1W[0], memory)


@torch.no_grad()
def act(
    policy: Policy,
    game: Game,
    memory: LSTMState,
    generator: torch.Generator,
    row_R: Tensor | None = None,
) -> Move:
    """Draws an action of what is allowed: the one place where a policy acts.

    Training, evaluations, films and inspections all come here. Nothing is read back to the host,
    and the game is not stepped. The arguments are those of `think`; `generator` decides the draws.
    """
    thought = think(policy, game, memory, row_R=row_R)
    mask_WA = game.action_mask if row_R is None else game.action_mask[row_R]
    choose = compiled_once(actions.choose) if policy.is_compiled else actions.choose
    uniform_WA = actions.uniform(thought.logits_WA, generator)
    action_WK, log_probability_W = choose(thought.logits_WA, mask_WA, uniform_WA, game.action_sizes)
    return Move(action_WK, log_probability_W, thought)


class Player:
    """The policy's side of a game in progress: its memory and its random generator."""

    def __init__(self, policy: Policy, game: Game, *, seed: int) -> None:
        self.policy = policy
        self.game = game
        self.generator = torch.Generator(game.device).manual_seed(seed)
        self.state: LSTMState = policy.initial_state(game.world_count)
        """Memory, written in place."""
        self.game_seconds = 0.0
        """Time that the last `collect` spent in the game; on a GPU, that of queueing its work."""

    @torch.no_grad()
    def collect(self, rollout: Rollout) -> None:
        """Fills the rollout; reads nothing back to the host."""
        game = self.game
        self.game_seconds = 0.0
        for name, kept in rollout.shared.items():
            kept.copy_(game.observation[name])
        for step in range(rollout.step_count):
            action_WK = self.act(rollout, step)
            start = time.perf_counter()
            game.step(action_WK)
            self.game_seconds += time.perf_counter() - start
            rollout.reward_TW[step] = game.reward
            rollout.ticks_TW[step] = game.ticks
            rollout.terminated_TW[step] = game.terminated
            rollout.restarted_TW[step] = game.restarted
        rollout.next_value_W.copy_(think(self.policy, game, self.state).value_W)

    def act(self, rollout: Rollout, step: int) -> Tensor:
        """Stores what is seen, chooses an action and stores it too; returns it, (world, K)."""
        for name, kept_TW in rollout.observation_TW.items():
            kept_TW[step] = self.game.observation[name]
        rollout.first_TW[step] = self.game.restarted
        rollout.mask_TWA[step] = self.game.action_mask
        if step % rollout.sequence_steps == 0:
            chunk = step // rollout.sequence_steps
            rollout.start_hidden_CWH[chunk] = self.state.hidden_SH
            rollout.start_cell_CWH[chunk] = self.state.cell_SH
        move = act(self.policy, self.game, self.state, self.generator)
        for kept, after in zip(self.state, move.thought.memory, strict=True):
            kept.copy_(after)
        rollout.action_TWK[step] = move.action_WK
        rollout.log_probability_TW[step] = move.log_probability_W
        rollout.value_TW[step] = move.thought.value_W
        return move.action_WK.to(torch.int32)

    def state_dict(self) -> dict[str, Tensor]:
        """Memory and random generator; the game keeps its own state."""
        return {
            "hidden": self.state.hidden_SH,
            "cell": self.state.cell_SH,
            "generator": self.generator.get_state(),
        }

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        """Continues from another player's `state_dict`; the memory is optional."""
        for name, memory in zip(("hidden", "cell"), self.state, strict=True):
            if name in state:
                memory.copy_(state[name])
            else:
                memory.zero_()
        self.generator.set_state(state["generator"].cpu())

"""Playing: the policy acts in all worlds for the steps of one rollout."""

# W = worlds, A = choices of all action components, K = action components
from __future__ import annotations

import time
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from lapis.agent import actions
from lapis.agent.compiling import compiled_once
from lapis.agent.lstm import LSTMState
from lapis.agent.policy import Policy
from lapis.agent.rollout import SHARED, Rollout


class Game(Protocol):
    """What the trainer asks of the worlds; `lapis.simonsays.SimonSays` is one."""

    world_count: int
    device: torch.device
    goals: tuple[str, ...]
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
        ...

    def set_probabilities(self, probabilities: np.ndarray, /) -> None:
        """Draws new goals with these probabilities (goal,)."""
        ...

    def set_exploration_set(self, exploration_set: np.ndarray, /) -> None:
        """Lets these goals, bool (goal,), pay a bonus."""
        ...

    def take_counts(self) -> tuple[np.ndarray, np.ndarray]:
        """Successes and attempts per goal since the last call."""
        ...

    def start(self) -> None:
        """Starts a new episode with an empty inventory in every world."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """All that `load_state_dict` needs to continue bit for bit."""
        ...

    def load_state_dict(self, state: dict[str, Any], /) -> None:
        """Takes over a state."""
        ...


def seen(game: Game, row_R: Tensor | None = None) -> dict[str, Tensor]:
    """All that a policy may look at now, with a time axis of length one.

    Args:
        game: Where it plays.
        row_R: Of these worlds alone; None: of all.
    """
    observation = {**game.observation, "action_mask": game.action_mask}
    return {
        name: value if name in SHARED else (value if row_R is None else value[row_R]).unsqueeze(0)
        for name, value in observation.items()
    }


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
        _, next_value_1W, _ = self._look()
        rollout.next_value_W.copy_(next_value_1W[0])

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
        logits_1WA, value_1W, state = self._look()
        self.state.hidden_SH.copy_(state.hidden_SH)
        self.state.cell_SH.copy_(state.cell_SH)
        logits_WA = logits_1WA[0]
        choose = compiled_once(actions.choose) if self.policy.is_compiled else actions.choose
        action_WK, rollout.log_probability_TW[step] = choose(
            logits_WA,
            rollout.mask_TWA[step],
            actions.uniform(logits_WA, self.generator),
            self.policy.action_sizes,
        )
        rollout.action_TWK[step] = action_WK
        rollout.value_TW[step] = value_1W[0]
        return action_WK.to(torch.int32)

    def _look(self) -> tuple[Tensor, Tensor, LSTMState]:
        """What the policy makes of the observations now, with a time axis of length one."""
        return self.policy(seen(self.game), self.game.restarted.unsqueeze(0), self.state)

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

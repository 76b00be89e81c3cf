"""The recurrent policy: summed embeddings, LSTM, one layer, action head and value head (P21)."""

# T = steps, W = worlds (or sequences), A = choices of all action components, E = width
from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from lapis.agent.action_items import OWN_SHARE, ActionItems
from lapis.agent.lstm import LSTM, LSTMState

ASKED = ("goal", "other_goal", "exploration_set")
"""Observations of what is asked for and what pays, rather than of the world."""


class Policy(nn.Module):
    """Maps named observations to action scores and a value, with memory (paper P21).

    The trunk takes any set of named embeddings: a world with pixels adds an encoder for 'frame',
    nothing else changes. `PolicyConfig` explains `width` and `compile`.

    Args:
        encoders: One for each observation that the policy uses.
        action_sizes: Choices of each component of an action.
        width: Width of the network, and of the encoders' outputs.
        compile: See `PolicyConfig`; encoders have their own setting.
        action_prior: Scores of the choices before anything is learned, in the order of the mask;
            learned scores are added to them. None: all equal.
        action_items: What is added to the scores for the items that actions are about, or None.
    """

    _compile = False

    def __init__(
        self,
        encoders: Mapping[str, nn.Module],
        action_sizes: tuple[int, ...],
        *,
        width: int,
        compile: bool = False,
        action_prior: Sequence[float] | None = None,
        action_items: ActionItems | None = None,
    ) -> None:
        super().__init__()
        if not encoders:
            raise ValueError("encoders is empty; a policy needs at least one observation")
        self.action_sizes = tuple(action_sizes)
        self.encoders = nn.ModuleDict(dict(encoders))
        self._compile = compile
        self.lstm = LSTM(width, width, compile=compile)
        self.layer = nn.Linear(width, width)
        self.action_head = nn.Linear(width, sum(action_sizes))
        self.action_items = action_items
        if action_prior is not None and len(action_prior) != sum(action_sizes):
            raise ValueError(
                f"action_prior has {len(action_prior)} scores; action_sizes {self.action_sizes} "
                f"have {sum(action_sizes)} choices"
            )
        prior_A = None if action_prior is None else torch.tensor(action_prior)
        self.register_buffer("prior_A", prior_A, persistent=False)
        self.prior_A: Tensor | None
        self.value_head = nn.Linear(width, 1)
        # A small action head starts near the prior, or the uniform choice among what is allowed.
        gains = {self.layer: math.sqrt(2.0), self.action_head: 0.01, self.value_head: 1.0}
        for linear, gain in gains.items():
            nn.init.orthogonal_(linear.weight, gain)
            nn.init.zeros_(linear.bias)

    @property
    def is_compiled(self) -> bool:
        """Whether what uses its scores should be compiled too, because it trains on a GPU."""
        return self._compile and self.training and self.value_head.weight.is_cuda

    def initial_state(self, world_count: int) -> LSTMState:
        """The memory of worlds whose episode has not begun."""
        return self.lstm.initial_state(world_count)

    def forward(
        self, observation: Mapping[str, Tensor], first_TW: Tensor, state: LSTMState
    ) -> tuple[Tensor, Tensor, LSTMState]:
        """Evaluates T consecutive observations of W worlds.

        Args:
            observation: Per name a tensor of shape (step, world, ...), or without these two axes
                where one value holds for all (the exploration set).
            first_TW: Whether an observation is the first of its episode (bool).
            state: Memory before the first of these steps.

        Returns:
            Logits (step, world, choice), values (step, world) and the memory afterwards.
        """
        embeddings = self._embed(observation)
        seen_TWE = functools.reduce(torch.add, embeddings.values())
        hidden_TWE, state = self.lstm(seen_TWE, first_TW, state)
        trunk_TWE = torch.relu(self.layer(hidden_TWE))
        logits_TWA = self.action_head(trunk_TWE)
        items = self.action_items
        if items is not None:
            context_TWE = trunk_TWE
            if items.goal_blind:
                blind = (each for name, each in embeddings.items() if name not in ASKED)
                context_TWE = torch.relu(functools.reduce(torch.add, blind))
                logits_TWA = logits_TWA * (1.0 - (1.0 - OWN_SHARE) * items.known_A)
            logits_TWA = logits_TWA + items(context_TWE, observation, compile=self.is_compiled)
        if self.prior_A is not None:
            logits_TWA = logits_TWA + self.prior_A
        return logits_TWA, self.value_head(trunk_TWE).squeeze(-1), state

    def _embed(self, observation: Mapping[str, Tensor]) -> dict[str, Tensor]:
        missing = self.encoders.keys() - observation.keys()
        if missing:
            raise ValueError(f"observation lacks {sorted(missing)}; it has {sorted(observation)}")
        return {name: encode(observation[name]) for name, encode in self.encoders.items()}

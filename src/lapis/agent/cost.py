"""How much arithmetic a policy takes: multiply-adds of its matrix products, as PyTorch counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from lapis.agent.policy import Policy
from lapis.agent.rollout import SHARED

__all__ = ["Cost", "policy_cost"]


class Cost(NamedTuple):
    """Multiply-adds per policy step of one world, of convolutions, linear layers and the LSTM.

    Operations without a matrix product (looked-up embeddings, halvings, activations) are not
    counted. What is computed once for all worlds (the exploration set) is divided among them.
    """

    forward: float
    """Of looking at one observation."""
    training: float
    """Of looking at it again and computing the gradient: another product for each weight, and one
    for each input, except where that is an observation, which needs no gradient."""


def policy_cost(policy: Policy, observation: Mapping[str, Tensor]) -> Cost:
    """The cost of one policy step of one world.

    Args:
        policy: Whose products are counted.
        observation: What it sees now, by name, shape (world, ...).
    """
    seen = {name: each if name in SHARED else each[None] for name, each in observation.items()}
    world_count = len(observation["goal"])
    first_1W = torch.zeros(1, world_count, dtype=torch.bool, device=observation["goal"].device)
    was_training = policy.training
    policy.eval()  # The counter does not see into compiled code.
    with FlopCounterMode(display=False) as forward:
        logits_1WA, value_1W, _ = policy(seen, first_1W, policy.initial_state(world_count))
    with FlopCounterMode(display=False) as backward:
        torch.autograd.grad(
            logits_1WA.sum() + value_1W.sum(), list(policy.parameters()), allow_unused=True
        )
    policy.train(was_training)
    # The counter takes a multiply-add for two operations.
    looking = forward.get_total_flops() / 2 / world_count
    return Cost(looking, looking + backward.get_total_flops() / 2 / world_count)

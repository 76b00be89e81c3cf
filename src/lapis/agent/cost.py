"""How much arithmetic a policy takes: multiply-adds of its matrix products, by layer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from torch import Tensor, nn

from lapis.agent.encoders import LinearEncoder
from lapis.agent.frames import Convolution, FrameEncoder, Stage
from lapis.agent.policy import Policy


class Cost(NamedTuple):
    """Multiply-adds per policy step, of convolutions, linear layers and the LSTM.

    What takes no matrix product (embeddings that are looked up, halvings, activations) counts for
    nothing, and so does what is computed once for all worlds (the exploration set).
    """

    forward: int
    """Of looking at one observation."""
    training: int
    """Of looking at it again and computing the gradient: another product for each weight, and one
    for each input, except where that is an observation, which needs no gradient."""


def policy_cost(policy: Policy, observation: Mapping[str, Tensor]) -> Cost:
    """The cost of one policy step.

    Args:
        policy: Whose layers are counted.
        observation: Examples by name, shape (world, ...).
    """
    costs = [
        encoder_cost(encoder, observation[name])
        for name, encoder in policy.encoders.items()
        if name != "exploration_set"
    ]
    inner = policy.layer.weight.numel() + policy.action_head.weight.numel()
    inner += policy.value_head.weight.numel()
    inner += policy.lstm.input_projection.weight.numel() + policy.lstm.recurrent_weight_GH.numel()
    costs.append(Cost(inner, 3 * inner))
    return Cost(sum(cost.forward for cost in costs), sum(cost.training for cost in costs))


def encoder_cost(encoder: nn.Module, example: Tensor) -> Cost:
    """The cost of one embedding; `example` has shape (world, ...)."""
    if isinstance(encoder, FrameEncoder):
        return frame_cost(encoder, side=example.shape[1])
    if isinstance(encoder, LinearEncoder):
        count = encoder.weight.numel()
        return Cost(count, 2 * count)
    return Cost(0, 0)


def frame_cost(encoder: FrameEncoder, *, side: int) -> Cost:
    """The cost of one frame of `side` x `side` pixels.

    A convolution takes one multiply-add per weight and pixel.
    """
    counts: list[int] = []
    for stage in encoder.stages:
        assert isinstance(stage, Stage)
        after = stage.side_after(side)
        convolved = after if stage.is_strided else side
        counts.append(stage.convolution.weight.numel() * convolved * convolved)
        side = after
        inner = [each for each in stage.blocks.modules() if isinstance(each, Convolution)]
        counts += [each.weight.numel() * side * side for each in inner]
    counts.append(encoder.layer.weight.numel())
    forward = sum(counts)
    return Cost(forward, 3 * forward - counts[0])

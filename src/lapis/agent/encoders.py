"""Embeddings of named observations, all of one width, so that the trunk can sum them."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from lapis.agent.config import Precision
from lapis.agent.frames import ClassEncoder, FrameEncoder

FAN_CLASSES = 32
"""Classes that a ray may meet, at most."""


def build_encoders(
    observation: Mapping[str, Tensor],
    *,
    goal_count: int,
    width: int,
    observe_exploration_set: bool = True,
    filters: tuple[int, ...] = (16, 32, 32),
    precision: Precision = "float32",
    compile: bool = False,
) -> dict[str, nn.Module]:
    """Makes one encoder per observation, chosen by its name, type and shape (paper P21).

    Args:
        observation: Examples: 'goal' int64 (world,), 'exploration_set' bool (goal,), 'frame'
            uint8 (world, side, side, 3), 'fan_class' uint8 (world, ray), and any number of numeric
            tensors of shape (world, feature).
        goal_count: Number of goals.
        width: Size of every embedding.
        observe_exploration_set: False leaves 'exploration_set' without an encoder: a policy looks
            at nothing that has none.
        filters: Channels of each stage of the network for frames (paper P20).
        precision: In what that network computes on a GPU.
        compile: Whether it is compiled on a GPU.

    Returns:
        Modules that map an observation of shape (..., its own axes) to (..., width).
    """
    encoders: dict[str, nn.Module] = {}
    for name, example in observation.items():
        if name == "goal":
            encoders[name] = OneHotEncoder(goal_count, width)
        elif name == "exploration_set":
            if observe_exploration_set:
                encoders[name] = LinearEncoder(goal_count, width)
        elif name == "fan_class":
            encoders[name] = ClassEncoder(example.shape[1], FAN_CLASSES, width)
        elif example.ndim == 4 and example.shape[1] == example.shape[2]:
            encoders[name] = FrameEncoder(
                example.shape[1], filters, width, precision=precision, compile=compile
            )
        elif example.ndim == 2:
            encoders[name] = LinearEncoder(example.shape[1], width)
        else:
            raise ValueError(
                f"observation {name!r} has shape {tuple(example.shape)} and type {example.dtype}; "
                "there are encoders for (world, feature), for frames of (world, side, side, 3), "
                "and for 'goal', 'exploration_set' and 'fan_class'"
            )
    return encoders


class LinearEncoder(nn.Linear):
    """A linear embedding of numbers, of whatever type they are stored in."""

    def __init__(self, feature_count: int, width: int) -> None:
        super().__init__(feature_count, width)
        nn.init.orthogonal_(self.weight, math.sqrt(2.0))
        nn.init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        """Maps (..., feature) to (..., width)."""
        return super().forward(input.to(self.weight.dtype))


class OneHotEncoder(nn.Embedding):
    """A linear embedding of a one-hot vector, looked up by its index."""

    def __init__(self, choice_count: int, width: int) -> None:
        super().__init__(choice_count, width)
        # Entries of size 1 / sqrt(2): a goal weighs about as much as the features of the world.
        with torch.no_grad():
            self.weight.mul_(math.sqrt(0.5))

"""Embeddings of named observations, all of one width, so that the trunk can sum them."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from lapis.agent.config import PolicyConfig
from lapis.agent.frames import ClassEncoder

FAN_CLASSES = 32
"""Classes that a ray may meet, at most."""
LOUDNESS = 0.5
"""Root mean square of an embedding's entries at the start, where inputs are equal."""
ITEM_LOUDNESS = 0.2
"""The same of the embedding of a single item; some six kinds of items are as loud as the goal."""
FIRST_ITEM = 1.0 / 6.0
"""What the first of an item's units adds to its column of the inventory, in every world."""
MEASURED_FRAMES = 64
"""Frames on which the first size of their embedding is measured, at most."""
ONE_HOT = ("hand", "off_hand")
"""Observations of which one feature is 1 and all others 0."""


def build_encoders(
    observation: Mapping[str, Tensor],
    config: PolicyConfig,
    *,
    goal_count: int,
    ingredients: Tensor | None = None,
) -> dict[str, nn.Module]:
    """Makes one encoder per observation, chosen by its name, type and shape (paper P21).

    Args:
        observation: Examples: 'goal' and, where pairs of goals are asked for, 'other_goal', int64
            (world,), 'exploration_set' bool (goal,), 'frame' uint8 (world, side, side, 3),
            'fan_class' uint8 (world, ray), and any number of numeric tensors of shape (world,
            feature). The policy sees 'exploration_set' and 'action_mask' only if `config` says so:
            otherwise they have no encoder.
        config: Width, senses and the network for frames.
        goal_count: Number of goals.
        ingredients: Which goals (columns) each goal (row) is made from, bool (goal, goal); needed
            with `config.observe_ingredients`.

    Returns:
        Modules that map an observation of shape (..., its own axes) to (..., width).
    """
    shown = {"exploration_set": config.observe_exploration_set, "action_mask": config.observe_mask}
    encoders: dict[str, nn.Module] = {}
    for name, example in observation.items():
        if not shown.get(name, True):
            continue
        if name == "goal":
            encoders[name] = _goal_encoder(config, goal_count, ingredients)
        elif name == "other_goal":
            encoders[name] = OneHotEncoder(goal_count + 1, config.width)
        elif name == "exploration_set":
            encoders[name] = LinearEncoder(goal_count, config.width)
        elif name == "fan_class":
            encoders[name] = ClassEncoder(example.shape[1], FAN_CLASSES, config.width)
        elif example.ndim == 4 and example.shape[1] == example.shape[2]:
            if config.frames is None:
                raise ValueError(
                    f"observation {name!r} is a frame, but policy.frames is None; choose a network "
                    "for frames, for example `--policy.frames impala`"
                )
            side = example.shape[1]
            encoders[name] = config.frames.build(side, config.width, compile=config.compile)
        elif example.ndim == 2:
            encoders[name] = LinearEncoder(example.shape[1], config.width)
        else:
            raise ValueError(
                f"observation {name!r} has shape {tuple(example.shape)} and type {example.dtype}; "
                "there are encoders for (world, feature), for frames of (world, side, side, 3), "
                "and for 'goal', 'exploration_set' and 'fan_class'"
            )
    if config.equal_inputs:
        for name, encoder in encoders.items():
            equalize(name, encoder, observation[name])
    return encoders


def _goal_encoder(
    config: PolicyConfig, goal_count: int, ingredients: Tensor | None
) -> OneHotEncoder:
    if not config.observe_ingredients:
        return OneHotEncoder(goal_count, config.width)
    if ingredients is None or ingredients.shape != (goal_count, goal_count):
        shape = None if ingredients is None else tuple(ingredients.shape)
        raise ValueError(
            f"ingredients has shape {shape}; observe_ingredients needs one row and one column "
            f"for each of the {goal_count} goals"
        )
    return GoalEncoder(ingredients, config.width)


@torch.no_grad()
def equalize(name: str, encoder: nn.Module, example: Tensor) -> None:
    """Rescales an encoder's first weights, so that its embeddings start at `LOUDNESS`.

    One-hot inputs have one column each of that size. Of numbers, half are assumed to be 1, as
    flags, switches and shares of a whole are; of an inventory, one item is `ITEM_LOUDNESS`. A
    network for frames, which ends in a linear `layer`, is measured on the frames of `example`, on
    the CPU, whose rounding does not depend on the device.
    """
    if isinstance(encoder, OneHotEncoder):
        encoder.weight.normal_(std=LOUDNESS)
    elif isinstance(encoder, ClassEncoder):
        encoder.weight.mul_(LOUDNESS)
    elif isinstance(layer := getattr(encoder, "layer", None), nn.Linear):
        embedding = encoder(example[:MEASURED_FRAMES].cpu())
        layer.weight.mul_(LOUDNESS / embedding.square().mean().sqrt())
    elif isinstance(encoder, LinearEncoder):
        if name == "inventory":
            size = ITEM_LOUDNESS / FIRST_ITEM
        elif name in ONE_HOT:
            size = LOUDNESS
        else:
            size = LOUDNESS / math.sqrt(max(1.0, encoder.in_features / 2))
        encoder.weight.normal_(std=size)
    else:
        raise ValueError(
            f"policy.equal_inputs needs an encoder of {name!r} that ends in a linear `layer`; "
            f"{type(encoder).__name__} has none"
        )


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


class GoalEncoder(OneHotEncoder):
    """A goal as itself and as the goals it is made from.

    Each goal has a row for being asked for and another for being an ingredient. The rows of a
    goal's ingredients are added up and divided by the root of their number: at the start the sum
    is as large as one row, however many there are. `build_encoders` explains the ingredients.
    """

    def __init__(self, ingredients: Tensor, width: int) -> None:
        goal_count = len(ingredients)
        super().__init__(2 * goal_count, width)
        share = ingredients.to(torch.float32)
        share = share / share.square().sum(dim=1, keepdim=True).sqrt().clamp(min=1.0)
        self.register_buffer("share_GG", share, persistent=False)
        self.share_GG: Tensor

    def forward(self, input: Tensor) -> Tensor:
        """Maps goals (...) to (..., width)."""
        itself_GE, as_part_GE = self.weight.chunk(2)
        return nn.functional.embedding(input, itself_GE + self.share_GG @ as_part_GE)

"""Factorial actions under masks: one choice per component, each with its own softmax."""

# A = choices of all components together, K = components; "..." is any leading shape
from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

PENALTY = -1e9
"""Added to masked logits. Finite, so that 0 * log(0) never arises; large enough for a probability,
and with it a gradient, of exactly zero."""


class Choices(NamedTuple):
    """The distribution over the choices of one component, shape (..., its size)."""

    probability: Tensor
    log_probability: Tensor


def choices(logits_A: Tensor, mask_A: Tensor, sizes: tuple[int, ...]) -> list[Choices]:
    """The distribution of each component, whose numbers of choices are `sizes`.

    A choice outside the mask (bool, like the logits) has probability exactly zero and passes a
    gradient of exactly zero. The mask allows at least one choice of each component.
    """
    allowed_A = torch.add(logits_A, (~mask_A).to(logits_A.dtype), alpha=PENALTY)
    # Not the exponential of the other: that of a number far below zero is ten times slower.
    return [
        Choices(component.softmax(dim=-1), component.log_softmax(dim=-1))
        for component in allowed_A.split(sizes, dim=-1)
    ]


def uniform(like_A: Tensor, generator: torch.Generator) -> Tensor:
    """Numbers in [0, 1) for `sample`, one for each choice of each component."""
    return torch.empty_like(like_A).uniform_(generator=generator)


def sample(components: list[Choices], uniform_A: Tensor) -> Tensor:
    """Draws one choice per component with numbers from `uniform`, int64, shape (..., K).

    The Gumbel maximum: a masked choice, 1e9 below the others, can never win.
    """
    noise_A = uniform_A.clamp(min=torch.finfo(uniform_A.dtype).tiny).log_().neg_().log_()
    sizes = [component.probability.shape[-1] for component in components]
    drawn = [
        (component.log_probability - noise).argmax(dim=-1, keepdim=True)
        for component, noise in zip(components, noise_A.split(sizes, dim=-1), strict=True)
    ]
    return torch.cat(drawn, dim=-1)


def log_probability(components: list[Choices], action_K: Tensor) -> Tensor:
    """Log-probability of given actions, shape (...)."""
    chosen = [
        component.log_probability.gather(-1, action_K[..., index : index + 1])
        for index, component in enumerate(components)
    ]
    return torch.cat(chosen, dim=-1).sum(dim=-1)


def entropy(components: list[Choices]) -> Tensor:
    """Entropy over the allowed choices [nats], summed over the components, shape (...)."""
    parts = [
        -(component.probability * component.log_probability).sum(dim=-1) for component in components
    ]
    return torch.stack(parts).sum(dim=0)


def expected(components: list[Choices], score_A: Tensor) -> Tensor:
    """Expected score of the choices, summed over the components, shape (...)."""
    sizes = [component.probability.shape[-1] for component in components]
    parts = [
        component.probability @ score
        for component, score in zip(components, score_A.split(sizes), strict=True)
    ]
    return torch.stack(parts).sum(dim=0)


def choose(
    logits_A: Tensor, mask_A: Tensor, uniform_A: Tensor, sizes: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    """Draws actions, shape (..., K), and returns them with their log-probabilities, shape (...).

    The arguments are those of `choices` and `sample`.
    """
    components = choices(logits_A, mask_A, sizes)
    action_K = sample(components, uniform_A)
    return action_K, log_probability(components, action_K)

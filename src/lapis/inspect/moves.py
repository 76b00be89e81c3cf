"""How certain the policy's moves are: entropy, and divergence between two ways to move."""

# A = choices of all action components, K = action components; "..." is any leading shape
from __future__ import annotations

import torch
from torch import Tensor

from lapis.agent.actions import Choices, choices

__all__ = ["divergence", "entropies", "prior"]


def entropies(components: list[Choices]) -> Tensor:
    """Entropy of each component [nats], shape (..., K)."""
    return torch.stack(
        [-(each.probability * each.log_probability).sum(dim=-1) for each in components], dim=-1
    )


def divergence(components: list[Choices], others: list[Choices]) -> Tensor:
    """KL(components || others) of each component [nats], shape (..., K).

    Both under the same mask: a choice that is not allowed has probability zero in both, and adds
    nothing. Components are drawn apart, so that the whole action's divergence is the sum.
    """
    parts = [
        (own.probability * (own.log_probability - other.log_probability)).sum(dim=-1)
        for own, other in zip(components, others, strict=True)
    ]
    return torch.stack(parts, dim=-1)


def prior(prior_A: Tensor | None, mask_A: Tensor, sizes: tuple[int, ...]) -> list[Choices]:
    """How a policy moves that has learned nothing: by its prior, or by chance."""
    score_A = torch.zeros(mask_A.shape[-1], device=mask_A.device) if prior_A is None else prior_A
    return choices(score_A.expand(mask_A.shape), mask_A, sizes)

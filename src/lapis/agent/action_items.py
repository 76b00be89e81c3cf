"""Scores that actions get for the items they are about, shared by all actions of a kind."""

# A = choices of all action components, G = goals, K = kinds of actions; "..." is any leading shape
from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from lapis.agent.compiling import compiled_once

ActionItem = tuple[str, str] | None
"""What a choice does with which item, such as ("craft", "stick"); None: it is about no item."""

FEATURES = ("goal", "bonus", "ingredient", "missing")
"""An item may be asked for, in the exploration set, needed for the goal, or needed and missing."""
ANY = "any"
"""A feature that every action with an item has; for scores that are the same for all goals."""
OWN_SHARE = 0.2
"""What then is left of the scores that such actions learn on their own."""


class ActionItems(nn.Module):
    """Adds to an action's score what its item is worth now.

    An action head alone learns every action separately: that a stone sword is crafted when asked
    for says nothing about an iron one. Most actions waste something most of the time, so the policy
    soon stops trying those that have never paid. Here all actions of a kind share one weight per
    feature of the item, which depends on what the policy sees and remembers. So what is learned
    about crafting one item helps with the next. All weights start at zero.

    A policy that sees its goal learns for each goal separately what pays. For a goal that was never
    reached nothing does, so it stops making tools for it. With `goal_blind` the weights depend only
    on what is seen and held. What was learned for the goals that are reached then applies to all.

    Args:
        items: What each choice of the mask is about.
        goals: Names of the goals. Other items are left out.
        held: Names of the first columns of the observation `inventory`.
        inventory: Name of an observation that is above 0 where an item is held.
        needed: How much of each goal (column) it takes to make each goal (row), in the units of the
            inventory, shape (goal, goal). An ingredient is missing if the player holds less.
        width: Size of what the weights depend on.
        see_bonus: Whether to see the exploration set.
        goal_blind: Whether the weights depend only on what is seen and held, not on the goal.
    """

    def __init__(
        self,
        items: Sequence[ActionItem],
        *,
        goals: Sequence[str],
        held: Sequence[str],
        inventory: str,
        needed: Tensor,
        width: int,
        see_bonus: bool = True,
        goal_blind: bool = False,
    ) -> None:
        super().__init__()
        self.inventory = inventory
        self.see_bonus = see_bonus
        self.goal_blind = goal_blind
        known = [item if item and item[1] in goals else None for item in items]
        kinds = sorted({item[0] for item in known if item})
        kind_A = torch.tensor([kinds.index(item[0]) if item else 0 for item in known])
        goal_A = torch.tensor([goals.index(item[1]) if item else 0 for item in known])
        column_A = torch.tensor([held.index(item[1]) if item else 0 for item in known])
        known_A = torch.tensor([float(item is not None) for item in known])
        tables = {
            "_is_kind_KA": F.one_hot(kind_A, len(kinds)).T * known_A,
            "_column_A": column_A,
            "_is_goal_GA": F.one_hot(goal_A, len(goals)).T * known_A,
            "_needed_GA": needed[:, goal_A] * known_A,
            "known_A": known_A,
        }
        for name, table in tables.items():
            self.register_buffer(name, table.contiguous(), persistent=False)
        self._is_kind_KA: Tensor
        self._column_A: Tensor
        self._is_goal_GA: Tensor
        self._needed_GA: Tensor
        self.known_A: Tensor
        """1 for choices with an item, 0 for the others, shape (choice,)."""
        self.features = (*FEATURES, ANY) if goal_blind else FEATURES
        self.weight = nn.Parameter(torch.zeros(len(self.features) * len(kinds), width))
        self.bias = nn.Parameter(torch.zeros(len(self.features) * len(kinds)))

    def forward(
        self, context: Tensor, observation: Mapping[str, Tensor], *, compile: bool = False
    ) -> Tensor:
        """Maps (..., width) to scores (..., choice), zero for choices without an item."""
        add_up = compiled_once(item_scores) if compile else item_scores
        return add_up(
            F.linear(context, self.weight, self.bias),
            observation["goal"],
            observation["exploration_set"] & self.see_bonus,
            observation[self.inventory],
            self._is_kind_KA,
            self._column_A,
            self._is_goal_GA,
            self._needed_GA,
            self.known_A if self.goal_blind else None,
        )


def item_scores(
    weight: Tensor,
    goal: Tensor,
    exploration_set_G: Tensor,
    inventory: Tensor,
    is_kind_KA: Tensor,
    column_A: Tensor,
    is_goal_GA: Tensor,
    needed_GA: Tensor,
    any_A: Tensor | None = None,
) -> Tensor:
    """The sum over the features of feature times weight, shape (..., choice).

    `weight` has shape (..., feature * kind), `goal` (...) and `inventory` (..., item). `any_A` is
    the feature that all actions with an item have, if there is one.
    """
    needed_A = F.embedding(goal, needed_GA)
    part_A = (needed_A > 0).to(is_goal_GA.dtype)
    features = [
        F.embedding(goal, is_goal_GA),
        exploration_set_G.to(is_goal_GA.dtype) @ is_goal_GA,
        part_A,
        part_A * (inventory.index_select(-1, column_A) < needed_A),
    ]
    if any_A is not None:
        features.append(any_A)
    weights = weight.unflatten(-1, (len(features), -1)).unbind(-2)
    # A product with a one-hot table, because the gradient of a look-up adds up one by one.
    scores = [
        feature_A * (per_kind @ is_kind_KA)
        for feature_A, per_kind in zip(features, weights, strict=True)
    ]
    return torch.stack(scores).sum(dim=0)

"""Scores of actions by the items they are about, learned once for all actions of a kind."""

# A = choices of all action components, G = goals; "..." is any leading shape
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


class ActionItems(nn.Module):
    """Adds to an action's score what its item is worth now.

    An action head alone learns every action for itself. That a stone sword is crafted when a stone
    sword is asked for says nothing about an iron one; and as most actions waste something most of
    the time, those that have never paid are soon never tried. Here all actions of a kind share one
    weight per feature of the item, which depends on what the policy sees and remembers: what is
    learned about crafting one item holds for the next. All weights start at zero.

    Args:
        items: What each choice of the mask is about.
        goals: Names of the goals. Items that are no goals are left out.
        held: Names of the first columns of the observation `inventory`.
        inventory: Name of an observation that is above 0 where an item is held.
        ingredients: Which goals (columns) each goal (row) is made from, bool (goal, goal).
        width: Size of what the policy makes of its observations.
        see_bonus: Whether to see the exploration set.
    """

    def __init__(
        self,
        items: Sequence[ActionItem],
        *,
        goals: Sequence[str],
        held: Sequence[str],
        inventory: str,
        ingredients: Tensor,
        width: int,
        see_bonus: bool = True,
    ) -> None:
        super().__init__()
        self.inventory = inventory
        self.see_bonus = see_bonus
        known = [item if item and item[1] in goals else None for item in items]
        kinds = sorted({item[0] for item in known if item})
        kind_A = torch.tensor([kinds.index(item[0]) if item else 0 for item in known])
        goal_A = torch.tensor([goals.index(item[1]) if item else 0 for item in known])
        column_A = torch.tensor([held.index(item[1]) if item else 0 for item in known])
        known_A = torch.tensor([float(item is not None) for item in known])
        tables = {
            "_kind_A": kind_A,
            "_column_A": column_A,
            "_is_goal_GA": F.one_hot(goal_A, len(goals)).T * known_A,
            "_is_part_GA": ingredients[:, goal_A] * known_A,
        }
        for name, table in tables.items():
            self.register_buffer(name, table.contiguous(), persistent=False)
        self._kind_A: Tensor
        self._column_A: Tensor
        self._is_goal_GA: Tensor
        self._is_part_GA: Tensor
        self.weight = nn.Parameter(torch.zeros(len(FEATURES) * len(kinds), width))
        self.bias = nn.Parameter(torch.zeros(len(FEATURES) * len(kinds)))

    def forward(
        self, trunk: Tensor, observation: Mapping[str, Tensor], *, compile: bool = False
    ) -> Tensor:
        """Maps (..., width) to scores (..., choice), zero for choices without an item."""
        add_up = compiled_once(item_scores) if compile else item_scores
        return add_up(
            F.linear(trunk, self.weight, self.bias),
            observation["goal"],
            observation["exploration_set"] & self.see_bonus,
            observation[self.inventory],
            self._kind_A,
            self._column_A,
            self._is_goal_GA,
            self._is_part_GA,
        )


def item_scores(
    weight: Tensor,
    goal: Tensor,
    exploration_set_G: Tensor,
    inventory: Tensor,
    kind_A: Tensor,
    column_A: Tensor,
    is_goal_GA: Tensor,
    is_part_GA: Tensor,
) -> Tensor:
    """The sum over `FEATURES` of feature times weight, shape (..., choice).

    `weight` has shape (..., feature * kind), `goal` (...) and `inventory` (..., item).
    """
    part_A = F.embedding(goal, is_part_GA)
    features = (
        F.embedding(goal, is_goal_GA),
        exploration_set_G.to(is_goal_GA.dtype) @ is_goal_GA,
        part_A,
        part_A * (inventory.index_select(-1, column_A) == 0),
    )
    weights = weight.unflatten(-1, (len(FEATURES), -1)).unbind(-2)
    scores = [
        feature_A * per_kind.index_select(-1, kind_A)
        for feature_A, per_kind in zip(features, weights, strict=True)
    ]
    return torch.stack(scores).sum(dim=0)

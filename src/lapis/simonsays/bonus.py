"""The exploration bonus: what an item pays when more of it is held than ever in the episode."""

# W = worlds, G = goals, S = the span of inventory columns that holds all goals

from __future__ import annotations

import math

import torch
from torch import Tensor


class ExplorationBonus:
    """Pays `decay ** N` for the N-th unit of an item, once per episode (paper P7, P8).

    All units above `most`, the highest number of an item held so far in the episode, are worth
    `decay / (1 - decay) * decay ** most` together. The state is that last factor, which falls as
    `most` rises, and a step pays what it loses. So a stack that arrives at once pays for each unit,
    and one that is dropped and picked up again pays nothing. Items outside the exploration set are
    counted too.
    """

    def __init__(self, inventory: Tensor, columns: list[int], decay: float):
        """Watches `columns` of `inventory`, int32 of shape (world, item), written in place."""
        first, last = min(columns), max(columns)
        # A view, narrow where the goals lie side by side: to carry the columns between them,
        # with weight zero, costs less than to pick columns in every step.
        self._held_WS = inventory[:, first : last + 1]
        world_count, span = self._held_WS.shape
        device = inventory.device
        self._column_G = torch.tensor(columns, device=device) - first
        self._weight_S = torch.zeros(span, device=device)
        self._worth_of_all = decay / (1.0 - decay)
        self._log_decay = math.log2(decay)
        self._restarted_W1 = torch.zeros(world_count, 1, device=device)
        self._after_WS = torch.zeros(world_count, span, device=device)
        self.left_WS = torch.zeros(world_count, span, device=device)
        """`decay ** most`: the share of an item's worth that this episode can still pay."""

    def set_paying(self, paying_G: Tensor) -> None:
        """From now on, exactly the goals where `paying_G` is true pay."""
        worth_G = paying_G.to(torch.float32) * self._worth_of_all
        self._weight_S.index_copy_(0, self._column_G, worth_G)

    def pay(self, restarted_W: Tensor, out: Tensor) -> None:
        """Writes to `out` what the last step pays; in rows that restarted, counts start again.

        What lies in the inventory at the start of an episode pays nothing (paper P12).
        """
        self._after_WS.copy_(self._held_WS).mul_(self._log_decay).exp2_()
        # No share exceeds 1: adding 1 forgets the old episode, as the minimum is then the new one.
        self.left_WS.add_(self._restarted_W1.copy_(restarted_W[:, None]))
        torch.minimum(self.left_WS, self._after_WS, out=self._after_WS)
        self.left_WS.sub_(self._after_WS)
        torch.mv(self.left_WS, self._weight_S, out=out)
        out.masked_fill_(restarted_W, 0.0)
        self.left_WS.copy_(self._after_WS)

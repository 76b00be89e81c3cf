"""A toy world in PyTorch: a chain of items, each made of the one before. It shows the contract."""

# W = worlds, I = items, A = all choices of all components

from __future__ import annotations

import enum
from typing import Any

import torch
from torch import Tensor

from lapis.worlds.world import check_like, check_tensor

UNITS_PER_ITEM = 2
"""Units of the item before that one unit of an item takes."""
CARRY_LIMIT = 64
"""Most units of one item that can be held."""
FULL_HEALTH = 10
REST = 0
"""Choice of the first component; choice k makes item k - 1."""


class Pace(enum.IntEnum):
    """Choices of the second component: haste saves time and costs health."""

    SLOW = 0
    FAST = 1


class Fault(enum.IntFlag):
    """What went wrong in a row since its state was made or loaded."""

    ACTION_NOT_ALLOWED = 1
    NEGATIVE_INVENTORY = 2


class ToyWorld:
    """A batch of worlds that follows the `World` protocol, without chance.

    The first item can be gathered at any time; each other one takes two units of the item before.
    A slow step takes 8 ticks, a fast one 4 and a point of health; a rest gives a point back. The
    player dies at health 0, and keeps the inventory. An action that is not allowed changes nothing
    but the clock, and sets a fault.
    """

    action_sizes: tuple[int, ...]

    def __init__(
        self, world_count: int, *, item_count: int = 4, device: str | torch.device = "cpu"
    ):
        if world_count < 1:
            raise ValueError(f"world_count must be at least 1, not {world_count}")
        if item_count < 1:
            raise ValueError(f"item_count must be at least 1, not {item_count}")
        self.world_count = world_count
        self.device = torch.device(device)
        self.items = tuple(f"item_{index}" for index in range(item_count))
        self.action_sizes = (1 + item_count, len(Pace))

        def zeros(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros(shape, dtype=dtype, device=self.device)

        self.inventory = zeros(torch.int32, world_count, item_count)
        self.died = zeros(torch.bool, world_count)
        self.ticks = zeros(torch.int32, world_count)
        self.action_mask = zeros(torch.bool, world_count, sum(self.action_sizes))
        self._health_W = zeros(torch.int32, world_count)
        self._fault_W = zeros(torch.int32, world_count)
        self._choice_I = torch.arange(1, item_count + 1, device=self.device)
        self.observation: dict[str, Tensor] = {
            "inventory": self.inventory,
            "vitals": zeros(torch.float32, world_count, 1),
        }
        self.reset(torch.ones_like(self.died))

    def reset(self, which: Tensor, inventory: Tensor | None = None) -> None:
        """Starts a new episode in the rows where `which` is true, with `inventory` or nothing."""
        check_like("which", which, self.died)
        first_WI = torch.zeros_like(self.inventory)
        if inventory is not None:
            check_like("inventory", inventory, self.inventory)
            self._set_fault(which & (inventory < 0).any(dim=1), Fault.NEGATIVE_INVENTORY)
            first_WI = inventory
        torch.where(which[:, None], first_WI, self.inventory, out=self.inventory)
        self._health_W.masked_fill_(which, FULL_HEALTH)
        self.died.masked_fill_(which, False)
        self.ticks.masked_fill_(which, 0)
        self._show()

    def step(self, action: Tensor) -> None:
        """Plays one action, int32 of shape (world, component), in every world."""
        shape = (self.world_count, len(self.action_sizes))
        check_tensor("action", action, torch.int32, shape, self.device)
        making_WI = action[:, :1] == self._choice_I
        resting_W, fast_W = action[:, 0] == REST, action[:, 1] == Pace.FAST
        chosen_WA = torch.cat(
            [resting_W[:, None], making_WI, (action[:, 1] == Pace.SLOW)[:, None], fast_W[:, None]],
            1,
        )
        # Each component must name one allowed choice; one out of range names none.
        allowed_WA = chosen_WA & self.action_mask
        making_choices = self.action_sizes[0]
        allowed_W = allowed_WA[:, :making_choices].any(1) & allowed_WA[:, making_choices:].any(1)
        self._set_fault(~allowed_W, Fault.ACTION_NOT_ALLOWED)

        made_WI = (making_WI & allowed_W[:, None]).to(torch.int32)
        self.inventory += made_WI
        self.inventory[:, :-1] -= UNITS_PER_ITEM * made_WI[:, 1:]
        # The dead are allowed to rest, which does not heal them.
        healed_W = resting_W & allowed_W & ~self.died
        self._health_W += healed_W.int() - (fast_W & allowed_W).int()
        self._health_W.clamp_(max=FULL_HEALTH)
        torch.le(self._health_W, 0, out=self.died)
        self.ticks.copy_(8 - 4 * (fast_W & allowed_W).int())
        self._show()

    def _show(self) -> None:
        living_W1 = ~self.died[:, None]
        slow, fast = -2, -1
        self.action_mask[:, REST] = True
        self.action_mask[:, slow] = True
        self.action_mask[:, fast:] = living_W1
        making_WI = self.action_mask[:, 1:slow]
        torch.lt(self.inventory, CARRY_LIMIT, out=making_WI)
        making_WI &= living_W1
        making_WI[:, 1:] &= self.inventory[:, :-1] >= UNITS_PER_ITEM
        self.observation["vitals"].copy_(self._health_W[:, None] / FULL_HEALTH)

    def _set_fault(self, where_W: Tensor, fault: Fault) -> None:
        self._fault_W |= where_W.int() * int(fault)

    def check(self) -> None:
        """Raises RuntimeError naming world and cause if a fault is set (host read)."""
        rows = self._fault_W.nonzero()
        if len(rows):
            world = int(rows[0])
            raise RuntimeError(f"world {world}: {Fault(int(self._fault_W[world])).name}")

    def state_dict(self) -> dict[str, Any]:
        """Everything that `load_state_dict` needs to continue bit for bit."""
        return {name: value.clone() for name, value in self._state().items()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes over the state of a toy world of the same size."""
        own = self._state()
        for name, value in own.items():
            if name not in state or state[name].shape != value.shape:
                raise ValueError(f"state must hold {name!r} of shape {tuple(value.shape)}")
        for name, value in own.items():
            value.copy_(state[name])
        self._show()

    def _state(self) -> dict[str, Tensor]:
        return {
            "inventory": self.inventory,
            "died": self.died,
            "ticks": self.ticks,
            "health": self._health_W,
            "fault": self._fault_W,
        }

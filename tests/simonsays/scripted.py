"""A world that plays a script: in every step, given inventories, deaths and ticks."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class ScriptedWorld:
    """Ignores actions; step number t shows row t of the script, whatever was reset before."""

    def __init__(
        self,
        inventory_TWI: Any,
        *,
        items: tuple[str, ...] = ("a", "b", "c"),
        died_TW: Any = None,
        ticks_TW: Any = 4,
        device: torch.device | str = "cpu",
    ):
        script = torch.as_tensor(inventory_TWI, dtype=torch.int32, device=device)
        assert script.ndim == 3
        assert script.shape[2] == len(items)
        self.device = torch.device(device)
        self.items = items
        self.world_count = script.shape[1]
        self.action_sizes = (2, 3)
        self._inventory_TWI = script
        shape = script.shape[:2]
        died = False if died_TW is None else died_TW
        self._died_TW = torch.as_tensor(died, device=device).expand(shape).clone()
        ticks = torch.as_tensor(ticks_TW, dtype=torch.int32, device=device)
        self._ticks_TW = ticks.expand(shape).clone()
        self._next = torch.zeros(1, dtype=torch.int64, device=device)
        self.inventory = torch.zeros(self.world_count, len(items), dtype=torch.int32, device=device)
        self.died = torch.zeros(self.world_count, dtype=torch.bool, device=device)
        self.ticks = torch.zeros(self.world_count, dtype=torch.int32, device=device)
        self.action_mask = torch.ones(self.world_count, 5, dtype=torch.bool, device=device)
        self.action_mask[:, 4] = False
        self.observation = {"inventory": self.inventory}

    def reset(self, which: Tensor, inventory: Tensor | None = None) -> None:
        first = torch.zeros_like(self.inventory) if inventory is None else inventory
        torch.where(which[:, None], first, self.inventory, out=self.inventory)
        self.died.masked_fill_(which, False)

    def step(self, action: Tensor) -> None:
        for script, now in (
            (self._inventory_TWI, self.inventory),
            (self._died_TW, self.died),
            (self._ticks_TW, self.ticks),
        ):
            now.copy_(torch.index_select(script, 0, self._next)[0])
        self._next.add_(1)

    def check(self) -> None:
        pass

    def state_dict(self) -> dict[str, Any]:
        return {name: value.clone() for name, value in self._state().items()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        for name, value in self._state().items():
            value.copy_(state[name])

    def _state(self) -> dict[str, Tensor]:
        return {
            "next": self._next,
            "inventory": self.inventory,
            "died": self.died,
            "ticks": self.ticks,
        }

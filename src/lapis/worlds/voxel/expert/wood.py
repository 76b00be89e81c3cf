"""How much wood the scripted player gathers before it goes underground."""

from __future__ import annotations

import functools
import math

from lapis.worlds.planning import bill_of

RESERVE: dict[str, int] = {"wooden_pickaxe": 1, "stone_pickaxe": 2, "iron_pickaxe": 5}
"""Logs beyond the bill where it has this pickaxe: the deeper, the longer the way back."""


@functools.cache
def log_budget(goal: str, pickaxe: str | None = None) -> int:
    """Logs to gather first: those of the bill, of a table that is carried along, and a reserve.

    Args:
        goal: What is wanted.
        pickaxe: The best one that is held already.

    Raises:
        ValueError: `goal` is no item, or nothing gives it.
    """
    bill = bill_of(goal, pickaxe)
    if "log" not in bill:
        return 0
    reserve = max((logs for tool, logs in RESERVE.items() if bill.get(tool, 0) > 0), default=0)
    return math.ceil(bill["log"]) + ("crafting_table" in bill) + reserve

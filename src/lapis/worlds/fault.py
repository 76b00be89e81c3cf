"""What players of a batch of worlds can do wrong; kernels set it, the host reads it when asked."""

from __future__ import annotations

from enum import IntFlag

__all__ = ["Fault", "explanation"]


class Fault(IntFlag):
    """Bits of a world's `fault`; only ever append."""

    NONE = 0
    OUT_OF_RANGE = 1
    MASKED = 2
    NEGATIVE_INVENTORY = 4
    HUGE_INVENTORY = 8


def explanation(fault: Fault, action_sizes: tuple[int, ...]) -> str:
    """All causes in words."""
    words = {
        Fault.OUT_OF_RANGE: f"an action had a component outside its range; sizes: {action_sizes}",
        Fault.MASKED: "an action was played that the action mask did not allow",
        Fault.NEGATIVE_INVENTORY: "an episode was started with a negative number of items",
        Fault.HUGE_INVENTORY: "an episode was started with more than 2^30 of an item",
    }
    return "; ".join(words[cause] for cause in fault)

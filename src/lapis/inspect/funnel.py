"""How far players get on the way from empty hands to a goal."""

# T = steps, M = T + 1 moments, W = worlds, I = items
from __future__ import annotations

import numpy as np

from lapis.inspect.recording import Recording
from lapis.minecraft.goals import ALL_PREREQUISITES, DEPTH
from lapis.minecraft.items import ITEM
from lapis.simonsays.words import TICKS_PER_SECOND

__all__ = ["chain", "first_moments", "funnel"]


def chain(goal: str) -> tuple[str, ...]:
    """All that a goal needs, from the bottom of the tech tree up, and the goal itself."""
    needed = ALL_PREREQUISITES.get(goal, frozenset())
    return (*sorted(needed, key=lambda name: (DEPTH[name], ITEM[name])), goal)


def first_moments(held_MW: np.ndarray, over_TW: np.ndarray) -> np.ndarray:
    """Steps until each world first holds something within its first task, -1: never, int (W,)."""
    step_count = len(over_TW)
    ends_W = np.where(over_TW.any(axis=0), over_TW.argmax(axis=0), step_count - 1)
    within_MW = held_MW & (np.arange(step_count + 1)[:, None] <= ends_W + 1)
    return np.where(within_MW.any(axis=0), within_MW.argmax(axis=0), -1)


def funnel(recording: Recording, goal: int, names: tuple[str, ...]) -> dict:
    """How many worlds come to hold each of some items in their first task, if that was `goal`.

    Returns:
        `worlds` that were asked, how many of their tasks were `unfinished` when the recording
        ended, and `items`: of each the share of worlds, and the median step and game time of those
        that got it (None where nobody did).
    """
    asked_W = recording.goal_TW[0] == goal
    over_TW = recording.task_over_TW[:, asked_W]
    inventory_MWI = recording.inventory_MWI[:, asked_W]
    ticks_MW = np.pad(np.cumsum(recording.time_TW[:, asked_W], axis=0), ((1, 0), (0, 0)))
    items = []
    for name in names:
        moment_W = first_moments(inventory_MWI[:, :, ITEM[name]] > 0, over_TW)
        got_W = np.flatnonzero(moment_W >= 0)
        seconds = ticks_MW[moment_W[got_W], got_W] / TICKS_PER_SECOND
        items.append(
            {
                "item": name,
                "share": len(got_W) / max(1, len(moment_W)),
                "median_step": float(np.median(moment_W[got_W])) if len(got_W) else None,
                "median_seconds": float(np.median(seconds)) if len(got_W) else None,
            }
        )
    unfinished = int((~over_TW.any(axis=0)).sum())
    return {"worlds": int(asked_W.sum()), "unfinished": unfinished, "items": items}

"""What players do: how far they get, where their time goes, and what they waste."""

# T = steps, M = T + 1 moments, W = worlds, I = items, N = steps back
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapis.inspect.recording import Recording
from lapis.minecraft.goals import ALL_PREREQUISITES, DEPTH
from lapis.minecraft.items import ITEM
from lapis.simonsays.words import TICKS_PER_SECOND

AGAIN_STEPS = 5
"""Steps after placing a thing within which digging it up makes the placing useless."""


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


def shares(category_TW: np.ndarray, time_TW: np.ndarray, count: int) -> np.ndarray:
    """Share of the time that each of `count` categories has, float (category,)."""
    ticks = np.bincount(category_TW.ravel(), weights=time_TW.ravel(), minlength=count)
    return ticks / max(1, time_TW.sum())


def weighted_share(is_TW: np.ndarray, time_TW: np.ndarray) -> float | None:
    """Share of the time in which a condition holds; None if there is no time."""
    total = time_TW.sum()
    return float((is_TW * time_TW).sum() / total) if total else None


def by_group(
    recording: Recording, group_G: np.ndarray, names: Sequence[str], pickaxes: list[int]
) -> list[dict]:
    """What is done while a goal of each group is asked for; groups without time are left out.

    Returns:
        Of each group its share of the `time`; tasks that were `ended` and `solved`; and, as shares
        of the group's time, `no_pickaxe` (none held), `bare_hand` and `underground` (a block or
        more below the ground).
    """
    group_TW = group_G[recording.goal_TW]
    has_pickaxe_TW = np.any(recording.inventory_MWI[:-1][:, :, pickaxes] > 0, axis=2)
    found = []
    for index, name in enumerate(names):
        in_TW = group_TW == index
        time_TW = recording.time_TW * in_TW
        if not time_TW.any():
            continue
        found.append(
            {
                "group": name,
                "time": float(time_TW.sum() / recording.time_TW.sum()),
                "ended": int((recording.task_over_TW & in_TW).sum()),
                "solved": int((recording.task_succeeded_TW & in_TW).sum()),
                "no_pickaxe": weighted_share(~has_pickaxe_TW, time_TW),
                "bare_hand": weighted_share(recording.hand_TW < 0, time_TW),
                "underground": weighted_share(recording.depth_TW >= 1, time_TW),
            }
        )
    return found


def gains(inventory_MWI: np.ndarray, restarted_TW: np.ndarray) -> np.ndarray:
    """Whether a step brought more of any item, bool (T, W); the start of an episode does not."""
    return (np.diff(inventory_MWI, axis=0) > 0).any(axis=2) & ~restarted_TW


def pays_off(attack_TW: np.ndarray, gain_TW: np.ndarray, target_TW: np.ndarray) -> np.ndarray:
    """Whether an attack brings something, itself or by the attacks that carry it on, bool (T, W).

    An attack carries another one on if it follows at once, and digs the same block: it either
    leaves it half dug again (`target_TW`, -1: none), or gains something.
    """
    paid_TW = attack_TW & gain_TW
    for step in reversed(range(len(attack_TW) - 1)):
        target_W = target_TW[step]
        carried_on_W = (target_TW[step + 1] == target_W) | gain_TW[step + 1]
        carried_on_W &= (target_W >= 0) & paid_TW[step + 1]
        paid_TW[step] |= attack_TW[step] & carried_on_W
    return paid_TW


def dug_up_again(
    placed_TW: np.ndarray,
    made_TW: np.ndarray,
    count_MW: np.ndarray,
    restarted_TW: np.ndarray,
    *,
    within: int = AGAIN_STEPS,
) -> tuple[int, int]:
    """How often a thing was placed, and how often one was back within a few steps.

    A dig is a step that brings one and did not make it (`made_TW`). It is matched with the newest
    placing that is not dug up yet, each placing with one dig.
    """
    placed_TW = placed_TW & ~restarted_TW
    rise_TW = np.diff(count_MW.astype(int), axis=0) + placed_TW
    dug_TW = (rise_TW > 0) & ~made_TW & ~restarted_TW
    # Placings of the last steps that are not dug up yet, the newest first.
    open_NW = np.zeros((within + 1, placed_TW.shape[1]), bool)
    again = 0
    for step in range(len(placed_TW)):
        open_NW = np.concatenate([placed_TW[step : step + 1], open_NW[:-1]])
        open_NW[:, restarted_TW[step]] = False
        back = np.flatnonzero(dug_TW[step] & open_NW.any(axis=0))
        open_NW[open_NW.argmax(axis=0)[back], back] = False
        again += len(back)
    return int(placed_TW.sum()), again

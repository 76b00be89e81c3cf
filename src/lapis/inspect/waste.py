"""Time and things that come to nothing."""

# T = steps, M = T + 1 moments, W = worlds, I = items, N = steps back
from __future__ import annotations

import numpy as np

__all__ = ["dug_up_again", "gains", "makings", "pays_off"]

AGAIN_STEPS = 5
"""Steps after placing a thing within which digging it up makes the placing useless."""


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


def makings(made_TW: np.ndarray, restarted_TW: np.ndarray, item: int) -> int:
    """How often an item was crafted or smelted; `made_TW` has the item of each step, or -1."""
    return int(((made_TW == item) & ~restarted_TW).sum())

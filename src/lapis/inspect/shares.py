"""Where the game time goes: by depth, by what is in hand, by what is asked for."""

# T = steps, W = worlds
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapis.inspect.recording import Recording

__all__ = ["band_of", "by_group", "shares", "weighted_share"]


def shares(category_TW: np.ndarray, time_TW: np.ndarray, count: int) -> np.ndarray:
    """Share of the time that each of `count` categories has, float (category,)."""
    ticks = np.bincount(category_TW.ravel(), weights=time_TW.ravel(), minlength=count)
    return ticks / max(1, time_TW.sum())


def weighted_share(is_TW: np.ndarray, time_TW: np.ndarray) -> float | None:
    """Share of the time in which something is so; None where there is no time."""
    total = time_TW.sum()
    return float((is_TW * time_TW).sum() / total) if total else None


def band_of(depth_TW: np.ndarray, bands: Sequence[tuple[str, float]]) -> np.ndarray:
    """Index of the band in which each depth lies; bands are sorted by their least depth."""
    return np.digitize(depth_TW, [least for _, least in bands[1:]])


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
    has_pickaxe_TW = recording.holds_TW(pickaxes)
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

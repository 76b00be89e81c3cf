"""Whether the values are right: against what really followed, and when tools are gained."""

# T = steps, M = T + 1 moments, W = worlds, I = items, G = goals
from __future__ import annotations

import numpy as np
import torch

from lapis.agent.ppo import explained_variance, gae
from lapis.inspect.recording import Recording

__all__ = ["bootstrapped_returns", "changes_at_first", "first_held", "fit", "real_returns"]

LEAST_SPREAD = 0.01
"""Standard deviation of returns below which there is nothing to explain; a goal pays 1."""


def real_returns(recording: Recording, discount_TW: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Discounted rewards that really followed each step, and what part of them is not real.

    An episode that was cut, and the end of the recording, are followed by the value there. The
    second array has the discount until then: the weight of that value, 0 where the episode
    terminates first. Both float, shape (T, W).
    """
    return_TW = _returns(recording, discount_TW, slice(None), trace_decay=1.0)
    unreal_TW = np.zeros_like(discount_TW)
    unreal_W = np.ones_like(discount_TW[0])
    for step in reversed(range(len(discount_TW))):
        unreal_W = np.where(recording.truncated_TW[step], 1.0, unreal_W)
        unreal_W = np.where(recording.terminated_TW[step], 0.0, unreal_W) * discount_TW[step]
        unreal_TW[step] = unreal_W
    return return_TW, unreal_TW


def bootstrapped_returns(
    recording: Recording, discount_TW: np.ndarray, *, window: int, trace_decay: float
) -> np.ndarray:
    """The returns that training learns from, in windows of so many steps, shape (T, W)."""
    windows = [slice(at, at + window) for at in range(0, len(discount_TW), window)]
    parts = [_returns(recording, discount_TW, each, trace_decay=trace_decay) for each in windows]
    return np.concatenate(parts)


def fit(value_TW: np.ndarray, return_TW: np.ndarray, which_TW: np.ndarray) -> float | None:
    """Share of the returns' variance that the values explain, where `which_TW`.

    1 is perfect, 0 as good as a constant. A constant error of all values does not count. None where
    there are no returns, or where they hardly vary.
    """
    if not which_TW.any() or return_TW[which_TW].std() < LEAST_SPREAD:
        return None
    value, target = (torch.from_numpy(each[which_TW]).double() for each in (value_TW, return_TW))
    return float(explained_variance(value, target, torch.ones_like(value)))


def first_held(has_MW: np.ndarray, restarted_TW: np.ndarray) -> np.ndarray:
    """Whether a step brings what was not held in its episode before, bool (T, W).

    What an episode begins with was not gained.
    """
    first_TW = np.zeros_like(restarted_TW)
    had_W = has_MW[0]
    for step, has_W in enumerate(has_MW[1:]):
        had_W = np.where(restarted_TW[step], has_W, had_W)
        first_TW[step] = has_W & ~had_W
        had_W = had_W | has_W
    return first_TW


def changes_at_first(recording: Recording, item: int, needs_G: np.ndarray) -> dict:
    """How the value changes in the step that first brings an item.

    Steps in which the task or the episode ends are left out: there the value changes with what is
    asked for.

    Returns:
        `count` of the steps and the mean `change` in them; the same where the goal needs the item,
        `needed_count` and `needed_change`.
    """
    has_MW = recording.inventory_MWI[:, :, item] > 0
    goes_on_TW = ~(recording.task_over_TW | recording.terminated_TW | recording.truncated_TW)
    gained_TW = first_held(has_MW, recording.restarted_TW) & goes_on_TW
    change_TW = np.diff(recording.value_MW, axis=0)
    needed_TW = gained_TW & needs_G[recording.goal_TW]
    return {
        "count": int(gained_TW.sum()),
        "change": _mean(change_TW[gained_TW]),
        "needed_count": int(needed_TW.sum()),
        "needed_change": _mean(change_TW[needed_TW]),
    }


def _returns(
    recording: Recording, discount_TW: np.ndarray, steps: slice, *, trace_decay: float
) -> np.ndarray:
    value_TW = recording.value_MW[:-1][steps]
    after = range(len(recording.reward_TW))[steps][-1] + 1
    advantage_TW = gae(
        torch.from_numpy(recording.reward_TW[steps]),
        torch.from_numpy(value_TW),
        torch.from_numpy(recording.value_MW[after]),
        torch.from_numpy(discount_TW[steps]),
        torch.from_numpy(recording.terminated_TW[steps]),
        torch.from_numpy(recording.restarted_TW[steps]),
        trace_decay=trace_decay,
    )
    return advantage_TW.numpy() + value_TW


def _mean(numbers: np.ndarray) -> float | None:
    return float(numbers.mean()) if len(numbers) else None

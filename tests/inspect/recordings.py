"""Small recordings, written down by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapis.inspect.recording import Recording
from lapis.minecraft.items import ITEMS

TYPES = {
    "value_MW": np.float32,
    "reward_TW": np.float32,
    "depth_TW": np.float32,
    "entropy_TWK": np.float32,
    "divergence_TWK": np.float32,
}


def a_recording(step_count: int, world_count: int, **arrays: Any) -> Recording:
    """Zeros, but for `arrays`; steps take 4 ticks, hands are empty, and nothing is half dug."""
    shape = (step_count, world_count)
    moments = (step_count + 1, world_count)
    values: dict[str, Any] = {
        "goal_TW": np.zeros(shape, int),
        "value_MW": np.zeros(moments),
        "inventory_MWI": np.zeros((*moments, len(ITEMS)), int),
        "hand_TW": np.full(shape, -1),
        "depth_TW": np.zeros(shape),
        "action_TWK": np.zeros((*shape, 1), int),
        "entropy_TWK": np.zeros((*shape, 1)),
        "divergence_TWK": np.zeros((*shape, 1)),
        "target_TW": np.full(shape, -1),
        "reward_TW": np.zeros(shape),
        "ticks_TW": np.full(shape, 4),
    }
    ends = ("terminated", "truncated", "restarted", "task_over", "task_succeeded")
    values |= {f"{name}_TW": np.zeros(shape, bool) for name in ends}
    values |= {
        name: np.asarray(value, TYPES.get(name, values[name].dtype))
        for name, value in arrays.items()
    }
    return Recording(**values)


def column(*numbers: Any) -> np.ndarray:
    """The steps of one world."""
    return np.array(numbers)[:, None]

"""What is kept of a play: NumPy arrays of all steps in all worlds."""

# T = steps, M = T + 1 moments (before each step, and after the last), W = worlds, I = items,
# K = action components
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Recording"]


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A play of W worlds. Frames and memories are not kept."""

    goal_TW: np.ndarray
    """Goal that was asked for when the step began, int."""
    value_MW: np.ndarray
    """The policy's value of what it saw, float."""
    inventory_MWI: np.ndarray
    """Items held, int."""
    hand_TW: np.ndarray
    """Item in hand when the step began, -1: nothing, int."""
    depth_TW: np.ndarray
    """Blocks below the ground when the step began, float; negative above it."""
    action_TWK: np.ndarray
    """Choices of the action, int."""
    entropy_TWK: np.ndarray
    """Entropy of each component [nats], float."""
    divergence_TWK: np.ndarray
    """KL of each component from the policy's prior [nats], float."""
    target_TW: np.ndarray
    """Block that was left half dug by the step, -1: none, int."""
    reward_TW: np.ndarray
    ticks_TW: np.ndarray
    """Game ticks that the step took, int."""
    terminated_TW: np.ndarray
    """Whether the episode ended in the step by death or failures, bool, as all that follow."""
    truncated_TW: np.ndarray
    """Whether it ended by its time limit."""
    restarted_TW: np.ndarray
    """Whether the step only began a new episode: its action was ignored."""
    task_over_TW: np.ndarray
    task_succeeded_TW: np.ndarray

    @property
    def played_TW(self) -> np.ndarray:
        """Whether the step was played, and did not only begin an episode, bool."""
        return ~self.restarted_TW

    @property
    def time_TW(self) -> np.ndarray:
        """Game ticks of the steps that were played, int; 0 for the others."""
        return np.where(self.restarted_TW, 0, self.ticks_TW)

    def holds_TW(self, items: list[int]) -> np.ndarray:
        """Whether any of these items was held when the step began, bool."""
        return np.any(self.inventory_MWI[:-1][:, :, items] > 0, axis=2)

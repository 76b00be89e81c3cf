"""The contract between a batch of worlds and everything that plays in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor

from lapis.bounds import shown


@runtime_checkable
class World(Protocol):
    """A batch of worlds: row = world, all tensors on one device, written in place by `step`.

    A world knows nothing about goals, rewards or ends of episodes. It changes only in `step` and
    `reset`. Its tensors always keep their addresses, so that they can be captured in a graph.

    Worlds that can be lost, such as those of another process, also have `lost`, bool of shape
    (world,): whether the row's episode broke off. It is true until the row's reset. Until then the
    row shows its last observation, and a step takes no time in it. Simon Says truncates such an
    episode, and its task does not count.
    """

    world_count: int
    device: torch.device
    items: tuple[str, ...]
    """Names of the inventory's columns."""
    action_sizes: tuple[int, ...]
    """A factorial action: the number of choices of each component."""
    observation: dict[str, Tensor]
    """What a player sees, one tensor per feature, each of shape (world, ...)."""
    inventory: Tensor
    """Items held, int32, shape (world, item)."""
    died: Tensor
    """Whether the player is dead, bool, shape (world,); true until the row's reset."""
    ticks: Tensor
    """Game ticks [50 ms] that the last step took, int32, shape (world,)."""
    action_mask: Tensor
    """What can be done now, bool, shape (world, sum of action_sizes).

    Honest: a choice that is allowed has its effect, one that is not has none. Each component has
    at least one allowed choice in every state, a dead player's included.
    """

    def reset(self, which: Tensor, inventory: Tensor | None = None) -> None:
        """Starts a new episode in the rows where `which` (bool, shape (world,)) is true.

        Other rows are untouched. `inventory` (int32, shape (world, item)) gives the chosen rows
        their first items; None gives nothing.
        """
        ...

    def step(self, action: Tensor) -> None:
        """Plays one action, int32 of shape (world, component), in every world."""
        ...

    def check(self) -> None:
        """Raises RuntimeError naming world and cause if a fault bit is set (host read)."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Everything that `load_state_dict` needs to continue bit for bit."""
        ...

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes over the state of a world of the same kind, seed and size."""
        ...


def check_like(name: str, given: Tensor, like: Tensor) -> None:
    """Raises ValueError if a tensor has another shape, type or device than `like`."""
    check_tensor(name, given, like.dtype, like.shape, like.device)


def check_tensor(
    name: str, given: Tensor, dtype: torch.dtype, shape: Sequence[int], device: torch.device
) -> None:
    """Raises ValueError if it is not a tensor, or has another type, shape or device."""
    if not isinstance(given, Tensor):
        raise ValueError(
            f"{name} must be a tensor, {dtype} of shape {tuple(shape)} on {device}, "
            f"not {shown(given)}"
        )
    if (given.dtype, tuple(given.shape), given.device) != (dtype, tuple(shape), device):
        raise ValueError(
            f"{name} must be {dtype} of shape {tuple(shape)} on {device}, "
            f"not {given.dtype} of shape {tuple(given.shape)} on {given.device}"
        )

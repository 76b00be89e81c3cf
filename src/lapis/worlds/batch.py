"""What batches of worlds made of kernels have in common: identity, faults, saving and loading."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
import warp as wp
from torch import Tensor

from lapis.worlds.fault import Fault, explanation


class Batch:
    """A batch of worlds with numbers, a seed, and a state that can be saved.

    Subclasses set `kind`, `version` and `action_sizes`, and `config` and `state` when they start;
    they say how the senses follow from the state in `_sense`.
    """

    kind: str
    version: int
    action_sizes: tuple[int, ...]
    config: Any
    state: Any

    def __init__(
        self,
        world_count: int,
        *,
        seed: int,
        device: str | torch.device,
        first_world: int,
        masked_waits: bool,
    ) -> None:
        if world_count < 1:
            raise ValueError(f"world_count must be at least 1, not {world_count}")
        if not 0 <= seed < 2**31:
            raise ValueError(f"seed must be between 0 and 2^31 - 1, not {seed}")
        if not 0 <= first_world <= 2**31 - world_count:
            raise ValueError(
                f"first_world must be between 0 and {2**31 - world_count}, not {first_world}"
            )
        wp.init()
        self.world_count = world_count
        self.seed = seed
        self.first_world = first_world
        self.masked_waits = masked_waits
        self.device = _indexed(torch.device(device))

    def check(self) -> None:
        """Raises RuntimeError naming world and cause if a fault bit is set (host read)."""
        fault = self.state.fault
        if bool((fault != 0).any()):
            world = int((fault != 0).nonzero()[0])
            cause = explanation(Fault(int(fault[world])), self.action_sizes)
            raise RuntimeError(f"world {self.first_world + world}: {cause}")

    def state_dict(self) -> dict[str, Any]:
        """All tensors and the identity of the world."""
        return {**self._identity(), **{k: v.clone() for k, v in self.state.tensors().items()}}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes over the state of a world of the same kind, version, seed and size."""
        for name, value in self._identity().items():
            if state.get(name) != value:
                raise ValueError(
                    f"state has {name} = {state.get(name)!r}; this world has {value!r}"
                )
        for name, tensor in self.state.tensors().items():
            if name not in state or state[name].shape != tensor.shape:
                raise ValueError(f"state lacks {name!r} of shape {tuple(tensor.shape)}")
        for name, tensor in self.state.tensors().items():
            tensor.copy_(state[name])
        self._sense()

    def _sense(self) -> None:
        """Renews what players see and may do."""
        raise NotImplementedError

    def _identity(self) -> dict[str, Any]:
        return {
            "world": self.kind,
            "version": self.version,
            "seed": self.seed,
            "first_world": self.first_world,
            "world_count": self.world_count,
            "config": dataclasses.asdict(self.config),
        }


def check_like(name: str, given: Tensor, like: Tensor) -> None:
    """Raises ValueError if a tensor has another shape, type or device than expected."""
    if (given.shape, given.dtype, given.device) != (like.shape, like.dtype, like.device):
        raise ValueError(
            f"{name} must be {like.dtype} of shape {tuple(like.shape)} on {like.device}, "
            f"not {given.dtype} of shape {tuple(given.shape)} on {given.device}"
        )


def _indexed(device: torch.device) -> torch.device:
    """A CUDA device without a number is the current one."""
    if device.type == "cuda" and device.index is None:
        return torch.device("cuda", torch.cuda.current_device())
    return device

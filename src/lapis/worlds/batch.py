"""What batches of worlds made of kernels have in common: steps, resets, faults, saving, loading."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import torch
import warp as wp
from torch import Tensor

from lapis.bounds import COUNT, Bound, check
from lapis.worlds.fault import Fault, explanation
from lapis.worlds.launching import launch_all, start_warp
from lapis.worlds.world import check_like


class Batch:
    """A batch of worlds with numbers, a seed, and a state that can be saved.

    Subclasses set `kind`, `version` and `action_sizes`, and when they start everything below them:
    the state, buffers for what is given to `step` and `reset`, and the launches that read them.
    """

    kind: str
    version: int
    action_sizes: tuple[int, ...]
    skips_empty_resets = False
    """Whether a reset of no world does nothing on a CPU, where launches for nobody cost time; on a
    GPU it is the question that would."""
    config: Any
    state: Any
    _action: Tensor
    _which: Tensor
    _first_items: Tensor
    _step_launches: list[wp.Launch]
    _reset_launches: list[wp.Launch]
    _sense_launches: list[wp.Launch]

    def __init__(
        self,
        world_count: int,
        *,
        seed: int,
        device: str | torch.device,
        first_world: int,
        masked_waits: bool,
    ) -> None:
        self.world_count = check("world_count", world_count, COUNT)
        self.seed = check("seed", seed, Bound(least=0, below=2**31, whole=True))
        numbers = Bound(least=0, most=2**31 - world_count, whole=True)
        self.first_world = check("first_world", first_world, numbers)
        start_warp()
        self.masked_waits = masked_waits
        self.device = _indexed(torch.device(device))

    def step(self, action: Tensor) -> None:
        """Plays one action, int32 of shape (world, component), in every world."""
        check_like("action", action, self._action)
        self._action.copy_(action)
        launch_all(self._step_launches, self.device)

    def stages(self, action: Tensor) -> Iterator[str]:
        """Plays `action` like `step`, but stops after each kernel with its name, for benchmarks."""
        check_like("action", action, self._action)
        self._action.copy_(action)
        for launch in self._step_launches:
            launch_all([launch], self.device)
            yield launch.kernel.key

    def reset(self, which: Tensor, inventory: Tensor | None = None) -> None:
        """Starts a new episode in the rows where `which` is true, with `inventory` or nothing."""
        check_like("which", which, self._which)
        if inventory is not None:
            check_like("inventory", inventory, self._first_items)
        if self.skips_empty_resets and self.device.type == "cpu" and not bool(which.any()):
            return
        if inventory is None:
            self._first_items.zero_()
        else:
            self._first_items.copy_(inventory)
        self._which.copy_(which)
        launch_all(self._reset_launches, self.device)

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
        launch_all(self._sense_launches, self.device)

    def _identity(self) -> dict[str, Any]:
        return {
            "world": self.kind,
            "version": self.version,
            "seed": self.seed,
            "first_world": self.first_world,
            "world_count": self.world_count,
            "config": dataclasses.asdict(self.config),
        }


def _indexed(device: torch.device) -> torch.device:
    """A CUDA device without a number is the current one."""
    if device.type == "cuda" and device.index is None:
        return torch.device("cuda", torch.cuda.current_device())
    return device

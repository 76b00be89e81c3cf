"""What batches of worlds made of kernels have in common: steps, resets, faults, saving, loading."""

from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import torch
import warp as wp
from torch import Tensor

from lapis.bounds import SEED, Bound, check, check_flag, require
from lapis.worlds.fault import Fault, explanation
from lapis.worlds.launching import filled, launch_all, prepare, start_warp
from lapis.worlds.limits import COUNTED, Limit, check_given, check_identity, check_values
from lapis.worlds.memory import naming_memory
from lapis.worlds.world import check_like

_TORCH_TYPES = {
    wp.bool: torch.bool,
    wp.uint8: torch.uint8,
    wp.int32: torch.int32,
    wp.float32: torch.float32,
    wp.vec3: torch.float32,
}


WORLDS = Bound(least=1, below=2**31, whole=True)
"""Of a batch; their numbers are 32-bit."""


class BatchState:
    """Tensors of a batch of worlds by name, the world first, and the same memory for kernels.

    Subclasses name their structs, the shapes of what has more than one number per world, and what
    each number may be. Each field of the structs is a tensor, and so is `mask`. Tensors are written
    into, never replaced.
    """

    structs: ClassVar[tuple[Any, ...]]
    _tensors: dict[str, Tensor]

    def __init__(self, **tensors: Tensor) -> None:
        self.__dict__.update(_tensors=tensors, **tensors)

    @staticmethod
    def shapes(config: Any) -> dict[str, tuple[int, ...]]:
        """Shapes of tensors without the world, by name."""
        raise NotImplementedError

    @staticmethod
    def limits(config: Any) -> dict[str, Limit]:
        """The limits that kernels rely on, for every tensor by name.

        Strict where memory or the end of a loop depends on it, or where play cannot exceed them;
        generous for counters.
        """
        raise NotImplementedError

    @staticmethod
    def check_together(given: Mapping[str, Tensor]) -> None:
        """Refuses tensors, each within its limits, that kernels cannot handle together."""
        raise NotImplementedError

    @classmethod
    def allocate(cls, world_count: int, config: Any, device: torch.device) -> Self:
        """A state of zeros.

        Raises:
            ValueError: It does not fit into the device's memory.
        """
        shapes = cls.shapes(config)
        fields = {name: field for kind in cls.structs for name, field in kind.vars.items()}
        types = {name: _TORCH_TYPES[field.type.dtype] for name, field in fields.items()}
        types["mask"] = torch.bool
        needed = world_count * sum(
            dtype.itemsize * math.prod(shapes.get(name, ())) for name, dtype in types.items()
        )
        with naming_memory(f"{world_count:,} worlds", needed, device):
            return cls(
                **{
                    name: torch.zeros(
                        (world_count, *shapes.get(name, ())), dtype=dtype, device=device
                    )
                    for name, dtype in types.items()
                }
            )

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Tensor: ...

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{name} cannot be replaced; write into it: {name}[:] = ...")

    def tensors(self) -> dict[str, Tensor]:
        """All tensors by name."""
        return dict(self._tensors)

    def replaced(self, **tensors: Tensor) -> Self:
        """A state that shares all tensors with this one but these."""
        return type(self)(**self.tensors() | tensors)

    @functools.cached_property
    def arguments(self) -> dict[str, Any]:
        """`mask`, and each of `structs` by its name in lower case.

        Made once: launches and graphs keep the addresses.
        """
        arguments: dict[str, Any] = {"mask": wp.from_torch(self.mask)}
        for kind in self.structs:
            arrays = {
                name: wp.from_torch(getattr(self, name), dtype=field.type.dtype)
                for name, field in kind.vars.items()
            }
            arguments[kind.key.lower()] = filled(kind, arrays)
        return arguments


class Batch:
    """A batch of worlds with numbers, a seed, and a state that can be saved.

    Subclasses set `kind`, `version`, `action_sizes` and the classes of configuration and state;
    `_prepare` makes the observation and the launches.

    Args:
        world_count: Number of worlds.
        seed: Decides all randomness, together with world, episode and step.
        device: "cpu" or a CUDA device.
        config: Settings of the class `config_kind`, or None for the defaults.
        first_world: Number of the first row's world, if several batches share a seed.
        masked_waits: An action that the mask does not allow does nothing, instead of setting a
            fault; for players that do not know the mask.
    """

    kind: str
    version: int
    action_sizes: tuple[int, ...]
    config_kind: type[Any]
    state_kind: type[BatchState]
    skips_empty_resets = False
    """Whether a reset of no world does nothing on a CPU, where launches for nobody cost time; on a
    GPU it is the question that would."""
    _step_launches: list[wp.Launch]
    _reset_launches: list[wp.Launch]
    _sense_launches: list[wp.Launch]

    def __init__(
        self,
        world_count: int,
        *,
        seed: int = 0,
        device: str | torch.device = "cpu",
        config: Any = None,
        first_world: int = 0,
        masked_waits: bool = False,
    ) -> None:
        self.world_count = check("world_count", world_count, WORLDS)
        self.seed = check("seed", seed, SEED)
        numbers = Bound(least=0, most=2**31 - self.world_count, whole=True)
        self.first_world = check("first_world", first_world, numbers)
        start_warp()
        self.masked_waits = check_flag("masked_waits", masked_waits)
        self.device = _found(device)
        self.config = self.config_kind() if config is None else config
        kind = self.config_kind
        require(isinstance(self.config, kind), "config", config, f"a {kind.__name__} or None")
        state = self.state_kind.allocate(self.world_count, self.config, self.device)
        self.state: Any = state
        """The tensors of the world itself, for tests, planners and pictures."""
        self.inventory: Tensor = state.inventory
        self.died: Tensor = state.died
        self.ticks: Tensor = state.ticks
        self.action_mask: Tensor = state.mask
        self._action = torch.zeros(
            (self.world_count, len(self.action_sizes)), dtype=torch.int32, device=self.device
        )
        self._which = torch.zeros_like(state.died)
        self._everywhere = torch.ones_like(state.died)
        self._first_items = torch.zeros_like(state.inventory)
        self._prepare()
        # The tables were copied in a stream of Warp's own.
        wp.synchronize_device(self._warp_device)
        self.reset(self._everywhere)

    def _prepare(self) -> None:
        raise NotImplementedError

    def _arguments(self, make_rules: Callable[..., Any], **others: Tensor) -> dict[str, Any]:
        """What kernels can ask for by name: rules, state, what players do, and `others`."""
        rules = make_rules(
            self.config,
            self._warp_device,
            seed=self.seed,
            first_world=self.first_world,
            masked_waits=int(self.masked_waits),
        )
        given = {"action": self._action, "first_items": self._first_items, **others}
        arrays = {name: wp.from_torch(tensor) for name, tensor in given.items()}
        return {"rules": rules, **arrays, **self.state.arguments}

    def _launches(
        self, kernels: Iterable[Any], which: Tensor, known: dict[str, Any]
    ) -> list[wp.Launch]:
        known = known | {"which": wp.from_torch(which)}
        return [prepare(kernel, self.world_count, self._warp_device, known) for kernel in kernels]

    @property
    def _warp_device(self) -> str:
        return str(wp.device_from_torch(self.device))

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
            # Simon Says hands down inventories here in every step. A GPU would wait for this look,
            # and a graph cannot hold it: there, the kernel refuses such numbers and sets a fault.
            if self.device.type == "cpu":
                check_values("inventory", inventory, COUNTED)
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
        """Takes over the state of a world of the same kind, version, seed and size (host reads).

        Raises:
            ValueError: It is of another world, or has a number that kernels cannot handle. Then the
                world has not changed.
        """
        check_identity(state, self._identity(), "this world")
        check_given(state, self.state.tensors(), self.state.limits(self.config))
        self.state.check_together(state)
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


def _found(device: object) -> torch.device:
    """The device; a CUDA device without a number is the current one."""
    is_known = re.fullmatch(r"cpu|cuda(:\d{1,3})?", str(device)) is not None
    require(is_known, "device", device, "cpu, cuda or cuda:N")
    device = torch.device(str(device))
    count = torch.cuda.device_count() if device.type == "cuda" else 0
    if device.type == "cuda" and count <= (device.index or 0):
        raise ValueError(f"device is {str(device)!r}, but PyTorch finds {count} CUDA devices")
    if device.type == "cuda" and device.index is None:
        return torch.device("cuda", torch.cuda.current_device())
    return device

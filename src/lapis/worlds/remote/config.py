"""Which worlds to play in elsewhere, and where."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from lapis.bounds import COUNT, POSITIVE, WHOLE, require
from lapis.registry import WorldSettings

if TYPE_CHECKING:
    from lapis.worlds.remote.lines import Line
    from lapis.worlds.remote.world import RemoteWorld

__all__ = ["RemoteConfig"]


@dataclass(frozen=True, kw_only=True)
class RemoteConfig(WorldSettings):
    """Worlds in other processes, which all step at the same time: for slow games."""

    factory: str = "lapis.worlds.remote.far.crafter_worlds:CrafterWorlds"
    """What makes the worlds of a process, as `module:Class`, see
    `lapis.worlds.remote.far.host.FarWorlds`. It is imported there, and not here."""
    options: tuple[str, ...] = ()
    """Further arguments of the factory, as `name=value`; values are JSON, or else text."""
    ends: Annotated[int, COUNT] = 2
    """Processes or actors that share the worlds."""
    transport: str = "process"
    """"process": on this machine; "ray": Ray actors on this machine, or on the cluster that
    RAY_ADDRESS names; "ray:ADDRESS": Ray actors on a cluster."""
    python: str = ""
    """The interpreter of the processes, which may belong to an environment without Lapis; empty:
    the one that trains."""
    start_seconds: Annotated[float, POSITIVE] = 300.0
    """Time to make the worlds of a process, or to begin episodes in them."""
    step_seconds: Annotated[float, POSITIVE] = 60.0
    """Time to answer anything else. After that a process counts as lost and is replaced."""
    retries: Annotated[int, WHOLE] = 3
    """How often in a row a process is replaced without a step in between, before the run fails."""

    def __post_init__(self) -> None:
        super().__post_init__()
        module, _, name = self.factory.partition(":")
        require(bool(module and name), "factory", self.factory, "module:Class")
        is_known = self.transport in ("process", "ray") or self.transport.startswith("ray:")
        require(is_known, "transport", self.transport, "process, ray or ray:ADDRESS")
        is_used = not self.python or self.transport == "process"
        require(is_used, "python", self.python, "empty unless transport is process")
        for option in self.options:
            name, equals, _ = option.partition("=")
            require(bool(equals) and name.isidentifier(), "options", option, "name=value")

    @property
    def arguments(self) -> dict[str, Any]:
        """The options by name."""
        pairs = (option.split("=", 1) for option in self.options)
        return {name: _value(text) for name, text in pairs}

    def open_line(self) -> Line:
        """A new far end."""
        if self.transport == "process":
            from lapis.worlds.remote.lines import ProcessLine

            return ProcessLine(self.python)
        from lapis.worlds.remote.ray_line import RayLine

        return RayLine(self.transport.partition(":")[2])

    def build(self, world_count: int, *, seed: int, device: str, first_world: int) -> RemoteWorld:
        """The worlds, each of which has begun."""
        from lapis.worlds.remote.world import RemoteWorld  # Here: it loads PyTorch.

        return RemoteWorld(
            world_count, config=self, seed=seed, device=device, first_world=first_world
        )


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text

"""Which Minecraft to play in, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from lapis.bounds import COUNT, POSITIVE, WHOLE, Bound, require
from lapis.worlds.voxel.layout import VoxelLayout

if TYPE_CHECKING:
    from lapis.worlds.remote.world import RemoteWorld

__all__ = ["FACTORY", "WORLD_VERSION", "MineRLConfig"]

WORLD_VERSION = 1
"""Rises with every change that can move learning curves."""
FACTORY = "lapis.worlds.remote.far.minerl.worlds:MineRLWorlds"


@dataclass(frozen=True, kw_only=True)
class MineRLConfig(VoxelLayout):
    """Minecraft through MineRL 0.4.4, one process and one game per world."""

    python: str = ""
    """The interpreter of MineRL's environment; empty: that of LAPIS_MINERL_PYTHON, or of
    `make minerl-env` in the current folder."""
    ports: tuple[int, ...] = ()
    """Ports of Malmo servers that already run on this machine, one for each world; empty: every
    world starts its own Minecraft."""
    worlds_per_process: Annotated[int, COUNT] = 1
    """Worlds that share a process play one after another, and are lost together."""
    channel_ticks: Annotated[int, Bound(least=4, most=6000, whole=True)] = 60
    """Longest channel attack [ticks]; 60 break a log by hand (paper P18)."""
    start_seconds: Annotated[float, POSITIVE] = 600.0
    """Time to start a game, or to make a new world in it."""
    step_seconds: Annotated[float, POSITIVE] = 60.0
    """Time for a step. After that the game counts as lost, is ended and started again."""
    retries: Annotated[int, WHOLE] = 3
    """How often in a row a game is started again without a step in between, before the run
    fails."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for port in self.ports:
            require(0 < port < 2**16, "ports", port, "numbers between 1 and 65535")

    @property
    def version(self) -> int:
        """Of the rules of this world."""
        return WORLD_VERSION

    def build(self, world_count: int, *, seed: int, device: str, first_world: int) -> RemoteWorld:
        """The worlds, each of which has begun."""
        from lapis.worlds.minerl.finding import found_python
        from lapis.worlds.minerl.tables import make_tables
        from lapis.worlds.remote import RemoteConfig
        from lapis.worlds.remote.world import RemoteWorld  # Here: it loads PyTorch.

        if self.ports and len(self.ports) < world_count:
            raise ValueError(
                f"ports names {len(self.ports)} servers for {world_count} worlds; "
                "name one for each, or none"
            )
        settings = RemoteConfig(
            factory=FACTORY,
            options=(
                f"ports={list(self.ports)}",
                f"frame_size={self.frame_size}",
                f"channel_ticks={self.channel_ticks}",
            ),
            ends=-(-world_count // self.worlds_per_process),
            python=found_python(self.python),
            start_seconds=self.start_seconds,
            step_seconds=self.step_seconds,
            retries=self.retries,
        )
        return RemoteWorld(
            world_count,
            config=settings,
            seed=seed,
            device=device,
            first_world=first_world,
            further_options={"tables": make_tables()},
        )

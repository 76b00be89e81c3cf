"""The size of the voxel worlds, and how they are seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from lapis.bounds import Bound, require
from lapis.worlds.voxel.layout import VoxelLayout

if TYPE_CHECKING:
    from lapis.worlds.voxel.world import VoxelWorld

WORLD_VERSION = 5
"""Rises with every change that can move learning curves."""
View = Literal["frame", "fan"]

TICKS_PER_STEP = 4
"""Game ticks of one policy step (paper P17)."""
SEA_LEVEL = 62
"""Height of the water's surface [blocks]."""
SIZES = tuple(2**exponent for exponent in range(4, 12))
"""Larger ones would have places beyond 32 bits."""
DISTANCE = Bound(least=8, most=128, whole=True)


@dataclass(frozen=True, kw_only=True)
class VoxelConfig(VoxelLayout):
    """The size of the worlds, and how they are seen."""

    size: int = 64
    """Blocks along x and z, a power of two; both wrap around, so there is no edge."""
    height: Annotated[int, Bound(least=80, most=252, multiple_of=4, whole=True)] = 96
    """Blocks along y, a multiple of 4."""
    view: View = "frame"
    """What the player sees: pixels, or the class and distance of what a fan of rays hits."""
    field_of_view: Annotated[float, Bound(least=10, most=120)] = 70.0
    """Vertical angle that a frame covers [degrees]."""
    view_distance: Annotated[int, DISTANCE] = 48
    """How far blocks are drawn [blocks]; beyond that is haze."""
    fan_view_distance: Annotated[int, DISTANCE] = 24
    """How far the rays of the fan reach [blocks]."""
    channel_ticks: Annotated[int, Bound(least=TICKS_PER_STEP, most=6000, whole=True)] = 60
    """Longest channel attack [ticks]; 60 break a log by hand (paper P18)."""
    day_cycle: bool = True
    """Whether the sun moves; if not, it is always noon."""

    def __post_init__(self) -> None:
        super().__post_init__()
        is_size = isinstance(self.size, int) and self.size in SIZES
        require(is_size, "size", self.size, "a power of two of at least 16 and at most 2048")

    @property
    def version(self) -> int:
        """Of the rules of this world."""
        return WORLD_VERSION

    @property
    def layout(self) -> tuple[object, ...]:
        """That of all worlds with these actions; the fan has one of its own."""
        return super().layout if self.view == "frame" else ("voxel", "fan", 0)

    def build(self, world_count: int, *, seed: int, device: str, first_world: int) -> VoxelWorld:
        """The worlds with these settings."""
        from lapis.worlds.voxel.world import VoxelWorld  # Here: it loads PyTorch and Warp.

        return VoxelWorld(
            world_count, seed=seed, device=device, config=self, first_world=first_world
        )

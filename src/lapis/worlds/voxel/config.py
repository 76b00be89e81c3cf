"""The size of the voxel worlds, and how they are seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

View = Literal["frame", "fan"]

TICKS_PER_STEP = 4
"""Game ticks of one policy step (paper P17)."""
SEA_LEVEL = 62
"""Height of the water's surface [blocks]."""


@dataclass(frozen=True, kw_only=True)
class VoxelConfig:
    """The size of the worlds, and how they are seen."""

    size: int = 64
    """Blocks along x and z, a power of two; both wrap around, so there is no edge."""
    height: int = 96
    """Blocks along y, a multiple of 4."""
    view: View = "frame"
    """What the player sees: pixels, or class and distance of what a fan of rays hits."""
    frame_size: int = 64
    """Pixels along each side of a frame (paper P13)."""
    field_of_view: float = 70.0
    """Vertical angle that a frame covers [degrees]."""
    view_distance: int = 48
    """How far blocks are drawn [blocks]; beyond is haze."""
    fan_view_distance: int = 24
    """How far the rays of the fan reach [blocks]."""
    channel_ticks: int = 60
    """Longest channel attack [ticks]; 60 break a log by hand (paper P18)."""
    day_cycle: bool = True
    """Whether the sun moves; if not, it is always noon."""

    def __post_init__(self) -> None:
        if self.size < 16 or self.size & (self.size - 1):
            raise ValueError(f"size is {self.size}; it must be a power of two of at least 16")
        if not 80 <= self.height <= 252 or self.height % 4:
            raise ValueError(f"height is {self.height}; it must be a multiple of 4 in [80, 252]")
        if self.view not in ("frame", "fan"):
            raise ValueError(f"view is {self.view!r}; it must be 'frame' or 'fan'")
        if not 8 <= self.frame_size <= 1024:
            raise ValueError(f"frame_size is {self.frame_size}; it must be in [8, 1024]")
        if not 10.0 <= self.field_of_view <= 120.0:
            raise ValueError(f"field_of_view is {self.field_of_view}; it must be in [10, 120]")
        for name in ("view_distance", "fan_view_distance"):
            if not 8 <= getattr(self, name) <= 128:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be in [8, 128]")
        if self.channel_ticks < TICKS_PER_STEP:
            raise ValueError(
                f"channel_ticks is {self.channel_ticks}; it must be at least {TICKS_PER_STEP}"
            )

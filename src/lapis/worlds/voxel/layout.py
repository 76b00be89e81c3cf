"""What the worlds that a policy of the voxel world can play have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from lapis.bounds import Bound
from lapis.registry import WorldSettings

__all__ = ["VoxelLayout"]


@dataclass(frozen=True, kw_only=True)
class VoxelLayout(WorldSettings):
    """Settings of worlds with the actions of the voxel world, seen in frames."""

    frame_size: Annotated[int, Bound(least=8, most=1024, whole=True)] = 64
    """Pixels along each side of a frame (paper P13)."""

    @property
    def action_prior(self) -> tuple[float, ...]:
        """Gathering and walking come first, see `lapis.worlds.voxel.action_prior`."""
        from lapis.worlds.voxel.action_prior import ACTION_PRIOR

        return ACTION_PRIOR

    @property
    def action_items(self) -> tuple[tuple[str, str] | None, ...]:
        """See `lapis.worlds.voxel.actions.ACTION_ITEMS`."""
        from lapis.worlds.voxel.actions import ACTION_ITEMS

        return ACTION_ITEMS

    @property
    def layout(self) -> tuple[object, ...]:
        """That of all worlds with these actions."""
        return ("voxel", "frame", self.frame_size)

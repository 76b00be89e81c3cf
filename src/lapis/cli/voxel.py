"""Flags that several commands about the voxel world have, checked before kernels are compiled."""

from __future__ import annotations

from lapis.cli import UsageError
from lapis.worlds.voxel.config import VoxelConfig

PIXELS = (8, 1024)
"""Smallest and largest side of a picture."""


def check_size(size: int) -> None:
    """Refuses a world that cannot be made."""
    try:
        VoxelConfig(size=size)
    except ValueError as error:
        raise UsageError(f"--{error}") from error


def check_pixels(pixels: int) -> None:
    """Refuses a picture that cannot be drawn."""
    if not PIXELS[0] <= pixels <= PIXELS[1]:
        raise UsageError(f"--pixels is {pixels}; it must be in [{PIXELS[0]}, {PIXELS[1]}]")


def check_seed(seed: int) -> None:
    """Refuses a seed that no world takes."""
    if not 0 <= seed < 2**31:
        raise UsageError(f"--seed is {seed}; it must be at least 0 and below 2^31")

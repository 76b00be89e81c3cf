"""Checks of flags that several commands have, made before kernels are compiled."""

from __future__ import annotations

from typing import Any

from lapis.bounds import SEED
from lapis.cli import UsageError
from lapis.worlds.voxel.config import VoxelConfig

PIXELS = (8, 1024)
"""Smallest and largest side of a picture."""


def check_least(parsed: Any, *names: str) -> None:
    """Refuses numbers below 1; None is allowed."""
    for name in names:
        value = getattr(parsed, name)
        if value is not None and value < 1:
            raise UsageError(f"--{name} is {value}; it must be at least 1")


def check_range(name: str, value: float | None, least: int, most: int) -> None:
    """Refuses a number that is out of range; None is allowed."""
    if value is not None and not least <= value <= most:
        raise UsageError(f"--{name} is {value}; it must be in [{least}, {most}]")


def check_size(size: int) -> None:
    """Refuses a world that cannot be made."""
    try:
        VoxelConfig(size=size)
    except ValueError as error:
        raise UsageError(f"--{error}") from error


def check_seed(seed: int) -> None:
    """Refuses a seed that no world takes."""
    if not SEED.allows(seed):
        raise UsageError(f"--seed is {seed}; it must be at least 0 and below 2^31")

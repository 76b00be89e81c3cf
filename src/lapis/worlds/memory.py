"""Errors about too little memory that say what needs it, and how much."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch

__all__ = ["memory_of", "naming_memory"]


def memory_of(device: torch.device) -> int:
    """All memory that the device has [bytes]."""
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[1]
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


@contextmanager
def naming_memory(what: str, needed: int, device: torch.device) -> Iterator[None]:
    """Allocates `what`, which takes at least `needed` bytes.

    Raises:
        ValueError: The device has less, or less of it is free.
    """
    told = f"{what} take at least {needed / 1e9:,.1f} GB of memory"
    if needed > memory_of(device):
        raise ValueError(
            f"{told}, and {device} has {memory_of(device) / 1e9:,.1f} GB; use fewer or smaller ones"
        )
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        is_memory = isinstance(error, MemoryError | torch.OutOfMemoryError)
        if not is_memory and "allocate memory" not in str(error):
            raise
        raise ValueError(
            f"{told}, more than is free on {device}; use fewer or smaller ones"
        ) from error

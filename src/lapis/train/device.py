"""What a run computes on, in words."""

from __future__ import annotations

import platform

import torch

__all__ = ["describe_device"]


def describe_device(name: str) -> str:
    """For the record: `cpu` with its make and PyTorch's threads, or a GPU's name and memory."""
    device = torch.device(name)
    if device.type != "cuda":
        make = platform.processor() or platform.machine()
        return f"{name} ({make}, {torch.get_num_threads()} threads of PyTorch)"
    properties = torch.cuda.get_device_properties(device)
    return f"{name} ({properties.name}, {properties.total_memory / 2**30:.0f} GiB)"

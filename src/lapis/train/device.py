"""A description of the device a run uses."""

from __future__ import annotations

import platform

import torch

from lapis.runs import RunError

__all__ = ["describe_device", "device_or_cpu"]


def device_or_cpu(name: str) -> str:
    """`name`, or the CPU where it names a GPU and there is none."""
    return "cpu" if _is_missing(name) else name


def describe_device(name: str) -> str:
    """For the record: `cpu` with its make and PyTorch's threads, or a GPU's name and memory.

    Raises:
        RunError: There is no such GPU.
    """
    device = torch.device(name)
    if _is_missing(name):
        raise RunError(f"device is {name!r}, but PyTorch finds no CUDA device; try --device cpu")
    if device.type != "cuda":
        make = platform.processor() or platform.machine()
        return f"{name} ({make}, {torch.get_num_threads()} threads of PyTorch)"
    properties = torch.cuda.get_device_properties(device)
    return f"{name} ({properties.name}, {properties.total_memory / 2**30:.0f} GiB)"


def _is_missing(name: str) -> bool:
    return torch.device(name).type == "cuda" and not torch.cuda.is_available()

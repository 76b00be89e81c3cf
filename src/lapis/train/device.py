"""The device a run uses: whether there is one of this name, and what it is."""

from __future__ import annotations

import platform
import re

import torch

from lapis.runs import RunError

__all__ = ["check_device", "describe_device", "device_or_cpu"]


def check_device(name: str) -> torch.device:
    """The device of this name.

    Raises:
        RunError: It is no name of a device, or there is no such GPU here.
    """
    if re.fullmatch(r"cpu|cuda(:\d+)?", name) is None:
        raise RunError(f"device is {name!r}; it must be cpu, cuda or cuda:N")
    device = torch.device(name)
    count = torch.cuda.device_count()
    if device.type == "cuda" and count <= (device.index or 0):
        found = f"finds {count} CUDA devices" if count else "finds no CUDA device"
        raise RunError(f"device is {name!r}, but PyTorch {found}; try --device cpu")
    return device


def device_or_cpu(name: str) -> str:
    """`name`, or the CPU where it names a GPU and there is none."""
    return "cpu" if name.startswith("cuda") and not torch.cuda.is_available() else name


def describe_device(name: str) -> str:
    """For the record: `cpu` with its make and PyTorch's threads, or a GPU's name and memory.

    Raises:
        RunError: There is no such device.
    """
    device = check_device(name)
    if device.type == "cpu":
        make = platform.processor() or platform.machine()
        return f"{name} ({make}, {torch.get_num_threads()} threads of PyTorch)"
    properties = torch.cuda.get_device_properties(device)
    return f"{name} ({properties.name}, {properties.total_memory / 2**30:.0f} GiB)"

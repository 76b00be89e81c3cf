"""Kernel launches by name, prepared once: arguments cannot get out of order, replay is cheap."""

from __future__ import annotations

import functools
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import torch
import warp as wp

# Warp greets on its first use and reports each module that it loads. Whoever asked for a level of
# their own before importing Lapis keeps it.
if wp.config.log_level == wp.LOG_INFO:
    wp.config.log_level = wp.LOG_WARNING

GPU_THREADS = 1 << 18
"""About as many as the largest GPUs hold at once, to share work whose size only kernels know."""

_NO_DRIVER = "Warp CUDA warning: Could not find or load the NVIDIA CUDA driver."


@functools.cache
def start_warp() -> None:
    """Warp is ready, and does not warn of a missing NVIDIA driver.

    Its library writes that warning to the process's standard error itself, at every start on a
    machine without a GPU, whatever the log level is. Everything else that it writes is passed on.
    Who asks for a GPU that is not there gets an error from PyTorch.
    """
    sys.stderr.flush()
    own = os.dup(2)
    with tempfile.TemporaryFile(mode="w+") as written:
        os.dup2(written.fileno(), 2)
        try:
            wp.init()
        finally:
            os.dup2(own, 2)
            os.close(own)
            written.seek(0)
            sys.stderr.writelines(line for line in written if not line.startswith(_NO_DRIVER))


def prepare(
    kernel: wp.Kernel,
    thread_count: int,
    device: str,
    known: Mapping[str, Any],
    *,
    block_threads: int = 256,
) -> wp.Launch:
    """Records a launch, for `launch_all` to replay.

    `known` holds the arguments, and maybe others, by name without `_in`, `_io` or `_out`;
    `block_threads` of a GPU start and end together.

    Raises:
        TypeError: An argument is missing.
    """
    names = [re.sub(r"_(in|io|out)$", "", argument.label) for argument in kernel.adj.args]
    if missing := set(names) - set(known):
        raise TypeError(f"{kernel.key}: missing {sorted(missing)}")
    launch = wp.launch(
        kernel,
        dim=thread_count,
        inputs=[known[name] for name in names],
        device=device,
        record_cmd=True,
        block_dim=block_threads,
    )
    assert isinstance(launch, wp.Launch)
    return launch


def filled(kind: Any, values: Mapping[str, Any], device: str | None = None) -> Any:
    """A struct of this kind; NumPy arrays are copied to the device."""
    struct = kind()
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            dtype = kind.vars[name].type.dtype
            value = wp.array(np.ascontiguousarray(value), dtype=dtype, device=device)
        setattr(struct, name, value)
    return struct


def launch_all(launches: Iterable[wp.Launch], device: torch.device) -> None:
    """Replays launches one after another in PyTorch's current stream.

    So both work in order, and what PyTorch captures in a graph includes the kernels.
    """
    stream = None
    if device.type == "cuda":
        current = torch.cuda.current_stream(device)
        stream = _as_warp_stream(device, current.cuda_stream, current)
    for launch in launches:
        launch.launch(stream)


_warp_streams: dict[tuple[torch.device, int], wp.Stream] = {}


def _as_warp_stream(device: torch.device, handle: int, stream: torch.cuda.Stream) -> wp.Stream:
    """The same stream for Warp; PyTorch draws its streams from a small pool, so these stay few."""
    key = (device, handle)
    if key not in _warp_streams:
        _warp_streams[key] = wp.stream_from_torch(stream)
    return _warp_streams[key]

"""Work on a GPU that is recorded once and then replayed: thousands of launches become one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import torch
import torch.distributed as dist

Result = TypeVar("Result")

WARM_UP_CALLS = 3
"""Calls that run as they are, so that everything is loaded and allocated before the recording."""


class Captured(Generic[Result]):
    """A function without arguments as a CUDA graph.

    The first calls run the function itself; then it is recorded, and every later call replays the
    recording. So the function must do the same each time: work on tensors that keep their
    addresses, no host reads, no decisions by values. What it returns is overwritten by the next
    call. Replay and function give the same bits.

    All effects of `work` are on the device. A replay moves the `generators` that it draws from on
    as the function would.
    """

    def __init__(
        self,
        work: Callable[[], Result],
        device: torch.device,
        generators: Sequence[torch.Generator] = (),
    ) -> None:
        self._work = work
        self._device = device
        self._generators = generators
        self._stream = torch.cuda.Stream(device)
        self._graph: torch.cuda.CUDAGraph | None = None
        self._call_count = 0

    def __call__(self) -> Result:
        """Does the work, queued in the current stream."""
        if self._call_count < WARM_UP_CALLS:
            self._call_count += 1
            return self._run()
        if self._graph is None:
            self._graph, self._result = self._record()
        self._graph.replay()
        return self._result

    def _run(self) -> Result:
        """Runs in the stream of the recording, because PyTorch's allocator thinks in streams."""
        current = torch.cuda.current_stream(self._device)
        self._stream.wait_stream(current)
        with torch.cuda.stream(self._stream):
            result = self._work()
        current.wait_stream(self._stream)
        return result

    def _record(self) -> tuple[torch.cuda.CUDAGraph, Result]:
        graph = torch.cuda.CUDAGraph()
        for generator in self._generators:
            graph.register_generator_state(generator)
        # Where ranks learn together, a thread of NCCL asks about events at any time: allowed.
        mode = "thread_local" if dist.is_available() and dist.is_initialized() else "global"
        with torch.cuda.graph(graph, stream=self._stream, capture_error_mode=mode):
            result = self._work()
        return graph, result

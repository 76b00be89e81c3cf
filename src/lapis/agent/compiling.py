"""Functions that a GPU runs as few fused kernels."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as compiled code, made anew for each size of batch.

    A rollout and an update are CUDA graphs of their own: the compiler makes none.
    """
    return torch.compile(
        function, fullgraph=True, dynamic=False, options={"triton.cudagraphs": False}
    )


@functools.cache
def compiled_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """`compiled`, kept for good: for functions of a module, when they are first needed.

    The compiler is slow to load, so that none is called while modules are imported.
    """
    return compiled(function)

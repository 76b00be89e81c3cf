"""Functions that a GPU runs as few fused kernels."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, compiled separately for each batch size.

    The compiler makes no CUDA graphs: rollout and update are recorded elsewhere.
    """
    return torch.compile(
        function, fullgraph=True, dynamic=False, options={"triton.cudagraphs": False}
    )


@functools.cache
def compiled_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """`compiled`, done once and kept: for functions of a module, when first needed.

    The compiler is slow to load, so it is not called while modules are imported.
    """
    return compiled(function)

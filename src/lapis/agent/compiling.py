"""Functions that a GPU runs as few fused kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import torch

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def compiled(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The function as compiled code, made anew for each size of batch.

    A rollout and an update are CUDA graphs of their own: the compiler makes none.
    """
    return torch.compile(
        function, fullgraph=True, dynamic=False, options={"triton.cudagraphs": False}
    )

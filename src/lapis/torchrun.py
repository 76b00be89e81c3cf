"""What torchrun tells the processes that it starts; read without loading PyTorch."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Launch", "launch"]


@dataclass(frozen=True, kw_only=True)
class Launch:
    """This process among those that torchrun started: a rank is one of them."""

    rank: int
    rank_count: int
    local_rank: int
    """Its number among those on this machine."""
    machine_count: int
    restart_count: int
    """How often torchrun has restarted all ranks after one of them died."""
    restart_limit: int
    shares_store: bool
    """Whether all starts use one store of addresses; that of torchrun itself."""


def launch(environment: Mapping[str, str] = os.environ) -> Launch | None:
    """How torchrun started this process; None if it did not."""
    if "TORCHELASTIC_RUN_ID" not in environment:
        return None
    return Launch(
        rank=int(environment["RANK"]),
        rank_count=int(environment["WORLD_SIZE"]),
        local_rank=int(environment["LOCAL_RANK"]),
        machine_count=int(environment["GROUP_WORLD_SIZE"]),
        restart_count=int(environment["TORCHELASTIC_RESTART_COUNT"]),
        restart_limit=int(environment["TORCHELASTIC_MAX_RESTARTS"]),
        shares_store=environment.get("TORCHELASTIC_USE_AGENT_STORE") == "True",
    )

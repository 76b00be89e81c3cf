"""How a run is kept and shown, apart from what it learns."""

from __future__ import annotations

import dataclasses

__all__ = ["RunOptions"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a run is kept and shown; none of it changes what is learned."""

    checkpoint_updates: int = 200
    """Updates between checkpoints."""
    checkpoint_seconds: float = 300.0
    """A checkpoint is also made when the last one is older than this."""
    checkpoint_count: int = 3
    """Checkpoints that are kept."""
    quiet: bool = False
    """Shows nothing but errors."""
    wandb: bool = False
    """Also sends all scalars to Weights & Biases; needs: pip install 'lapis-rl[wandb]'."""

    def __post_init__(self) -> None:
        for name in ("checkpoint_updates", "checkpoint_seconds", "checkpoint_count"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be above 0")

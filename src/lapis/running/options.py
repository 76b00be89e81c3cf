"""How a run is kept and shown, apart from what it learns."""

from __future__ import annotations

import dataclasses
from typing import Annotated

from lapis.bounds import COUNT, POSITIVE, Checked

__all__ = ["RunOptions"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunOptions(Checked):
    """How a run is kept and shown; none of it changes what is learned."""

    checkpoint_updates: Annotated[int, COUNT] = 200
    """Updates between checkpoints."""
    checkpoint_seconds: Annotated[float, POSITIVE] = 300.0
    """A checkpoint is also made when the last one is older than this."""
    checkpoint_count: Annotated[int, COUNT] = 3
    """How many checkpoints are kept."""
    quiet: bool = False
    """Prints only errors."""
    wandb: bool = False
    """Also sends all scalars to Weights & Biases; needs: pip install 'lapis-rl[wandb]'."""

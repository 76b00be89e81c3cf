"""Simon Says: the paper's task over any world (paper P7, P8, P10-P12)."""

from typing import TYPE_CHECKING

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
from lapis.lazy import lazy_names
from lapis.simonsays.config import BonusKind, SimonSaysConfig

if TYPE_CHECKING:
    from lapis.simonsays.protocol import SimonSays

__all__ = ["BonusKind", "SimonSays", "SimonSaysConfig"]

__getattr__ = lazy_names(__name__, {"SimonSays": "protocol"}, extra="worlds")

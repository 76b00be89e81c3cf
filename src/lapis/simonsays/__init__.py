"""Simon Says: the paper's task over any world (paper P7, P8, P10-P12)."""

from lapis.simonsays.config import BonusKind, SimonSaysConfig
from lapis.simonsays.protocol import SimonSays

__all__ = ["BonusKind", "SimonSays", "SimonSaysConfig"]

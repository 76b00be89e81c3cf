"""XLand-MiniGrid (Nikulin et al. 2023): chains of generated rules as items."""

from lapis.worlds.xland.config import XLandConfig

__all__ = ["XLandConfig"]

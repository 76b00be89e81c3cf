"""Minecraft 1.11.2 itself, through MineRL 0.4.4 (paper P19)."""

from lapis.worlds.minerl.config import WORLD_VERSION, MineRLConfig

__all__ = ["WORLD_VERSION", "MineRLConfig"]

"""Craftax and Craftax-Classic (Matthews et al. 2024): their achievements as items."""

from lapis.worlds.craftax.config import CraftaxConfig

__all__ = ["CraftaxConfig"]

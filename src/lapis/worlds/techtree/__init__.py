"""The tech-tree world: Minecraft's rules and clock without its space."""

from typing import TYPE_CHECKING

from lapis.lazy import lazy_names
from lapis.worlds.techtree.actions import ACTION, ACTIONS
from lapis.worlds.techtree.config import WORLD_VERSION, TechTreeConfig

if TYPE_CHECKING:
    from lapis.worlds.techtree.world import TechTreeWorld

__all__ = ["ACTION", "ACTIONS", "WORLD_VERSION", "TechTreeConfig", "TechTreeWorld"]

__getattr__ = lazy_names(__name__, {"TechTreeWorld": "world"}, extra="worlds")

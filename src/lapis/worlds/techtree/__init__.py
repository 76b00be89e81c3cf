"""The tech-tree world: Minecraft's rules and clock without its space."""

from lapis.worlds.techtree.actions import ACTION, ACTIONS
from lapis.worlds.techtree.config import TechTreeConfig
from lapis.worlds.techtree.world import WORLD_VERSION, TechTreeWorld

__all__ = ["ACTION", "ACTIONS", "WORLD_VERSION", "TechTreeConfig", "TechTreeWorld"]

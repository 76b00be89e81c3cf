"""Recipes: functions that return the whole configuration of a run."""

from lapis.recipes.minetest import minetest
from lapis.recipes.techtree import demo, techtree
from lapis.recipes.voxel import paper, voxel

__all__ = ["demo", "minetest", "paper", "techtree", "voxel"]

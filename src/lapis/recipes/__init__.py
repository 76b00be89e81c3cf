"""Recipes: functions that return the whole configuration of a run."""

from lapis.recipes.techtree import demo, techtree
from lapis.recipes.voxel import paper, voxel

__all__ = ["demo", "paper", "techtree", "voxel"]

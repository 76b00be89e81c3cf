"""Recipes: functions that return the whole configuration of a run."""

from lapis.recipes.minetest import minetest
from lapis.recipes.others import craftax, xland
from lapis.recipes.techtree import combinations, demo, techtree
from lapis.recipes.voxel import paper, voxel

__all__ = ["combinations", "craftax", "demo", "minetest", "paper", "techtree", "voxel", "xland"]

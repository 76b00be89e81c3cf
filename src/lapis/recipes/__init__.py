"""Recipes: functions that return the whole configuration of a run."""

from lapis.recipes.techtree import (
    demo,
    techtree_bidirectional,
    techtree_unidirectional,
    techtree_uniform,
    techtree_uniform_dynamic,
    techtree_uniform_fixed,
)
from lapis.recipes.voxel import (
    paper,
    paper_unidirectional,
    paper_uniform,
    paper_uniform_dynamic,
    paper_uniform_fixed,
    voxel,
    voxel_unidirectional,
    voxel_uniform,
    voxel_uniform_dynamic,
    voxel_uniform_fixed,
)

__all__ = [
    "demo",
    "paper",
    "paper_unidirectional",
    "paper_uniform",
    "paper_uniform_dynamic",
    "paper_uniform_fixed",
    "techtree_bidirectional",
    "techtree_unidirectional",
    "techtree_uniform",
    "techtree_uniform_dynamic",
    "techtree_uniform_fixed",
    "voxel",
    "voxel_unidirectional",
    "voxel_uniform",
    "voxel_uniform_dynamic",
    "voxel_uniform_fixed",
]

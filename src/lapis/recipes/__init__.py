"""Recipes: functions that return the whole configuration of a run."""

from lapis.recipes.techtree import (
    demo,
    techtree_bidirectional,
    techtree_unidirectional,
    techtree_uniform,
    techtree_uniform_dynamic,
    techtree_uniform_fixed,
)

__all__ = [
    "demo",
    "techtree_bidirectional",
    "techtree_uniform",
    "techtree_uniform_dynamic",
    "techtree_uniform_fixed",
    "techtree_unidirectional",
]

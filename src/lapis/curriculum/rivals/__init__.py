"""Curricula to compare with, under the same protocol: two vectors of counts per update.

Each is a `Teacher` in its own file, with its formulas as functions. `docs/rivals` has a page for
each of them.
"""

from lapis.curriculum.rivals.band import SuccessBand, band_probabilities
from lapis.curriculum.rivals.halves import HalfWindow, half_window_progress
from lapis.curriculum.rivals.learnability import Learnability, learnability, top_probabilities
from lapis.curriculum.rivals.slope import (
    RegressionSlope,
    boltzmann_probabilities,
    regression_slope,
)
from lapis.curriculum.rivals.staleness import (
    RankStaleness,
    prediction_error,
    rank_probabilities,
    stale_probabilities,
)

__all__ = [
    "HalfWindow",
    "Learnability",
    "RankStaleness",
    "RegressionSlope",
    "SuccessBand",
    "band_probabilities",
    "boltzmann_probabilities",
    "half_window_progress",
    "learnability",
    "prediction_error",
    "rank_probabilities",
    "regression_slope",
    "stale_probabilities",
    "top_probabilities",
]

"""Curricula to compare with, under the same protocol: two vectors of counts per update.

Each is a `Teacher` in its own file, with its formulas as functions. `docs/rivals` has a page for
each of them.
"""

from lapis.curriculum.rivals.band import SuccessBand, SuccessBandConfig, band_probabilities
from lapis.curriculum.rivals.halves import HalfWindow, HalfWindowConfig, half_window_progress
from lapis.curriculum.rivals.learnability import (
    Learnability,
    LearnabilityConfig,
    learnability,
    top_probabilities,
)
from lapis.curriculum.rivals.slope import (
    RegressionSlope,
    RegressionSlopeConfig,
    boltzmann_probabilities,
    regression_slope,
)
from lapis.curriculum.rivals.staleness import (
    RankStaleness,
    RankStalenessConfig,
    prediction_error,
    rank_probabilities,
    stale_probabilities,
)

__all__ = [
    "HalfWindow",
    "HalfWindowConfig",
    "Learnability",
    "LearnabilityConfig",
    "RankStaleness",
    "RankStalenessConfig",
    "RegressionSlope",
    "RegressionSlopeConfig",
    "SuccessBand",
    "SuccessBandConfig",
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

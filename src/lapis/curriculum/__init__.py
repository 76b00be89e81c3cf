"""Curricula over sets of tasks: NumPy in, NumPy out, for any training loop.

from lapis.curriculum import LearningProgress

curriculum = LearningProgress(task_count)
tasks = curriculum.sample(batch_size, rng)       # train on these
curriculum.update(successes, attempts)           # counts per task, once per optimization step
"""

from lapis.curriculum.exploration import ExplorationConfig, ExplorationSet
from lapis.curriculum.large.clusters import ClusteredProgress
from lapis.curriculum.large.descriptions import Choice, Descriptions, Range
from lapis.curriculum.large.function import FunctionProgress
from lapis.curriculum.large.generator import (
    DomainRandomization,
    ProgressGenerator,
    ReplayGenerator,
)
from lapis.curriculum.large.rule import LargeRule
from lapis.curriculum.large.settings import ClustersConfig, FunctionConfig
from lapis.curriculum.outcomes import OutcomeCounts, scores_of_returns
from lapis.curriculum.progress import (
    LearningProgress,
    LearningProgressConfig,
    beyond_random,
    learning_progress,
    reweight,
    reweight_slope,
    sampling_weights,
    sigmoid_slope,
)
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
from lapis.curriculum.sampling import proportional_weights
from lapis.curriculum.teacher import Teacher, window_length
from lapis.curriculum.theory import optimal_interval, snapshot_error
from lapis.curriculum.uniform import Uniform, UniformConfig

__all__ = [
    "Choice",
    "ClusteredProgress",
    "ClustersConfig",
    "Descriptions",
    "DomainRandomization",
    "ExplorationConfig",
    "ExplorationSet",
    "FunctionConfig",
    "FunctionProgress",
    "HalfWindow",
    "HalfWindowConfig",
    "LargeRule",
    "Learnability",
    "LearnabilityConfig",
    "LearningProgress",
    "LearningProgressConfig",
    "OutcomeCounts",
    "ProgressGenerator",
    "Range",
    "RankStaleness",
    "RankStalenessConfig",
    "RegressionSlope",
    "RegressionSlopeConfig",
    "ReplayGenerator",
    "SuccessBand",
    "SuccessBandConfig",
    "Teacher",
    "Uniform",
    "UniformConfig",
    "band_probabilities",
    "beyond_random",
    "boltzmann_probabilities",
    "half_window_progress",
    "learnability",
    "learning_progress",
    "prediction_error",
    "proportional_weights",
    "rank_probabilities",
    "regression_slope",
    "optimal_interval",
    "reweight",
    "reweight_slope",
    "sampling_weights",
    "scores_of_returns",
    "sigmoid_slope",
    "snapshot_error",
    "stale_probabilities",
    "top_probabilities",
    "window_length",
]

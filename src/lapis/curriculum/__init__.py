"""Curricula over a fixed set of tasks: NumPy in, NumPy out, for any training loop.

from lapis.curriculum import LearningProgress

curriculum = LearningProgress(task_count)
tasks = curriculum.sample(batch_size, rng)       # train on these
curriculum.update(successes, attempts)           # counts per task, once per optimization step
"""

from lapis.curriculum.exploration import ExplorationSet
from lapis.curriculum.progress import (
    LearningProgress,
    beyond_random,
    learning_progress,
    reweight,
    reweight_slope,
    sampling_weights,
    sigmoid_slope,
)
from lapis.curriculum.teacher import Teacher
from lapis.curriculum.uniform import Uniform

__all__ = [
    "ExplorationSet",
    "LearningProgress",
    "Teacher",
    "Uniform",
    "beyond_random",
    "learning_progress",
    "reweight",
    "reweight_slope",
    "sampling_weights",
    "sigmoid_slope",
]

"""Cost and focus of the learning-progress curriculum."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.timing import measure
from lapis.curriculum import LearningProgress, sampling_weights

DRAW_COUNT = 4096


def outcomes(task_count: int) -> tuple[np.ndarray, np.ndarray]:
    """Successes and attempts of one update, about a third of the tasks untried."""
    rng = np.random.default_rng(0)
    attempts = rng.integers(0, 3, task_count)
    return rng.binomial(attempts, rng.random(task_count)), attempts


def gaussian_progress() -> np.ndarray:
    """Normally distributed progress of 100,000 tasks."""
    return np.random.default_rng(3).normal(0.05, 0.01, 100_000)


def share_on_top_fifth(weights: np.ndarray, progress: np.ndarray) -> float:
    """Share of the weight on the 20 % of the tasks with the most progress."""
    top = np.argsort(progress)[-progress.size // 5 :]
    return round(float(weights[top].sum() / weights.sum()), 4)


def step_cost(task_count: int, **options: Any) -> dict:
    """Duration of update + probabilities + sample(4096)."""
    curriculum = LearningProgress(task_count, **options)
    successes, attempts = outcomes(task_count)
    rng = np.random.default_rng(1)

    def work() -> None:
        curriculum.update(successes, attempts)
        curriculum.probabilities()
        curriculum.sample(DRAW_COUNT, rng)

    return measure(work)


def focus() -> dict:
    """Share of the weight on the top fifth of Gaussian progress, ours and two variants."""
    progress = gaussian_progress()
    variants = {
        "solved_slope": sampling_weights(progress),
        "slope_1": sampling_weights(progress, slope=1.0),
        "slope_1_center_0": sampling_weights(progress, slope=1.0, center_quantile=0.5),
    }
    return {name: share_on_top_fifth(weights, progress) for name, weights in variants.items()}

"""How much of a task's learning progress is sampling noise, and progress without it.

With few attempts per update the averages of a task that does not change still move. At a success
of 0.05 the reweighted progress moves tens of times as much as at 0.95, so that z-scoring sends
samples to tasks that merely fluctuate. The variance of the averages is known: a mean of n attempts
has p (1 - p) / n, and each average is a weighted sum of such means.
"""

from __future__ import annotations

import numpy as np


class NoiseModel:
    """Carries the binomial variance of the measured success through both averages.

    All factors are in units of p (1 - p), so they depend on the numbers of attempts alone.
    `factors_` has the rows: variance of fast, covariance of fast and slow, variance of slow, and
    the total weight of all measurements in fast (1 minus what is left of its start at 0).
    """

    def __init__(self, task_count: int) -> None:
        self.factors_ = np.zeros((4, task_count))

    def update(self, rate: np.ndarray, attempts: np.ndarray) -> None:
        """One step of both averages with the given rates and attempts (at least 1) per task."""
        fast, cross, slow, weight = self.factors_
        keep = 1.0 - rate
        new_fast = keep * keep * fast + rate * rate / attempts
        # slow' = keep slow + rate fast', and fast' holds keep fast of what slow has seen.
        new_cross = keep * keep * cross + rate * new_fast
        new_slow = keep * keep * (slow + 2.0 * rate * cross) + rate * rate * new_fast
        self.factors_ = np.stack([new_fast, new_cross, new_slow, weight + rate * (1.0 - weight)])

    def success(self, fast: np.ndarray) -> np.ndarray:
        """Success probability given `fast` and Jeffreys' half a success and half a failure."""
        variance, _, _, weight = self.factors_
        seen = weight > 0.0
        attempts = np.divide(weight * weight, variance, where=seen, out=np.zeros_like(weight))
        mean = np.divide(fast, weight, where=seen, out=np.full_like(weight, 0.5))
        return (attempts * np.clip(mean, 0.0, 1.0) + 0.5) / (attempts + 1.0)

    def deviation(self, success: np.ndarray) -> np.ndarray:
        """Standard deviation of fast - slow for tasks with constant success probability."""
        fast, cross, slow, _ = self.factors_
        factor = np.maximum(fast - 2.0 * cross + slow, 0.0)
        return np.sqrt(success * (1.0 - success) * factor)


def shrink(progress: np.ndarray, noise: np.ndarray, strength: float) -> np.ndarray:
    """Progress with its noise taken out: progress * max(0, 1 - (strength noise / progress)^2).

    Zero up to `strength` standard deviations, and nearly untouched far above: the non-negative
    garrote (Breiman 1995), an estimate of James and Stein's kind for one coordinate.
    """
    ratio = np.divide(strength * noise, progress, where=progress > 0.0, out=np.ones_like(progress))
    # Beyond 1 the result is 0 in any case; the bound keeps the square finite.
    return progress * (1.0 - np.square(np.minimum(ratio, 1.0)))

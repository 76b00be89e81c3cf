"""How much of a task's learning progress is sampling noise, and progress without it.

With few attempts per update the averages of a task that does not change still move. At a success of
0.05 the reweighted progress moves tens of times as much as at 0.95, so that z-scoring sends samples
to tasks that merely fluctuate. The variance of the averages is known: that of a mean of n attempts
is p (1 - p) / n, and each average is a weighted sum of such means. Also known is how much weight is
still on their start at 0, which looks like progress on a task that has always been constant.
"""

from __future__ import annotations

import numpy as np

LEAST_FACTOR = 1e-90
"""No factor but 0 is smaller, at rates of 1e-12 or more and up to 2^53 attempts in an update."""


class NoiseModel:
    """Carries the binomial variance of the measured success through both averages.

    All factors are in units of p (1 - p), so they depend on the numbers of attempts alone.
    `factors_` has the rows: variance of fast, covariance of fast and slow, variance of slow, and
    the total weight of all measurements in fast and in slow (1 minus what is left of the start).

    Scores s between 0 and 1 vary less than successes with the same mean p: their variance is
    p (1 - p) - E[s (1 - s)]. `graded_` is the average of s (1 - s), moved like fast; it is 0 as
    long as all outcomes are 0 or 1.
    """

    def __init__(self, task_count: int) -> None:
        self.factors_ = np.zeros((5, task_count))
        self.graded_ = np.zeros(task_count)

    def update(
        self,
        rate: np.ndarray,
        attempts: np.ndarray,
        graded: np.ndarray | None = None,
        *,
        slow_rate: float | np.ndarray | None = None,
        share: float | np.ndarray = 1.0,
    ) -> None:
        """One step of both averages.

        fast += rate (mean - fast), then slow += slow_rate (share fast - slow). The mean is that of
        so many attempts, at least 1. Without `slow_rate` both averages have one rate. `graded` is
        the sum of s (1 - s) over the attempts of each task, or None if all outcomes are 0 or 1.
        """
        fast, cross, slow, fast_weight, slow_weight = self.factors_
        if slow_rate is None:
            slow_rate = rate
        keep, slow_keep = 1.0 - rate, 1.0 - slow_rate
        pull = share * slow_rate
        # In this order: fast' = keep fast + rate mean, then slow' = slow_keep slow + pull fast',
        # and only the part keep fast of fast' is correlated with slow.
        slow *= slow_keep * slow_keep
        slow += 2.0 * slow_keep * keep * pull * cross
        fast *= keep * keep
        fast += rate * rate / attempts
        slow += pull * pull * fast
        cross *= slow_keep * keep
        cross += pull * fast
        fast_weight += rate * (1.0 - fast_weight)
        slow_weight += slow_rate * (share * fast_weight - slow_weight)
        self.graded_ *= keep
        if graded is not None:
            self.graded_ += rate * graded / attempts

    def unbiased(self, fast: np.ndarray, slow: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Both averages over their measurements alone, without their start at 0.

        Both have the mean p for a task of constant success p, however short its history.
        """
        fast_weight, slow_weight = self._weights()
        # Rounding may leave the quotients a last digit above 1.
        return np.minimum(fast / fast_weight, 1.0), np.minimum(slow / slow_weight, 1.0)

    def success(self, fast: np.ndarray) -> np.ndarray:
        """Success probability given `fast` and Jeffreys' half a success and half a failure."""
        weight, _ = self._weights()
        mean = np.minimum(fast / weight, 1.0)
        return believed_success(mean, self._effective_attempts())[0]

    def deviation(self, success: np.ndarray) -> np.ndarray:
        """Standard deviation of the unbiased fast - slow of tasks with constant success."""
        fast, cross, slow, _, _ = self.factors_
        fast_weight, slow_weight = self._weights()
        of_fast = fast / (fast_weight * fast_weight)
        factor = of_fast - 2.0 * cross / (slow_weight * fast_weight)
        factor += slow / (slow_weight * slow_weight)
        # After one measurement both averages are equal; the root would magnify rounding errors.
        factor = np.where(factor > ROUNDING * of_fast, factor, 0.0)
        # Jeffreys' success and failure have s (1 - s) = 0.
        attempts = self._effective_attempts()
        graded = self.graded_ / fast_weight * attempts / (attempts + 1.0)
        variance = np.maximum(success * (1.0 - success) - graded, 0.0)
        return np.sqrt(variance * factor)

    def _effective_attempts(self) -> np.ndarray:
        """The number of attempts with which a plain mean would have the variance of fast."""
        weight, _ = self._weights()
        return np.divide(
            weight * weight,
            self.factors_[0],
            where=self.factors_[0] > 0.0,
            out=np.zeros_like(weight),
        )

    def _weights(self) -> np.ndarray:
        """Total weights of the measurements; 1 for tasks without any, whose averages are 0."""
        weights = self.factors_[3:]
        return np.where(weights > 0.0, weights, 1.0)


def believed_success(mean: np.ndarray, attempts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Success probability, and its standard deviation, given the mean outcome of so many attempts.

    Jeffreys' half a success and half a failure are added: without attempts it may be anything.
    """
    success = (attempts * mean + 0.5) / (attempts + 1.0)
    return success, np.sqrt(success * (1.0 - success) / (attempts + 1.0))


def shrink(progress: np.ndarray, noise: np.ndarray, strength: float) -> np.ndarray:
    """Progress with its noise taken out: progress * max(0, 1 - (strength noise / progress)^2).

    Zero up to `strength` standard deviations, and nearly untouched far above: the non-negative
    garrote (Breiman 1995), an estimate of James and Stein's kind for one coordinate.
    """
    allowance = strength * noise
    above = progress > np.maximum(allowance, ROUNDING)
    ratio = np.divide(allowance, progress, where=above, out=np.ones_like(progress))
    return progress * (1.0 - ratio * ratio)


ROUNDING = 1e-12
"""Progress up to here is the rounding error of two averages that are equal; so is such a share of
a variance as the difference of variances."""

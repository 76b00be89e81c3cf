"""How fast the success of a group of tasks changes, and how sure that is."""

from __future__ import annotations

import numpy as np

from lapis.curriculum import noise
from lapis.curriculum.large.rule import LargeRule

LEVEL_STEP = 4.0
"""How many times further back each pair of averages looks than the one before."""
LEAST_AGE = 0.25
"""Memories of attempts from which a pair of averages says something."""


class Slopes:
    """Averages of each group's success over several memories, counted in attempts.

    Each level has the fast and the slow average of the paper's rule (paper P1) and its noise. A
    short memory sees a change soon, a long one sees a small change: with noise alone, the slope
    that n attempts show has a standard deviation that falls as n^-1.5.
    """

    def __init__(self, count: int, rule: LargeRule) -> None:
        self.rule = rule
        self.memory = rule.memory * LEVEL_STEP ** np.arange(rule.level_count)[:, None]
        """Attempts that each level looks back, shape (level, 1)."""
        self.fast_, self.slow_ = np.zeros((2, rule.level_count, count))
        self.noise = noise.NoiseModel(rule.level_count * count)
        self.lowest_ = np.ones(count)
        """The lowest reweighted success that a group had for sure, shape (group,)."""

    def arrays(self) -> dict[str, np.ndarray]:
        """All that was learned, by name; the arrays themselves."""
        return {
            "fast_": self.fast_,
            "slow_": self.slow_,
            "factors_": self.noise.factors_,
            "lowest_": self.lowest_,
        }

    @property
    def attempts(self) -> np.ndarray:
        """Attempts at each group, shape (group,); no more than 36 of the longest memories."""
        weight = self.noise.factors_[3].reshape(self.fast_.shape)[-1]
        keep = np.log1p(-1.0 / self.memory[-1])
        return np.log1p(-np.minimum(weight, 1.0 - 1e-15)) / keep

    def update(self, won: np.ndarray, tries: np.ndarray) -> None:
        """Learns the outcomes of attempts at each group, shape (group,); both may be fractions."""
        # Attempts one by one would each move an average by 1 / memory; a batch moves it at once.
        rate = -np.expm1(tries * np.log1p(-1.0 / self.memory))
        self.fast_ += rate * (won / np.where(tries > 0.0, tries, 1.0) - self.fast_)
        self.slow_ += rate * (self.fast_ - self.slow_)
        np.clip(self.fast_, 0.0, 1.0, out=self.fast_)
        counted = np.where(tries > 0.0, tries, 1.0)
        self.noise.update(rate.ravel(), np.tile(counted, len(self.memory)))
        tried = tries > 0.0
        self.lowest_[tried] = np.minimum(self.lowest_, self._sure(1.0))[tried]

    def success(self) -> np.ndarray:
        """Success of each group by the shortest memory, shape (group,)."""
        return self.noise.success(self.fast_.ravel()).reshape(self.fast_.shape)[0]

    def successes(self) -> np.ndarray:
        """About how many of each group's attempts succeeded, shape (group,)."""
        weight = self.noise.factors_[3].reshape(self.fast_.shape)[-1]
        mean = np.divide(self.fast_[-1], weight, where=weight > 0.0, out=np.zeros_like(weight))
        return mean * self.attempts

    def rise(self) -> np.ndarray:
        """How far reweighted success is, for sure, above its lowest, shape (group,)."""
        return np.maximum(self._sure(-1.0) - self.lowest_, 0.0)

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Between what the slope lies: reweighted success per `rule.memory` attempts.

        The intervals of all levels are intersected, from the shortest memory to the first that
        contradicts those before it: it looks back to another time (Lepski 1991). Nothing is below
        -rule.prior or above rule.prior.
        """
        slope, deviation = self._slopes()
        attempts, prior = self.attempts, self.rule.prior
        low, high = np.full(attempts.size, -prior), np.full(attempts.size, prior)
        agrees = np.ones(attempts.size, bool)
        for level, memory in enumerate(self.memory[:, 0]):
            around = self.rule.confidence * deviation[level]
            below = np.clip(slope[level] - around, -prior, prior)
            above = np.clip(slope[level] + around, -prior, prior)
            agrees &= attempts > LEAST_AGE * memory
            agrees &= np.maximum(low, below) <= np.minimum(high, above)
            low = np.where(agrees, np.maximum(low, below), low)
            high = np.where(agrees, np.minimum(high, above), high)
        return low, high

    def _slopes(self) -> tuple[np.ndarray, np.ndarray]:
        """The slope that each level measures and its standard deviation, shape (level, group)."""
        rule, shape = self.rule, self.fast_.shape
        fast, slow = self.noise.unbiased(self.fast_.ravel(), self.slow_.ravel())
        success = self.noise.success(self.fast_.ravel())
        deviation = rule.lifted(success, self.noise.deviation(success)).reshape(shape)
        change = (rule.reweighted(fast) - rule.reweighted(slow)).reshape(shape)
        # Fast and slow are `memory` attempts apart, and half of all attempts while they are few.
        apart = -self.memory * np.expm1(-0.5 * self.attempts / self.memory)
        scale = rule.memory / np.maximum(apart, 1e-9)
        return change * scale, deviation * scale

    def _sure(self, side: float) -> np.ndarray:
        """Reweighted success two standard deviations above (side 1) or below (-1)."""
        level = min(1, len(self.memory) - 1)
        count = self.fast_.shape[1]
        success = self.noise.success(self.fast_.ravel())[level * count : (level + 1) * count]
        attempts = np.minimum(self.attempts, self.memory[level])
        spread = 2.0 * np.sqrt(success * (1.0 - success) / (attempts + 1.0))
        return self.rule.reweighted(np.clip(success + side * spread, 0.0, 1.0))

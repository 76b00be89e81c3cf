"""The paper's learning-progress curriculum (paper P1-P4; sections 2.2, B and C)."""

from __future__ import annotations

import functools
import math
import statistics
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from lapis.curriculum import noise
from lapis.curriculum.checks import (
    check_at_least,
    check_choice,
    check_fraction,
    check_per_task,
)
from lapis.curriculum.teacher import Teacher, follow_success, mix_uniform

Direction = Literal["both", "up"]


class LearningProgress(Teacher):
    """Samples the tasks whose success probability is changing (paper P1-P4).

    Each task has two averages of its success: `fast_` follows the measured success and `slow_`
    follows `fast_`, both with the same time scale. Their difference, magnified where success is
    low, is the task's learning progress; a sigmoid of its z-score is the task's sampling weight.

    Args:
        task_count: Number of tasks.
        direction: "both" (bidirectional: tasks that improve and tasks that are being forgotten)
            or "up" (unidirectional: improvements only).
        time_scale: Time scale of both averages [updates]. The paper's is 1250.
        reweight_threshold: The success probability that reweighting lifts to about one half.
        center_quantile: Quantile of the normal distribution on which the sigmoid is centered.
        share: Share of the sampling weight ...
        of: ... that this share of the tasks with the most progress shall get, if progress is
            normally distributed. Together they set the sigmoid's slope.
        floor: Least total share of the probability that is spread uniformly over all tasks.
        noise_shrinkage: 0 for the paper's rule. A positive number takes progress below that many
            standard deviations of its own sampling noise for zero, and shrinks what is above.
        random_success: What a random policy achieves on each task, shape (task,); success is then
            measured as (p - random) / (1 - random), never below 0 (OMNI, Zhang et al. 2023).
        interest: A factor on each task's sampling weight, shape (task,) (OMNI's model of
            interestingness).
    """

    _learnt: ClassVar[tuple[str, ...]] = ("fast_", "slow_")

    def __init__(
        self,
        task_count: int,
        *,
        direction: Direction = "both",
        time_scale: float = 1250.0,
        reweight_threshold: float = 0.1,
        center_quantile: float = 0.9,
        share: float = 0.9,
        of: float = 0.2,
        floor: float = 0.0,
        noise_shrinkage: float = 0.0,
        random_success: ArrayLike | None = None,
        interest: ArrayLike | None = None,
    ) -> None:
        super().__init__(task_count)
        self.direction: Direction = check_direction(direction)
        self.time_scale = check_at_least("time_scale", time_scale, 1.0)
        self.reweight_threshold = check_fraction("reweight_threshold", reweight_threshold)
        self.center_quantile = check_fraction("center_quantile", center_quantile)
        self.slope = sigmoid_slope(share, of, center_quantile)
        self.floor = check_fraction("floor", floor, closed=True)
        self.noise_shrinkage = check_at_least("noise_shrinkage", noise_shrinkage, 0.0)
        self.random_success = None
        if random_success is not None:
            self.random_success = check_per_task(
                "random_success", random_success, self.task_count, least=0.0, below=1.0
            )
        self.interest = None
        if interest is not None:
            self.interest = check_per_task("interest", interest, self.task_count, least=0.0)
            if not self.interest.any():
                raise ValueError("interest must be positive for at least one task; all are 0")
        self.fast_ = np.zeros(self.task_count)
        self.slow_ = np.zeros(self.task_count)
        self._noise = noise.NoiseModel(self.task_count) if self.noise_shrinkage else None

    def progress(self) -> np.ndarray:
        """Learning progress of each task, shape (task,), never negative."""
        fast, slow = self._normalized(self.fast_), self._normalized(self.slow_)
        progress = learning_progress(
            reweight(fast, self.reweight_threshold),
            reweight(slow, self.reweight_threshold),
            self.direction,
        )
        if self._noise is None:
            return progress
        return noise.shrink(progress, self.noise(), self.noise_shrinkage)

    def noise(self) -> np.ndarray:
        """Standard deviation of each task's progress if its success did not change at all."""
        if self._noise is None:
            raise ValueError("noise is tracked only with noise_shrinkage > 0")
        success = self._noise.success(self.fast_)
        slope = reweight_slope(self._normalized(success), self.reweight_threshold)
        if self.random_success is not None:
            slope = slope / (1.0 - self.random_success)
        return slope * self._noise.deviation(success)

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        weights = sampling_weights(
            self.progress(), center_quantile=self.center_quantile, slope=self.slope
        )
        if self.interest is not None:
            weights = weights * self.interest
        return mix_uniform(weights / weights.sum(), self.floor)

    def state_dict(self) -> dict:
        """What has been learnt, in full: a curriculum that loads it continues bit for bit."""
        state = super().state_dict()
        if self._noise is not None:
            state["noise"] = self._noise.factors_.copy()
        return state

    def load_state_dict(self, state: dict) -> None:
        """Takes over a state that `state_dict` of the same class and size has given."""
        factors = None
        if self._noise is not None:
            factors = self._loaded("noise", self._noise.factors_, state)
        super().load_state_dict(state)
        if self._noise is not None and factors is not None:
            self._noise.factors_ = factors

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        rate = follow_success(self.fast_, successes, attempts, self.time_scale)
        self.slow_ += rate * (self.fast_ - self.slow_)
        if self._noise is not None:
            self._noise.update(rate, np.maximum(attempts, 1))

    def _normalized(self, success: np.ndarray) -> np.ndarray:
        if self.random_success is None:
            return success
        return beyond_random(success, self.random_success)


def check_direction(direction: str) -> Direction:
    """'both' or 'up'."""
    return "both" if check_choice("direction", direction, ("both", "up")) == "both" else "up"


def reweight(success: ArrayLike, threshold: float = 0.1) -> np.ndarray:
    """Maps success probabilities so that differences at low ones grow (paper P3, appendix B).

    f(p) = (1 - t) p / (p + t (1 - 2 p)); f(0) = 0, f(t) = 1/2, f(1) = 1.
    """
    p = np.asarray(success, dtype=np.float64)
    t = check_fraction("threshold", threshold)
    return (1.0 - t) * p / (p + t * (1.0 - 2.0 * p))


def reweight_slope(success: ArrayLike, threshold: float = 0.1) -> np.ndarray:
    """Derivative of `reweight`: t (1 - t) / (p + t (1 - 2 p))^2."""
    p = np.asarray(success, dtype=np.float64)
    t = check_fraction("threshold", threshold)
    return t * (1.0 - t) / np.square(p + t * (1.0 - 2.0 * p))


def beyond_random(success: ArrayLike, random_success: ArrayLike) -> np.ndarray:
    """Success beyond what chance gives: max(p - random, 0) / (1 - random) (OMNI)."""
    chance = np.asarray(random_success, dtype=np.float64)
    return np.maximum(np.asarray(success) - chance, 0.0) / (1.0 - chance)


def learning_progress(
    fast: ArrayLike, slow: ArrayLike, direction: Direction = "both"
) -> np.ndarray:
    """|fast - slow|, or with direction "up" max(0, fast - slow) (paper P2)."""
    change = np.asarray(fast, dtype=np.float64) - np.asarray(slow, dtype=np.float64)
    if check_direction(direction) == "both":
        return np.abs(change)
    return np.maximum(change, 0.0)


def sampling_weights(
    progress: ArrayLike, *, center_quantile: float = 0.9, slope: float | None = None
) -> np.ndarray:
    """Sigmoid of the z-scored progress, up to a common factor (paper P4, appendix C).

    The sigmoid saturates, so that no task takes everything. Equal progress everywhere gives equal
    weights. The result is positive and finite for any finite progress.

    Args:
        progress: Learning progress, shape (task,).
        center_quantile: Quantile of the normal distribution on which the sigmoid is centered.
        slope: Slope of the sigmoid; None solves it for 90 % of the weight on 20 % of the tasks.
    """
    progress = np.asarray(progress, dtype=np.float64)
    if slope is None:
        slope = sigmoid_slope(center_quantile=center_quantile)
    if progress.max() == progress.min():
        return np.ones_like(progress)
    deviation = progress - progress.mean()
    # The z-score does not depend on scale: bring the largest to 1, so that squares of very small
    # numbers do not vanish.
    deviation /= np.abs(deviation).max()
    steepness = slope / math.sqrt(np.square(deviation).mean())
    argument = steepness * deviation - slope * _normal_quantile(center_quantile)
    # sigmoid(x) e^-c = e^(x - c) / (1 + e^x) with a c that keeps the largest from vanishing.
    common = min(float(argument.max()), 0.0)
    rise = np.exp(np.maximum(np.minimum(argument, 0.0) - common, -_EXP_LIMIT))
    return rise / (1.0 + np.exp(np.maximum(-np.abs(argument), -_EXP_LIMIT)))


@functools.cache
def sigmoid_slope(share: float = 0.9, of: float = 0.2, center_quantile: float = 0.9) -> float:
    """The slope with which Gaussian progress puts `share` of the weight on the top `of` (paper P4).

    The text wants 90 % of the weight on 20 % of the tasks and names the center but no slope;
    this solves for it (about 4.12).
    """
    check_fraction("share", share)
    check_fraction("of", of)
    check_fraction("center_quantile", center_quantile)
    if share <= of:
        raise ValueError(f"share must exceed of = {of}; {share} would be no preference at all")
    # An infinitely steep sigmoid is a step at the center: its top `of` holds at most this share.
    most = min(1.0, of / (1.0 - center_quantile))
    if share >= most:
        raise ValueError(
            f"share = {share} on the top {of} cannot be reached with center_quantile = "
            f"{center_quantile}: below {most:g} is possible"
        )
    low, high = 0.0, 1.0
    while _top_share(high, of, center_quantile) < share:
        high *= 2.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        if _top_share(middle, of, center_quantile) < share:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


_EXP_LIMIT = 700.0  # exp(-700) is the smallest power that is still a normal float64


@functools.cache
def _normal_quantile(quantile: float) -> float:
    return statistics.NormalDist().inv_cdf(quantile)


def _top_share(slope: float, of: float, center_quantile: float) -> float:
    """Share of the weight on the top `of` of a normal distribution, by the trapezoidal rule."""
    border = _normal_quantile(1.0 - of)
    center = _normal_quantile(center_quantile)

    def weight(low: float, high: float) -> float:
        z = np.linspace(low, high, 20_001)
        exponent = np.clip(-slope * (z - center), -_EXP_LIMIT, _EXP_LIMIT)
        density = np.exp(-0.5 * z * z) / (1.0 + np.exp(exponent))
        return float((density.sum() - 0.5 * (density[0] + density[-1])) * (z[1] - z[0]))

    top = weight(border, 12.0)
    return top / (top + weight(-12.0, border))

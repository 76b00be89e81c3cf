"""The paper's learning-progress curriculum (paper P1-P4; sections 2.2, B and C)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import check_numbers, check_shape
from lapis.bounds import FRACTION, NOT_NEGATIVE, SHARE, Bound, check, check_choice
from lapis.curriculum import noise
from lapis.curriculum.checks import MOST_COUNTS
from lapis.curriculum.recent import RecentOutcomes
from lapis.curriculum.sampling import proportional_weights, sampling_weights, sigmoid_slope
from lapis.curriculum.teacher import TIME_SCALE, Teacher, follow_success, mix_uniform
from lapis.registry import TeacherSettings

Averaging = Literal["tried_updates", "all_updates"]
Direction = Literal["both", "up"]
Weighting = Literal["sigmoid", "proportional"]
CHANCE = Bound(least=0, below=1)
"""What a random policy achieves: if it always succeeded, nothing would be left to learn."""
_TRACKED_WITH = {
    "noise": "noise_shrinkage > 0",
    "recent_success": "averaging 'all_updates' or optimism > 0",
}
"""Which options make a curriculum track more than both averages."""
_TRACKED_BOUND = {
    "noise": SHARE,
    "graded": SHARE,
    "recent_success": SHARE,
    "recent_attempts": NOT_NEGATIVE,
    "recent_share": SHARE,
}


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
        averaging: Which updates the time scale counts. "tried_updates": those in which the task
            was tried, so a task that is seldom tried has a longer time scale. "all_updates":
            attempts are weighted by their age in updates, so all tasks have the same time scale.
        reweight_threshold: The success probability that reweighting maps to one half; 0.5 turns
            reweighting off.
        weighting: "sigmoid" (the paper's: a sigmoid of the z-scored progress) or "proportional"
            (a task's weight is its progress; the next three arguments are then ignored).
        center_quantile: Quantile of the normal distribution on which the sigmoid is centered.
        share: Share of the sampling weight that goes to the top share `of` of the tasks, if
            progress is normally distributed. Together they set the sigmoid's slope.
        of: See `share`: by default 90 % of the weight goes to the 20 % with the most progress.
        floor: Share of the probability that is spread evenly over all tasks.
        noise_shrinkage: 0 for the paper's rule. A positive number sets progress below that many
            standard deviations of its own sampling noise to zero, and shrinks larger progress. It
            also removes the effect of the averages' start at 0.
        optimism: 0 for the paper's rule. A positive number adds that many standard deviations of
            the uncertainty about the task's current success, which grows while it is not tried.
        random_success: Success of a random policy on each task, shape (task,). Success is then
            measured as (p - random) / (1 - random), never below 0 (OMNI, Zhang et al. 2023).
        interest: Factor that multiplies each task's sampling weight, shape (task,) (OMNI's model of
            interestingness).
    """

    _learned: ClassVar[Mapping[str, Bound]] = {"fast_": SHARE, "slow_": SHARE}

    def __init__(
        self,
        task_count: int,
        *,
        direction: Direction = "both",
        time_scale: float = 1250.0,
        averaging: Averaging = "tried_updates",
        reweight_threshold: float = 0.1,
        weighting: Weighting = "sigmoid",
        center_quantile: float = 0.9,
        share: float = 0.9,
        of: float = 0.2,
        floor: float = 0.0,
        noise_shrinkage: float = 0.0,
        optimism: float = 0.0,
        random_success: ArrayLike | None = None,
        interest: ArrayLike | None = None,
    ) -> None:
        super().__init__(task_count)
        self.direction: Direction = check_choice("direction", direction, get_args(Direction))
        self.time_scale = check("time_scale", time_scale, TIME_SCALE)
        self.averaging: Averaging = check_choice("averaging", averaging, get_args(Averaging))
        self.reweight_threshold = check("reweight_threshold", reweight_threshold, FRACTION)
        self.weighting: Weighting = check_choice("weighting", weighting, get_args(Weighting))
        self.center_quantile = check("center_quantile", center_quantile, FRACTION)
        self.slope = sigmoid_slope(share, of, center_quantile)
        self.floor = check("floor", floor, SHARE)
        self.noise_shrinkage = check("noise_shrinkage", noise_shrinkage, NOT_NEGATIVE)
        self.optimism = check("optimism", optimism, NOT_NEGATIVE)
        self.random_success = None
        if random_success is not None:
            self.random_success = self._per_task("random_success", random_success, CHANCE)
        self.interest = None
        if interest is not None:
            self.interest = self._per_task("interest", interest, NOT_NEGATIVE)
            if not self.interest.any():
                raise ValueError("interest must be positive for at least one task; all are 0")
        self.fast_ = np.zeros(self.task_count)
        self.slow_ = np.zeros(self.task_count)
        self._noise = noise.NoiseModel(self.task_count) if self.noise_shrinkage else None
        self._recent = None
        if self.optimism or self.averaging == "all_updates":
            self._recent = RecentOutcomes(self.task_count, self.time_scale)

    def start_at(self, success: ArrayLike) -> None:
        """Both averages begin at `success`, shape (task,), instead of 0: no progress so far.

        With `noise_shrinkage`, `optimism` or averages over all updates they still begin at 0,
        because these options account for that start.
        """
        known = self._per_task("success", success, SHARE)
        if self._noise is None and self._recent is None:
            self.fast_, self.slow_ = known, known.copy()

    def progress(self) -> np.ndarray:
        """Learning progress of each task, shape (task,), never negative."""
        if self._noise is None:
            progress = self._difference(self.fast_, self.slow_)
        else:
            progress = self._difference(*self._noise.unbiased(self._measured(), self.slow_))
            progress = noise.shrink(progress, self.noise(), self.noise_shrinkage)
        if self.optimism:
            progress += self.optimism * self.uncertainty()
        return progress

    def noise(self) -> np.ndarray:
        """Standard deviation that each task's progress would have if its success did not change."""
        if self._noise is None:
            raise ValueError(f"noise is tracked only with {_TRACKED_WITH['noise']}, not with 0")
        success = self._noise.success(self._measured())
        return self._lifted_deviation(success, self._noise.deviation(success))

    def uncertainty(self) -> np.ndarray:
        """Standard deviation of each task's reweighted success, given its recent attempts.

        A task that has not been tried for a long time may have any success: its deviation is the
        largest.
        """
        if self._recent is None:
            raise ValueError(
                f"recent attempts are tracked only with {_TRACKED_WITH['recent_success']}"
            )
        return self._lifted_deviation(
            *noise.believed_success(self._recent.success_, self._recent.attempts)
        )

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        if self.weighting == "proportional":
            weights = proportional_weights(self.progress())
        else:
            weights = sampling_weights(
                self.progress(), center_quantile=self.center_quantile, slope=self.slope
            )
        if self.interest is not None:
            weights = _times_interest(weights, self.interest)
        weights /= weights.sum()
        return mix_uniform(weights, self.floor)

    def state_dict(self) -> dict[str, Any]:
        """Everything learned so far; a curriculum that loads it continues bit for bit."""
        tracked = self._tracked()
        if "graded" in tracked and not tracked["graded"].any():
            del tracked["graded"]  # There were no scores between 0 and 1.
        return super().state_dict() | {name: each.copy() for name, each in tracked.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Loads a state from `state_dict` of the same class and number of tasks."""
        self._check_kind(state)
        tracked = self._tracked()
        for name, needs in _TRACKED_WITH.items():
            if name in state and name not in tracked:
                raise ValueError(f"state[{name!r}] is given, but is tracked only with {needs}")
        loaded = {
            name: self._loaded(name, each, state, _TRACKED_BOUND[name])
            for name, each in tracked.items()
            if name in state or name != "graded"  # Only saved if there is some.
        }
        factors = loaded.get("noise", np.zeros(0))
        if ((factors > 0.0) & (factors < noise.LEAST_FACTOR)).any():
            raise ValueError(
                f"state['noise'] holds a factor below {noise.LEAST_FACTOR} that is not 0"
            )
        if self._recent is not None:
            most = MOST_COUNTS * loaded["recent_share"]
            if (loaded["recent_attempts"] > most).any():
                raise ValueError("state['recent_attempts'] has more than its updates can have had")
        super().load_state_dict(state)
        for name, array in tracked.items():
            array[...] = loaded.get(name, 0.0)

    def _tracked(self) -> dict[str, np.ndarray]:
        """What options learn besides both averages."""
        tracked: dict[str, np.ndarray] = {}
        if self._noise is not None:
            tracked |= {"noise": self._noise.factors_, "graded": self._noise.graded_}
        if self._recent is not None:
            tracked["recent_success"] = self._recent.success_
            tracked["recent_attempts"] = self._recent.per_update_
            tracked["recent_share"] = self._recent.share_
        return tracked

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        rate, slow_rate, share = self._follow(successes, attempts)
        step = self.fast_ - self.slow_
        step *= slow_rate
        self.slow_ += step
        if self._noise is not None:
            self._noise.update(
                rate, np.maximum(attempts, 1), self._graded, slow_rate=slow_rate, share=share
            )

    def _follow(
        self, successes: np.ndarray, attempts: np.ndarray
    ) -> tuple[np.ndarray, float | np.ndarray, float]:
        """Moves `fast_` by one update.

        Returns how far its measured part moved, how far slow must, and the share of the measured
        part in fast; the rest is the start at 0.
        """
        if self._recent is not None:
            weight = self._recent.update(successes, attempts)
            if self.averaging == "all_updates":
                np.multiply(self._recent.success_, self._recent.share_, out=self.fast_)
                return weight, 1.0 / self.time_scale, float(self._recent.share_[0])
        rate = follow_success(self.fast_, successes, attempts, self.time_scale)
        return rate, rate, 1.0

    def _measured(self) -> np.ndarray:
        """The fast average as the noise model knows it."""
        if self._recent is not None and self.averaging == "all_updates":
            return self._recent.success_
        return self.fast_

    def _difference(self, fast: np.ndarray, slow: np.ndarray) -> np.ndarray:
        return _difference(self._lifted(fast), self._lifted(slow), self.direction)

    def _lifted_deviation(self, success: np.ndarray, deviation: np.ndarray) -> np.ndarray:
        """Half of what success one deviation above and one below differ by after reweighting.

        Unlike the tangent this stays right where few attempts make the interval wide.
        """
        above = self._lifted(np.minimum(success + deviation, 1.0))
        below = self._lifted(np.maximum(success - deviation, 0.0))
        return 0.5 * (above - below)

    def _per_task(self, name: str, values: ArrayLike, bound: Bound) -> np.ndarray:
        numbers = check_numbers(name, values, bound)
        check_shape(name, numbers, (self.task_count,))
        return numbers.copy()

    def _lifted(self, success: np.ndarray) -> np.ndarray:
        """Success beyond chance, reweighted."""
        if self.random_success is not None:
            success = _beyond(success, self.random_success)
        return _reweight(success, self.reweight_threshold)


@dataclass(frozen=True, kw_only=True)
class LearningProgressConfig(TeacherSettings):
    """Goals whose success is changing (paper P1-P4)."""

    direction: Direction = "both"
    """Whether progress counts in both directions, or only upward (paper P2)."""
    time_scale: Annotated[float, TIME_SCALE] = 1250.0
    """Time scale of the success averages [updates] (paper P1)."""
    averaging: Averaging = "tried_updates"
    """Which updates the time scale counts: those in which a goal was tried, or all of them."""
    reweight_threshold: Annotated[float, FRACTION] = 0.1
    """Success probability that reweighting maps to one half (paper P3); 0.5: no reweighting."""
    weighting: Weighting = "sigmoid"
    """Samples by a sigmoid of the z-scored progress (paper P4), or in proportion to progress."""
    floor: Annotated[float, SHARE] = 0.0
    """Share of the probability that is spread evenly over all goals. The paper has none."""
    noise_shrinkage: Annotated[float, NOT_NEGATIVE] = 0.0
    """Progress smaller than this many standard deviations of its noise counts as zero; 0 is the
    paper's rule."""
    optimism: Annotated[float, NOT_NEGATIVE] = 0.0
    """Adds this many standard deviations of the uncertainty about a goal's current success; 0 is
    the paper's rule."""

    def build(self, task_count: int) -> LearningProgress:
        """A teacher of `task_count` tasks."""
        return LearningProgress(task_count, **vars(self))


def reweight(success: ArrayLike, threshold: float = 0.1) -> np.ndarray:
    """Maps success probabilities so that differences at low ones grow (paper P3, appendix B).

    f(p) = (1 - t) p / (p + t (1 - 2 p)); f(0) = 0, f(t) = 1/2, f(1) = 1.
    """
    return _reweight(
        check_numbers("success", success, SHARE), check("threshold", threshold, FRACTION)
    )


def reweight_slope(success: ArrayLike, threshold: float = 0.1) -> np.ndarray:
    """Derivative of `reweight`: t (1 - t) / (p + t (1 - 2 p))^2."""
    p = check_numbers("success", success, SHARE)
    t = check("threshold", threshold, FRACTION)
    return t * (1.0 - t) / np.square(p * (1.0 - t) + t * (1.0 - p))


def beyond_random(success: ArrayLike, random_success: ArrayLike) -> np.ndarray:
    """Success beyond what chance gives: max(p - random, 0) / (1 - random) (OMNI)."""
    p = check_numbers("success", success, SHARE)
    chance = check_numbers("random_success", random_success, CHANCE)
    check_shape("random_success", chance, p.shape)
    return _beyond(p, chance)


def learning_progress(
    fast: ArrayLike, slow: ArrayLike, direction: Direction = "both"
) -> np.ndarray:
    """|fast - slow|, or with direction "up" max(0, fast - slow) (paper P2)."""
    fast, slow = check_numbers("fast", fast, SHARE), check_numbers("slow", slow, SHARE)
    check_shape("slow", slow, fast.shape)
    return _difference(fast, slow, check_choice("direction", direction, get_args(Direction)))


def _reweight(p: np.ndarray, t: float) -> np.ndarray:
    # The denominator p + t (1 - 2 p) as a sum of two numbers that are never negative: no
    # cancellation, no division by zero, and no result above 1, for any t and p.
    rise = np.asarray((1.0 - t) * p)
    rest = np.asarray(1.0 - p)
    rest *= t
    rest += rise
    rise /= rest
    return rise


def _beyond(p: np.ndarray, chance: np.ndarray) -> np.ndarray:
    return np.maximum(p - chance, 0.0) / (1.0 - chance)


def _difference(fast: np.ndarray, slow: np.ndarray, direction: Direction) -> np.ndarray:
    change = np.asarray(fast - slow)
    if direction == "both":
        return np.abs(change, out=change)
    return np.maximum(change, 0.0, out=change)


def _times_interest(weights: np.ndarray, interest: np.ndarray) -> np.ndarray:
    """Products up to a common factor; as sums of logarithms they cannot all underflow.

    Where every task of interest has weight 0, which a sigmoid never gives, interest decides alone.
    """
    positive = (interest > 0.0) & (weights > 0.0)
    if not positive.any():
        return interest / interest.max()
    logarithm = np.full_like(weights, -np.inf)
    np.log(interest, where=positive, out=logarithm)
    np.add(logarithm, np.log(weights, where=positive, out=np.zeros_like(weights)), out=logarithm)
    return np.exp(logarithm - logarithm.max())

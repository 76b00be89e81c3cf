"""Prioritized Level Replay (Jiang et al. 2021): rank of the prediction error, and staleness."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from lapis.arrays import FINITE, check_numbers, check_per_task, check_shape
from lapis.bounds import NOT_NEGATIVE, SHARE, Bound, check, check_choice
from lapis.curriculum.checks import COUNTED
from lapis.curriculum.teacher import TIME_SCALE, Teacher, follow_success, mix_uniform
from lapis.registry import TeacherSettings

ErrorOf = Literal["mean", "attempt"]


class RankStaleness(Teacher):
    """Samples tasks whose last outcome was predicted worst, and tasks not tried for a long time.

    Jiang et al. 2021, section 3: levels seen before are drawn from
    (1 - rho) P_score + rho P_stale, where P_score goes with (1 / rank)^(1 / beta) and P_stale
    with the time since the level was last drawn. Levels not seen yet get a share equal to their
    number's share of all levels, evenly. Their score is the mean L1 loss of the value function;
    counts contain no value function, so a task's success average is the predictor instead.

    Args:
        task_count: Number of tasks.
        settings: Fields of `RankStalenessConfig`.
    """

    _learned: ClassVar[Mapping[str, Bound]] = {
        "success_": SHARE,
        "score_": SHARE,
        "staleness_": COUNTED,
        "seen_": SHARE,
    }

    def __init__(self, task_count: int, **settings: Any) -> None:
        super().__init__(task_count)
        self.settings = RankStalenessConfig(**settings)
        self.success_ = np.zeros(self.task_count)
        self.score_ = np.zeros(self.task_count)
        self.staleness_ = np.zeros(self.task_count, np.int64)
        self.seen_ = np.zeros(self.task_count, bool)

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        seen = self.seen_
        # Unseen tasks share their number's share of all tasks: 1 / task_count for each.
        probabilities = np.full(self.task_count, 1.0 / self.task_count)
        if seen.any():
            by_score = rank_probabilities(self.score_[seen], self.settings.temperature)
            by_staleness = stale_probabilities(self.staleness_[seen])
            share = self.settings.staleness
            replay = (1.0 - share) * by_score + share * by_staleness
            probabilities[seen] = replay * (np.count_nonzero(seen) / self.task_count)
        return mix_uniform(probabilities, self.settings.floor)

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        tried = attempts > 0
        mean = successes / np.maximum(attempts, 1)
        error = _error(mean, self.success_, self.settings.error)
        self.score_ = np.where(tried, error, self.score_)
        follow_success(self.success_, successes, attempts, self.settings.time_scale)
        self.staleness_ = np.where(tried, 0, self.staleness_ + 1)
        self.seen_ = self.seen_ | tried


@dataclass(frozen=True, kw_only=True)
class RankStalenessConfig(TeacherSettings):
    """Goals whose outcome was predicted worst, and goals not tried for a long time."""

    temperature: Annotated[float, NOT_NEGATIVE] = 0.1
    """The authors' beta: 0 puts all weight on the first rank; larger values are more even."""
    staleness: Annotated[float, SHARE] = 0.1
    """Share that goes to goals not tried for a long time, the authors' rho."""
    time_scale: Annotated[float, TIME_SCALE] = 1250.0
    """Time scale of the success average [updates], which starts at 0."""
    error: ErrorOf = "mean"
    """Error of the mean outcome of an update, or mean of the errors of its attempts. The latter is
    closer to the authors' loss, but stays at 2 p (1 - p) however well the success p is known."""
    floor: Annotated[float, SHARE] = 0.0
    """Share of the probability that is spread evenly over all goals. The authors have none."""

    def build(self, task_count: int) -> RankStaleness:
        """A teacher of `task_count` tasks."""
        return RankStaleness(task_count, **vars(self))


def prediction_error(mean: ArrayLike, predicted: ArrayLike, error: ErrorOf = "mean") -> np.ndarray:
    """How wrong the predicted success was.

    "mean": |m - q| for the mean outcome m and the prediction q; "attempt": |outcome - q| averaged
    over attempts, m (1 - q) + (1 - m) q.
    """
    m = check_numbers("mean", mean, SHARE)
    q = check_numbers("predicted", predicted, SHARE)
    check_shape("predicted", q, m.shape)
    return _error(m, q, check_choice("error", error, get_args(ErrorOf)))


def _error(m: np.ndarray, q: np.ndarray, error: ErrorOf) -> np.ndarray:
    if error == "mean":
        return np.abs(m - q)
    return m * (1.0 - q) + (1.0 - m) * q


def rank_probabilities(score: ArrayLike, temperature: float) -> np.ndarray:
    """(1 / rank)^(1 / temperature), normalized; the greatest score has rank 1.

    Tasks with equal scores share the probability of the ranks that they occupy. (The authors' code
    breaks ties by index, which prefers some tasks for no reason.) A temperature of 0 is the limit.
    """
    score = check_per_task("score", score, FINITE)
    exponent = -1.0 / temperature if check("temperature", temperature, NOT_NEGATIVE) else -math.inf
    by_rank = np.arange(1.0, score.size + 1.0) ** exponent
    by_rank /= by_rank.sum()
    order = np.argsort(-score)
    ranked = score[order]
    start = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    group_size = np.diff(np.append(start, score.size))
    shared = np.add.reduceat(by_rank, start) / group_size
    probabilities = np.empty_like(score)
    probabilities[order] = np.repeat(shared, group_size)
    return probabilities


def stale_probabilities(staleness: ArrayLike) -> np.ndarray:
    """Proportional to the updates since each task was last tried; uniform if all are 0."""
    staleness = check_per_task("staleness", staleness, Bound(least=0, most=1e100))
    if not staleness.any():
        return np.full(staleness.size, 1.0 / staleness.size)
    return staleness / staleness.sum()

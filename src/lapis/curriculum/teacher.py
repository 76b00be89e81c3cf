"""What every curriculum shares: counting outcomes, sampling tasks, saving and loading."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lapis.curriculum.checks import check_outcomes, check_task_count, check_whole


class Tracker:
    """Learns from the outcomes of attempts: two vectors of counts per update and nothing else.

    A subclass writes `_learn` (takes in checked counts) and names the arrays that it learns in
    `_learnt`.
    """

    _learnt: ClassVar[tuple[str, ...]] = ()
    """Names of the attributes that hold what is learnt; they end in an underscore."""

    def __init__(self, task_count: int) -> None:
        self.task_count = check_task_count(task_count)
        self._recorded = np.zeros((2, self.task_count), np.int64)

    def update(self, successes: ArrayLike | None = None, attempts: ArrayLike | None = None) -> None:
        """Takes in the counts per task since the last update, and what `record` has buffered.

        Args:
            successes: Attempts that succeeded, shape (task,), whole numbers or booleans.
            attempts: Attempts that ended, shape (task,). A task without attempts learns nothing
                from this update (paper P1): it counts neither as failed nor as solved.
        """
        if (successes is None) != (attempts is None):
            raise ValueError("update needs both successes and attempts, or neither after record()")
        recorded = self._recorded
        if successes is None:
            self._learn(recorded[0], recorded[1])
        else:
            succeeded, tried = check_outcomes(successes, attempts, self.task_count)
            self._learn(succeeded + recorded[0], tried + recorded[1])
        self._recorded = np.zeros_like(recorded)

    def record(self, task: int, success: bool) -> None:
        """Buffers one attempt's outcome; the next `update` takes it in."""
        task = check_whole("task", task, 0)
        if task >= self.task_count:
            raise ValueError(f"task must be below task_count = {self.task_count}, not {task}")
        if success not in (0, 1):  # True and False are 1 and 0
            raise ValueError(f"success must be True or False, not {success!r}")
        self._recorded[0, task] += int(success)
        self._recorded[1, task] += 1

    def state_dict(self) -> dict[str, Any]:
        """What has been learnt, in full: whoever loads it continues bit for bit."""
        arrays = {name: getattr(self, name).copy() for name in self._learnt}
        return {
            "class": type(self).__name__,
            "task_count": self.task_count,
            "recorded": self._recorded.copy(),
            **arrays,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes over a state that `state_dict` of the same class and size has given."""
        if state.get("class") != type(self).__name__:
            raise ValueError(
                f"state is of class {state.get('class')!r}; this is a {type(self).__name__}"
            )
        if state.get("task_count") != self.task_count:
            raise ValueError(
                f"state has task_count {state.get('task_count')!r}; this has {self.task_count}"
            )
        loaded = {"_recorded": self._loaded("recorded", self._recorded, state)}
        for name in self._learnt:
            loaded[name] = self._loaded(name, getattr(self, name), state)
        for name, array in loaded.items():
            setattr(self, name, array)

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        raise NotImplementedError

    @staticmethod
    def _loaded(name: str, current: np.ndarray, state: dict[str, Any]) -> np.ndarray:
        if name not in state:
            raise ValueError(f"state lacks {name!r}; was it saved with other options?")
        array = np.asarray(state[name])
        if array.shape != current.shape or array.dtype.kind != current.dtype.kind:
            raise ValueError(
                f"state[{name!r}] is {array.dtype} of shape {array.shape}; "
                f"expected {current.dtype} of shape {current.shape}"
            )
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"state[{name!r}] holds values that are not finite")
        return array.astype(current.dtype, copy=True)


class Teacher(Tracker):
    """A tracker that chooses tasks: a subclass also writes `probabilities`."""

    def probabilities(self) -> np.ndarray:
        """The probability of each task to be sampled now, shape (task,), sum 1."""
        raise NotImplementedError

    def sample(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draws `count` tasks independently, int64, shape (count,)."""
        count = check_whole("count", count, 0)
        probabilities = self.probabilities()
        if self.task_count <= count:
            # A shuffled multinomial is the same distribution and three times as fast when there
            # are more draws than tasks.
            tasks = np.repeat(np.arange(self.task_count), rng.multinomial(count, probabilities))
            rng.shuffle(tasks)
            return tasks
        upper = np.cumsum(probabilities)
        tasks = upper.searchsorted(rng.random(count) * upper[-1], side="right")
        return np.minimum(tasks, self.task_count - 1)


def mix_uniform(probabilities: np.ndarray, share: float) -> np.ndarray:
    """Gives `share` of the probability to all tasks alike and the rest as it was."""
    if share == 0.0:
        return probabilities
    return (1.0 - share) * probabilities + share / probabilities.size


def follow_success(
    average: np.ndarray, successes: np.ndarray, attempts: np.ndarray, time_scale: float
) -> np.ndarray:
    """Moves `average` in place towards each tried task's mean outcome (paper P1).

    average += (mean - average) / time_scale where attempts > 0; returns the rate of each task,
    1 / time_scale or 0.
    """
    rate = (attempts > 0) / time_scale
    average += rate * (successes / np.maximum(attempts, 1) - average)
    return rate

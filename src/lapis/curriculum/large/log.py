"""The last outcomes, kept so that new groups of tasks can learn from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from lapis.curriculum.checks import MOST_COUNTS


class OutcomeLog:
    """A ring of the last outcomes, an entry per task and update.

    Args:
        length: Number of entries.
    """

    def __init__(self, length: int) -> None:
        self.task_, self.tries_, self.update_ = np.zeros((3, length), np.int64)
        self.won_ = np.zeros(length)
        self.next_ = np.zeros(1, np.int64)
        """Entries written so far."""

    @classmethod
    def loaded(cls, arrays: Mapping[str, np.ndarray], task_count: int) -> OutcomeLog:
        """A log of saved arrays, which are checked."""
        log = cls(0)
        for name in vars(log):
            setattr(log, name, arrays[name])
        if (log.task_ >= task_count).any():
            raise ValueError(f"state['log_task_'] has a task that is not below {task_count}")
        if (log.won_ > log.tries_).any():
            raise ValueError("state['log_won_'] has more successes than state['log_tries_']")
        if np.count_nonzero(log.update_) != min(int(log.next_[0]), log.task_.size):
            raise ValueError("state['log_update_'] must have as many entries as state['log_next_']")
        if (log.tries_ > MOST_COUNTS * (log.update_ > 0)).any():
            raise ValueError("state['log_tries_'] has attempts where there is no update")
        return log

    def append(self, task: np.ndarray, won: np.ndarray, tries: np.ndarray) -> None:
        """Adds an update; of more entries than there is room for the last ones stay."""
        length = self.task_.size
        first = int(self.next_[0])
        kept = slice(max(0, task.size - length), None)
        place = (first + np.arange(task.size)[kept]) % length
        newest = int(self.update_[(first - 1) % length])
        self.task_[place], self.won_[place], self.tries_[place] = task[kept], won[kept], tries[kept]
        self.update_[place] = newest + 1
        self.next_ += task.size

    def entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Tasks, successes, attempts and updates of all entries, the oldest first."""
        length, end = self.task_.size, int(self.next_[0])
        place = np.arange(max(0, end - length), end) % length
        return self.task_[place], self.won_[place], self.tries_[place], self.update_[place]

    def updates(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Tasks, successes and attempts of each update, the oldest first."""
        task, won, tries, update = self.entries()
        edges = np.flatnonzero(np.diff(update)) + 1
        yield from zip(
            np.split(task, edges), np.split(won, edges), np.split(tries, edges), strict=True
        )

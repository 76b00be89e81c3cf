"""Outcomes weighted by their age in updates, however many attempts an update brings.

The paper's averages move only in updates in which a task was tried. So a task that is tried in one
of ten updates has a time scale ten times as long as stated. Here an attempt k updates ago has the
weight (1 - 1 / time_scale)^k, for every task, and all attempts of one update weigh the same.
"""

from __future__ import annotations

import numpy as np


class RecentOutcomes:
    """Mean outcome of each task and its attempts per update, both weighted by age.

    `success_` is the mean outcome, 0 before the first attempt; a task keeps it for as long as it is
    not tried. `per_update_` are the attempts per update. Both have shape (task,). `share_`, of
    shape (1,), is the weight of all updates so far, 1 - (1 - 1 / time_scale)^updates: one minus
    what is left of the time before them.
    """

    def __init__(self, task_count: int, time_scale: float) -> None:
        self.time_scale = time_scale
        self.success_ = np.zeros(task_count)
        self.per_update_ = np.zeros(task_count)
        self.share_ = np.zeros(1)

    @property
    def attempts(self) -> np.ndarray:
        """Attempts that the mean rests on, shape (task,); they fade while a task is not tried.

        As many equally weighted ones would have its variance, if they came evenly.
        """
        return (2.0 * self.time_scale - 1.0) * self.per_update_

    def update(self, successes: np.ndarray, attempts: np.ndarray) -> np.ndarray:
        """Adds the counts of one update; returns the weight that they have in the mean."""
        success, per_update = self.success_, self.per_update_
        rate = 1.0 / self.time_scale
        per_update *= 1.0 - rate
        # What nobody can measure any more; arithmetic on the smallest numbers is slow.
        per_update[per_update < _NOTHING] = 0.0
        new = rate * attempts
        per_update += new
        weight = np.divide(new, per_update, where=attempts > 0, out=new)
        step = successes / np.maximum(attempts, 1)
        step -= success
        step *= weight
        success += step
        self.share_ += rate * (1.0 - self.share_)
        return weight


_NOTHING = 1e-200

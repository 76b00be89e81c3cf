"""Learning progress as a function of what is known of a task (paper P31: future work)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lapis.bounds import Bound, check
from lapis.curriculum.large.grouped import GroupedProgress
from lapis.curriculum.large.rule import LargeRule, checked_features

NEAR = Bound(least=2, most=64, whole=True)


class FunctionProgress(GroupedProgress):
    """Samples the tasks at which a function of success, fitted to all attempts, is changing.

    The function is a local average of outcomes: each of a few hundred basis functions of the
    features is greatest at a center and falls to 0 among the centers around it, and has averages of
    the outcomes there, weighted by it. Between centers, their values are mixed in proportion. So a
    task that was never tried has success and progress if similar tasks have. This is to clusters
    what a smooth curve is to a histogram. Like clusters, centers move when some features turn out
    to have less to do with success than others.

    Args:
        task_count: Number of tasks.
        features: What is known of each task, shape (task, feature); units do not matter.
            May be left out if there are no more tasks than centers.
        center_count: Number of basis functions, at most.
        near_count: Basis functions that are not 0 at a task.
        rule: How progress becomes probability; the fields of `LargeRule`.
    """

    def __init__(
        self,
        task_count: int,
        features: ArrayLike | None = None,
        *,
        center_count: int = 1024,
        near_count: int = 4,
        **rule: Any,
    ) -> None:
        near_count = check("near_count", near_count, NEAR)
        super().__init__(task_count, features, center_count, near_count, LargeRule(**rule))

    def success(self, features: ArrayLike) -> np.ndarray:
        """Current success of described tasks, tried or not, shape (row,)."""
        return self._at(self._slopes.success(), features)

    def progress(self, features: ArrayLike) -> np.ndarray:
        """Progress that is certain, of described tasks, tried or not, shape (row,).

        In reweighted success per `memory` attempts.
        """
        return self._at(self.group_progress(), features)

    def _at(self, values: np.ndarray, features: ArrayLike) -> np.ndarray:
        """What the values at the centers are in between."""
        if self._features is None or self._centers is None:
            raise ValueError("a function of the features needs features; there are none")
        near, share = self._basis(checked_features(features, None, self._features.shape[1]))
        return (values[near] * share).sum(axis=1)

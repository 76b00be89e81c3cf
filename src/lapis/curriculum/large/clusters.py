"""Learning progress of clusters of tasks (paper P30: the paper's future work)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lapis.curriculum.large.grouped import GroupedProgress
from lapis.curriculum.large.rule import LargeRule


class ClusteredProgress(GroupedProgress):
    """Samples the clusters of tasks whose success is changing, and evenly within a cluster.

    Tasks with like features form a cluster; where there are no more tasks than clusters, each task
    is one. Clusters are made anew, from the outcomes so far, when these show that some features
    have less to do with success than others. A cluster has the two averages of the paper's rule
    (paper P1) over several memories, which count attempts and not updates: a cluster that is
    seldom tried looks back further. Scores count as noisy as successes and failures.

    Args:
        task_count: Number of tasks.
        features: What is known of each task, shape (task, feature). Units do not matter: columns
            are scaled to equal spread. May be left out if there are no more tasks than clusters.
        cluster_count: Number of clusters, at most.
        rule: How progress becomes probability; the fields of `LargeRule`.
    """

    def __init__(
        self,
        task_count: int,
        features: ArrayLike | None = None,
        *,
        cluster_count: int = 1024,
        **rule: Any,
    ) -> None:
        super().__init__(task_count, features, cluster_count, 1, LargeRule(**rule))

    @property
    def cluster(self) -> np.ndarray:
        """The cluster of each task now, shape (task,)."""
        return self._near[:, 0]

    def progress(self) -> np.ndarray:
        """By how much each cluster changes for sure, shape (cluster,).

        Reweighted success per `memory` attempts; 0 where it may be noise.
        """
        return self.group_progress()

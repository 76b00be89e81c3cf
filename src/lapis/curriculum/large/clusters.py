"""Learning progress of clusters of tasks (paper P30: the paper's future work)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lapis.curriculum.large.grouped import GroupedProgress
from lapis.curriculum.large.rule import LargeRule


class ClusteredProgress(GroupedProgress):
    """Samples the clusters of tasks whose success is changing, and evenly within a cluster.

    Tasks with similar features form a cluster; with no more tasks than clusters, each task is its
    own cluster. When the outcomes show that some features have less to do with success than others,
    clusters are computed again. A cluster has the two averages of the paper's rule (paper P1) for
    each of several memories. These count attempts, not updates, so a cluster that is seldom tried
    looks back further. Scores are taken to be as noisy as successes and failures.

    Args:
        task_count: Number of tasks.
        features: What is known of each task, shape (task, feature). Units do not matter: columns
            are scaled to equal spread. Not needed with no more tasks than clusters.
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
        """The least change of each cluster that is certain, shape (cluster,).

        In reweighted success per `memory` attempts; 0 where it may be noise.
        """
        return self.group_progress()

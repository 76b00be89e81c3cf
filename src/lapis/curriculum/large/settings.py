"""Settings of the curricula over described tasks, by which the trainer makes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from lapis.curriculum.large.centers import CENTERS
from lapis.curriculum.large.clusters import ClusteredProgress
from lapis.curriculum.large.function import FunctionProgress
from lapis.curriculum.large.rule import LargeRule
from lapis.registry import TeacherSettings


@dataclass(frozen=True, kw_only=True)
class ClustersConfig(TeacherSettings):
    """Learning progress of clusters of tasks (paper P30)."""

    cluster_count: Annotated[int, CENTERS] = 256
    """Number of clusters, at most."""
    rule: LargeRule = field(default_factory=LargeRule)
    """How progress becomes probability."""

    def build(self, task_count: int) -> ClusteredProgress:
        """A teacher of no more tasks than clusters, of which nothing is known."""
        return self._made(task_count, None)

    def build_described(self, features: np.ndarray) -> ClusteredProgress:
        """A teacher of tasks with these features, shape (task, feature)."""
        return self._made(len(features), features)

    def _made(self, task_count: int, features: np.ndarray | None) -> ClusteredProgress:
        return ClusteredProgress(
            task_count, features, cluster_count=self.cluster_count, **vars(self.rule)
        )


@dataclass(frozen=True, kw_only=True)
class FunctionConfig(TeacherSettings):
    """Learning progress as a function of what is known of a task (paper P31)."""

    center_count: Annotated[int, CENTERS] = 256
    """Number of basis functions, at most."""
    rule: LargeRule = field(default_factory=LargeRule)
    """How progress becomes probability."""

    def build(self, task_count: int) -> FunctionProgress:
        """A teacher of no more tasks than centers, of which nothing is known."""
        return self._made(task_count, None)

    def build_described(self, features: np.ndarray) -> FunctionProgress:
        """A teacher of tasks with these features, shape (task, feature)."""
        return self._made(len(features), features)

    def _made(self, task_count: int, features: np.ndarray | None) -> FunctionProgress:
        return FunctionProgress(
            task_count, features, center_count=self.center_count, **vars(self.rule)
        )

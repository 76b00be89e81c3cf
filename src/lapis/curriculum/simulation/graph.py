"""Tasks that build on each other: a chain, a tree, or any graph without cycles."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from lapis.bounds import COUNT, Bound, check, require

TASKS = Bound(least=1, most=10_000, whole=True)
"""Who needs whom is kept for every pair of tasks."""


@dataclasses.dataclass(frozen=True)
class TaskGraph:
    """Which tasks must be known before which, and which tasks are practiced in the same place.

    Args:
        prerequisites: For each task the indices of its direct prerequisites.
        groups: For each task the index of its group. Practice of one task of a group keeps the
            others alive; practice elsewhere lets them be forgotten.
    """

    prerequisites: tuple[tuple[int, ...], ...]
    groups: tuple[int, ...]

    def __post_init__(self) -> None:
        for name, value in (("prerequisites", self.prerequisites), ("groups", self.groups)):
            require(isinstance(value, tuple), name, value, "a tuple with an entry for each task")
        count = check("task_count", len(self.prerequisites), TASKS)
        if len(self.groups) != count:
            raise ValueError(f"groups must have one entry per task ({count}), not {self.groups!r}")
        for task, needed in enumerate(self.prerequisites):
            name = f"prerequisites[{task}]"
            require(isinstance(needed, tuple), name, needed, "a tuple of tasks")
            for other in needed:
                check(name, other, Bound(least=0, below=count, whole=True))
        if self._ancestors().diagonal().any():
            task = int(self._ancestors().diagonal().argmax())
            raise ValueError(f"prerequisites must have no cycle; task {task} needs itself")

    @classmethod
    def from_names(
        cls, prerequisites: dict[str, Sequence[str]], groups: dict[str, str]
    ) -> TaskGraph:
        """The graph of named tasks, in the order of `prerequisites`; a group per name."""
        index = {name: task for task, name in enumerate(prerequisites)}
        for name, needed in prerequisites.items():
            unknown = [other for other in needed if other not in index]
            if unknown or name not in groups:
                raise ValueError(f"task {name!r} has no group or needs unknown tasks {unknown}")
        labels = {label: group for group, label in enumerate(dict.fromkeys(groups.values()))}
        return cls(
            tuple(tuple(index[other] for other in needed) for needed in prerequisites.values()),
            tuple(labels[groups[name]] for name in prerequisites),
        )

    @property
    def task_count(self) -> int:
        """Number of tasks."""
        return len(self.prerequisites)

    def closure(self) -> np.ndarray:
        """Whether an attempt at the row's task leads through the column's, bool, (task, task).

        True for the task itself and for its direct and indirect prerequisites.
        """
        return self._ancestors() | np.eye(self.task_count, dtype=bool)

    def same_group(self) -> np.ndarray:
        """Whether two tasks are of one group, bool, shape (task, task)."""
        groups = np.asarray(self.groups)
        return groups[:, None] == groups[None, :]

    def padded_prerequisites(self) -> np.ndarray:
        """Direct prerequisites, shape (slot, task); unused slots hold `task_count`."""
        slots = max(1, *map(len, self.prerequisites)) if self.task_count > 1 else 1
        padded = np.full((slots, self.task_count), self.task_count)
        for task, needed in enumerate(self.prerequisites):
            padded[: len(needed), task] = needed
        return padded

    def _ancestors(self) -> np.ndarray:
        direct = np.zeros((self.task_count, self.task_count), dtype=bool)
        for task, needed in enumerate(self.prerequisites):
            direct[task, list(needed)] = True
        reached = direct
        while True:
            further = reached | (reached @ direct)
            if (further == reached).all():
                return reached
            reached = further


def chain(length: int, group_size: int | None = None) -> TaskGraph:
    """Tasks 0 to length - 1, each the prerequisite of the next (paper section 2.1).

    Each `group_size` tasks in order are a group; None makes one group of all.
    """
    length = check("task_count", length, TASKS)
    size = length if group_size is None else check("group_size", group_size, COUNT)
    return TaskGraph(
        tuple((task - 1,) if task else () for task in range(length)),
        tuple(task // size for task in range(length)),
    )


def tree(branching: int, depth: int) -> TaskGraph:
    """A root and `depth` levels below it, each task the prerequisite of `branching` others.

    Each branch below the root is a group; the root belongs to the first.
    """
    branching = check("branching", branching, TASKS)
    most_depth = 13 if branching > 1 else 9_999  # 2^14 tasks are too many
    depth = check("depth", depth, Bound(least=0, most=most_depth, whole=True))
    count = check("task_count", sum(branching**level for level in range(depth + 1)), TASKS)
    parent = [(task - 1) // branching for task in range(count)]
    groups = [0]
    for task in range(1, count):
        groups.append(task - 1 if parent[task] == 0 else groups[parent[task]])
    return TaskGraph(tuple((parent[task],) if task else () for task in range(count)), tuple(groups))

"""Large task spaces whose truth is known: many described tasks, few skills behind them.

A space has 10^3 skills and any number of tasks. Each task exercises one skill, which teachers do
not know; they only see the task's features. A third of the tasks is junk: impossible, or noisy,
that is, with a success that no practice changes.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable

import numpy as np

from lapis.bounds import COUNT, SEED, SHARE, Bound, check

TASKS = Bound(least=1, most=10**8, whole=True)
SIDE = Bound(least=2, most=1000, whole=True)


class Kind(enum.IntEnum):
    """What a skill's tasks are."""

    LEARNABLE = 0
    IMPOSSIBLE = 1
    NOISY = 2


@dataclasses.dataclass(frozen=True, kw_only=True)
class SkillSpace:
    """Tasks, what is known of them, and the truth behind them.

    A skill is open once one of its neighbors is known; roots are open from the start.
    """

    features: np.ndarray
    """What is known of each task, shape (task, feature)."""
    skill: np.ndarray
    """The skill of each task, shape (task,)."""
    ceiling: np.ndarray
    """Best possible success of each task, shape (task,); of noisy tasks the success at all times,
    of impossible ones 0."""
    neighbors: np.ndarray
    """The skills that open each skill, shape (skill, slot); unused slots hold the skill count."""
    kind: np.ndarray
    """What each skill is, a `Kind`, shape (skill,)."""
    is_root: np.ndarray
    """Whether each skill is open from the start, shape (skill,)."""

    @property
    def task_count(self) -> int:
        """Number of tasks."""
        return self.skill.size

    @property
    def skill_count(self) -> int:
        """Number of skills."""
        return self.kind.size

    @property
    def is_learnable(self) -> np.ndarray:
        """Whether each task can be learned, shape (task,)."""
        return self.kind[self.skill] == Kind.LEARNABLE


def skill_tree(
    task_count: int, seed: int = 0, *, skill_count: int = 1000, junk: float = 1 / 3
) -> SkillSpace:
    """Skills that branch off from others; tasks are described as texts are, by embeddings.

    Each skill hangs below one of the 60 before it, so the tree is some 30 levels deep. Its center
    is one random step away from that of the skill above, in 16 dimensions; a task lies a third of
    such a step from its center. Whole branches are junk.
    """
    rng = np.random.default_rng(check("seed", seed, SEED))
    skill_count = check("skill_count", skill_count, COUNT)
    junk = check("junk", junk, SHARE)
    above = np.array([rng.integers(max(0, k - 60), k) if k else 0 for k in range(skill_count)])
    steps = rng.normal(size=(skill_count, 16)) / 4.0
    centers = np.zeros((skill_count, 16))
    size = np.ones(skill_count, np.int64)
    for skill in range(1, skill_count):
        centers[skill] = centers[above[skill]] + steps[skill]
    for skill in range(skill_count - 1, 0, -1):
        size[above[skill]] += size[skill]

    kind = np.zeros(skill_count, np.int64)
    wanted = round(junk * skill_count)
    for skill in rng.permutation(np.arange(1, skill_count)):
        missing = wanted - np.count_nonzero(kind)
        if kind[skill] or size[skill] > min(missing, max(3, skill_count // 30)):
            continue
        branch = np.zeros(skill_count, bool)
        branch[skill] = True
        for below in range(skill + 1, skill_count):
            branch[below] = branch[above[below]]
        kind[branch & (kind == 0)] = rng.integers(1, 3)

    neighbors = above[:, None].copy()
    neighbors[0] = skill_count
    skill = rng.integers(skill_count, size=check("task_count", task_count, TASKS))
    spread = rng.normal(size=(skill.size, 16)) / 12.0
    return _space(centers[skill] + spread, skill, neighbors, kind, np.arange(skill_count) == 0, rng)


def skill_grid(
    task_count: int, seed: int = 0, *, side: int = 32, dimensions: int = 2, junk: float = 1 / 3
) -> SkillSpace:
    """A square, or a cube and so on, of skills that open from one corner; features are places.

    Each cell is a skill, opened by the cells next to it. Balls of cells are junk, and so is what
    they cut off.
    """
    return _box(task_count, seed, side, dimensions, 0, junk)


def skill_box(task_count: int, seed: int = 0, *, side: int = 10, junk: float = 1 / 3) -> SkillSpace:
    """Tasks of five numbers, of which the first three decide: cells of a cube of skills.

    As `skill_grid` in three dimensions; two further numbers mean nothing.
    """
    return _box(task_count, seed, side, 3, 2, junk)


SPACES: dict[str, Callable[..., SkillSpace]] = {
    "tree": skill_tree,
    "grid": skill_grid,
    "box": skill_box,
}
"""The test beds by name."""


def _box(
    task_count: int, seed: int, side: int, dimensions: int, extra: int, junk: float
) -> SkillSpace:
    rng = np.random.default_rng(check("seed", seed, SEED))
    side = check("side", side, SIDE)
    dimensions = check("dimensions", dimensions, Bound(least=1, most=6, whole=True))
    junk = check("junk", junk, SHARE)
    shape = (side,) * dimensions
    skill_count = check("skill_count", side**dimensions, TASKS)
    place = np.stack(np.unravel_index(np.arange(skill_count), shape), axis=1)
    neighbors = np.full((skill_count, 2 * dimensions), skill_count)
    for axis in range(dimensions):
        for slot, move in enumerate((-1, 1)):
            other = place.copy()
            other[:, axis] += move
            inside = (other[:, axis] >= 0) & (other[:, axis] < side)
            index = np.ravel_multi_index(tuple(other[inside].T), shape)
            neighbors[inside, 2 * axis + slot] = index

    kind = np.zeros(skill_count, np.int64)
    is_root = np.asarray((place < 1).all(axis=1))
    while True:
        reached = _reachable(neighbors, is_root, kind == Kind.LEARNABLE)
        kind[~reached & (kind == Kind.LEARNABLE)] = Kind.IMPOSSIBLE
        if np.count_nonzero(kind) >= junk * skill_count:
            break
        middle = rng.uniform(0, side, dimensions)
        radius = rng.uniform(0.05, 0.15) * side + 0.5
        ball = np.linalg.norm(place + 0.5 - middle, axis=1) < radius
        # The corner stays open, or all would be cut off.
        kind[ball & (place.max(axis=1) >= max(2, side // 5))] = rng.integers(1, 3)
    count = check("task_count", task_count, TASKS)
    numbers = rng.random((count, dimensions + extra))
    cells = np.minimum((numbers[:, :dimensions] * side).astype(np.int64), side - 1)
    skill = np.asarray(np.ravel_multi_index(tuple(cells.T), shape))
    return _space(numbers, skill, neighbors, kind, is_root, rng)


def _reachable(neighbors: np.ndarray, is_root: np.ndarray, is_open: np.ndarray) -> np.ndarray:
    reached = is_root & is_open
    while True:
        further = reached | (np.append(reached, False)[neighbors].any(axis=1) & is_open)
        if (further == reached).all():
            return reached
        reached = further


def _space(
    features: np.ndarray,
    skill: np.ndarray,
    neighbors: np.ndarray,
    kind: np.ndarray,
    is_root: np.ndarray,
    rng: np.random.Generator,
) -> SkillSpace:
    """Ceilings are drawn as those of the small learner: evenly from 0.2 to 1."""
    ceiling = rng.uniform(0.2, 1.0, skill.size)
    ceiling = np.where(kind[skill] == Kind.NOISY, rng.random(skill.size), ceiling)
    ceiling[kind[skill] == Kind.IMPOSSIBLE] = 0.0
    return SkillSpace(
        features=features,
        skill=skill,
        ceiling=ceiling,
        neighbors=neighbors,
        kind=kind,
        is_root=is_root,
    )

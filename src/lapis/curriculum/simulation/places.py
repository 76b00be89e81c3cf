"""Skills whose tasks are all places of a box, for generators that describe tasks by numbers."""

from __future__ import annotations

import dataclasses

import numpy as np

from lapis.curriculum.simulation.skills import SkillLearner, SkillModel
from lapis.curriculum.simulation.spaces import Kind, skill_grid

DIMENSIONS = 2
"""Numbers that decide which skill a task takes; further ones mean nothing."""


class SkillPlaces:
    """A learner of the skills of a `skill_grid`: a task is any place, from 0 to 1 along each axis.

    All places of a cell take the same skill and have the same ceiling.

    Args:
        seed: Decides what is junk, and the ceilings.
        side: Cells along each of two axes.
        model: The constants of the learner.
    """

    def __init__(self, seed: int, *, side: int = 16, model: SkillModel | None = None) -> None:
        space = skill_grid(1, seed, side=side, dimensions=DIMENSIONS)
        count, rng = space.skill_count, np.random.default_rng([seed, 2])
        ceiling = np.where(
            space.kind == Kind.NOISY, rng.random(count), rng.uniform(0.2, 1.0, count)
        )
        ceiling[space.kind == Kind.IMPOSSIBLE] = 0.0
        self.side = side
        self.space = dataclasses.replace(
            space, skill=np.arange(count), ceiling=ceiling, features=np.zeros((count, 0))
        )
        """Has one task for each skill."""
        self.learner = SkillLearner(self.space, SkillModel() if model is None else model)

    def skill(self, places: np.ndarray) -> np.ndarray:
        """The skill that each place takes, shape (task,)."""
        cells = np.minimum((places[:, :DIMENSIONS] * self.side).astype(np.int64), self.side - 1)
        return np.asarray(np.ravel_multi_index(tuple(cells.T), (self.side,) * DIMENSIONS))

    def practice(self, places: np.ndarray, attempts: int, rng: np.random.Generator) -> np.ndarray:
        """Attempts each task so often, learns from it and returns the successes, shape (task,)."""
        won = self.learner.practice(np.repeat(self.skill(places), attempts), rng)
        return won.reshape(-1, attempts).sum(axis=1)

    def reached(self) -> float:
        """Share of the places that can be learned whose true success is above half of the best."""
        return float(self.learner.reached()[self.space.kind == Kind.LEARNABLE].mean())

    def junk(self, places: np.ndarray) -> float:
        """Share of these places at which nothing can be learned."""
        return float((self.space.kind[self.skill(places)] != Kind.LEARNABLE).mean())

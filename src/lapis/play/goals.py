"""Which goal to ask a person for: the paper's curriculum, adapted to few attempts.

A person makes a dozen attempts where an agent makes a million, and has learned a goal after one
success. So the averages are quick, a goal that was never tried counts as one on which the person is
about to make progress, and goals out of reach are of little interest.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from lapis.curriculum import LearningProgress
from lapis.minecraft.goals import ALL_PREREQUISITES

__all__ = ["PersonalGoals"]

TIME_SCALE = 2.0
"""Of both averages [attempts at the goal]; the paper's 1250 are updates of an agent."""
UNTRIED = 0.1
"""Success expected of a goal before the first attempt; reweighting lifts it to one half."""
OUT_OF_REACH = 0.1
"""Factor on the interest of a goal for each thing on the way to it that was never held."""
BY_INTEREST_ALONE = 0.1
"""Share of the draws that progress does not decide: nothing is given up for good."""


class PersonalGoals:
    """Draws goals for one person from that person's successes and failures.

    `prerequisites` are what each goal needs, directly or not; by default in Minecraft.
    """

    def __init__(
        self,
        goals: Sequence[str],
        seed: int = 0,
        prerequisites: Mapping[str, frozenset[str]] = ALL_PREREQUISITES,
    ) -> None:
        self.goals = tuple(goals)
        self._needs = prerequisites
        stones = Counter(itertools.chain.from_iterable(prerequisites.values()))
        self._needed_by = np.array([stones[goal] for goal in self.goals])
        # A sigmoid of z-scores needs many goals that are tried often; a share needs none.
        self._curriculum = LearningProgress(
            len(self.goals), time_scale=TIME_SCALE, weighting="proportional"
        )
        self._curriculum.fast_.fill(UNTRIED)
        self._known: set[str] = set()
        self._rng = np.random.default_rng(seed)

    def record(self, goal: str, success: bool) -> None:
        """Takes in the outcome of an attempt."""
        self._curriculum.record(self.goals.index(goal), success)
        self._curriculum.update()
        if success:
            self._known.add(goal)

    def see(self, held: Collection[str]) -> None:
        """Notes what the person holds: the first of an item that nobody asked for is a success."""
        for name in set(held) - self._known:
            if name in self.goals:
                self.record(name, True)
        self._known.update(held)

    def probabilities(self) -> np.ndarray:
        """The probability of each goal to be asked for next, shape (goal,), sum 1."""
        interest = self._interest()
        by_progress = self._curriculum.probabilities() * interest
        total = by_progress.sum()
        if total == 0.0:
            return interest
        return (1.0 - BY_INTEREST_ALONE) * by_progress / total + BY_INTEREST_ALONE * interest

    def draw(self, after: str | None = None) -> str:
        """The next goal; where there are others, not again the one that it comes `after`."""
        chances = self.probabilities()
        if after is not None and len(self.goals) > 1:
            chances[self.goals.index(after)] = 0.0
        return self.goals[self._rng.choice(len(self.goals), p=chances / chances.sum())]

    def _interest(self) -> np.ndarray:
        """Goals within reach first, and of these the ones that others need; sum 1."""
        missing = np.array([len(self._needs[goal] - self._known) for goal in self.goals])
        # Counted from the nearest goal: where all are far away, none may vanish.
        interest = OUT_OF_REACH ** (missing - missing.min()) * np.sqrt(1.0 + self._needed_by)
        return interest / interest.sum()

"""What is known of each task, for curricula that group tasks or learn a function of them."""

# T = tasks, G = goals, F = features

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from lapis.minecraft.goals import ALL_PREREQUISITES, groups_of
from lapis.simonsays.tasks import pair_members
from lapis.train.config import TrainConfig

EVALUATED_SEED = 0
"""Decides which pairs an evaluation plays: the same in all runs, so that they compare."""


def members(config: TrainConfig) -> np.ndarray:
    """The two goals of each task of a run, int64, shape (task, 2); a single goal appears twice."""
    goal_count = len(config.simonsays.goals)
    return pair_members(goal_count) if config.simonsays.pairs else alone(goal_count)


def alone(goal_count: int) -> np.ndarray:
    """The `members` of tasks that are single goals."""
    return pair_members(goal_count)[:goal_count]


def evaluated_tasks(config: TrainConfig) -> np.ndarray:
    """The tasks that an evaluation plays, rising: all goals alone, and some of the pairs."""
    goal_count = len(config.simonsays.goals)
    rng = np.random.default_rng(EVALUATED_SEED)
    pair_count = len(members(config)) - goal_count
    pairs = rng.choice(pair_count, config.evaluation_pairs, replace=False) if pair_count else []
    return np.concatenate([np.arange(goal_count), goal_count + np.sort(pairs)]).astype(np.int64)


def share_by_goal(probabilities_T: np.ndarray, members_T2: np.ndarray) -> np.ndarray:
    """The probability of each goal, half of a pair's for either of its goals; sum 1."""
    return np.bincount(members_T2.ravel(), np.repeat(0.5 * probabilities_T, 2))


def task_features(config: TrainConfig) -> np.ndarray:
    """What is known of each task before it is tried, float64, shape (task, feature).

    The depth of its deeper and of its other goal in the tech tree; for each group of goals, how
    many are asked for, and how many different items of the group it takes, including the goals. If
    no goal's prerequisites are known: which goals are asked for.
    """
    goals, world = config.simonsays.goals, config.world
    needs = ALL_PREREQUISITES if world.prerequisites is None else world.prerequisites
    members_T2 = members(config)
    asked_TG = _asked(members_T2, len(goals))
    if not any(needs.get(goal) for goal in goals):
        return asked_TG
    depth_G = np.array(depths(goals, needs), float)
    known = world.groups
    groups = groups_of(goals) if known is None else [known.get(goal, "") for goal in goals]
    groups = groups or [""] * len(goals)  # Some goals of another game have Minecraft's names.
    names = sorted(set(groups))
    in_group_GF = np.array([[group == name for name in names] for group in groups], float)
    needed_GG = np.array(
        [[part == goal or part in needs.get(goal, ()) for part in goals] for goal in goals]
    )
    needed_TG = (needed_GG[members_T2[:, 0]] | needed_GG[members_T2[:, 1]]).astype(float)
    depth_T2 = np.sort(depth_G[members_T2], axis=1)
    return np.concatenate([depth_T2, asked_TG @ in_group_GF, needed_TG @ in_group_GF], axis=1)


def depths(goals: Iterable[str], needs: Mapping[str, frozenset[str]]) -> list[int]:
    """Length of the longest chain below each goal; `needs` has all that it takes, directly or not.

    What `needs` does not know has none.

    Raises:
        ValueError: A goal is needed for itself.
    """
    found: dict[str, int] = {}
    chain: list[str] = []

    def depth(goal: str) -> int:
        if goal in chain:
            way = " needs ".join(map(repr, [*chain[chain.index(goal) :], goal]))
            raise ValueError(f"prerequisites of goals lead back to themselves: {way}")
        if goal not in found:
            chain.append(goal)
            found[goal] = 1 + max(map(depth, needs.get(goal, ())), default=-1)
            chain.pop()
        return found[goal]

    return [depth(goal) for goal in goals]


def _asked(members_T2: np.ndarray, goal_count: int) -> np.ndarray:
    asked_TG = np.zeros((len(members_T2), goal_count))
    np.put_along_axis(asked_TG, members_T2, 1.0, axis=1)
    return asked_TG

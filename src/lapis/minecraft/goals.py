"""The 107 goals of Simon Says and the 6 that cannot be obtained (paper P9)."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from lapis.minecraft.data_files import load, read_only

_FILE = load("goals")
_ENTRIES = _FILE["goals"]

GROUPS: tuple[str, ...] = (
    "surface",
    "stone",
    "coal",
    "iron",
    "lapis",
    "redstone",
    "gold",
    "diamond",
    "impossible",
)
"""Resource groups, in the order of the paper's columns."""

GOALS: tuple[str, ...] = tuple(entry["name"] for entry in _ENTRIES)
"""The goals that can be obtained. A goal's index is its item's index."""

IMPOSSIBLE: tuple[str, ...] = tuple(entry["name"] for entry in _FILE["impossible"])
"""The goals that cannot be obtained."""

ALL_GOALS: tuple[str, ...] = GOALS + IMPOSSIBLE
"""`GOALS`, then `IMPOSSIBLE`."""

GOAL_GROUP = read_only(
    [GROUPS.index(entry["group"]) for entry in _ENTRIES]
    + [GROUPS.index("impossible")] * len(IMPOSSIBLE)
)
"""Index into `GROUPS`, int32, shape (goal + impossible goal,)."""

HOW: dict[str, str] = {entry["name"]: entry["how"] for entry in _ENTRIES}
"""`mine`, `craft` or `smelt`, for each goal that can be obtained."""

PREREQUISITES: dict[str, tuple[str, ...]] = {
    entry["name"]: tuple(entry["prerequisites"]) for entry in _ENTRIES
}
"""Direct prerequisites of each goal: ingredients of its first recipe, station, tool."""

MISSING_INGREDIENT: dict[str, str] = {
    entry["name"]: entry["missing"] for entry in _FILE["impossible"]
}
"""The missing ingredient that makes a goal impossible."""


@functools.cache
def _ancestors(goal: str) -> frozenset[str]:
    direct = PREREQUISITES[goal]
    return frozenset(direct).union(*map(_ancestors, direct))


@functools.cache
def _depth(goal: str) -> int:
    return 1 + max(map(_depth, PREREQUISITES[goal]), default=-1)


ALL_PREREQUISITES: dict[str, frozenset[str]] = {goal: _ancestors(goal) for goal in GOALS}
"""Direct and indirect prerequisites of each goal."""

DEPTH: dict[str, int] = {goal: _depth(goal) for goal in GOALS}
"""Length of the longest chain of prerequisites below each goal; 0 for what bare hands gather."""

STEPPING_STONE_COUNT: dict[str, int] = {
    goal: sum(goal in needed for needed in ALL_PREREQUISITES.values()) for goal in GOALS
}
"""How many goals need this one, directly or not."""


def goals_of_group(group: str) -> tuple[str, ...]:
    """The goals of a resource group, in the order of `ALL_GOALS`.

    Raises:
        ValueError: `group` is not one of `GROUPS`.
    """
    if group not in GROUPS:
        raise ValueError(f"group={group!r} is not one of {', '.join(GROUPS)}")
    index = GROUPS.index(group)
    return tuple(goal for goal, own in zip(ALL_GOALS, GOAL_GROUP, strict=True) if own == index)


def groups_of(goals: Sequence[str]) -> tuple[str, ...]:
    """The resource group of each goal; empty if there are goals of another game."""
    if not set(goals) <= set(ALL_GOALS):
        return ()
    return tuple(GROUPS[GOAL_GROUP[ALL_GOALS.index(goal)]] for goal in goals)

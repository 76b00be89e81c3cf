"""The tech tree of the goals as text for a terminal."""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence

from rich.columns import Columns
from rich.console import Console
from rich.table import Table

from lapis.minecraft import goals

__all__ = ["goal_table", "tree_table"]


def goal_table(width: int = 100) -> str:
    """Minecraft's tech tree as text, see `tree_table`."""
    groups = {name: goals.goals_of_group(name) for name in goals.GROUPS}
    needs = {
        goal: f"{goals.MISSING_INGREDIENT[goal]}, which no world holds"
        if goal in goals.MISSING_INGREDIENT
        else _listed(goals.PREREQUISITES[goal])
        for goal in goals.ALL_GOALS
    }
    stones = {goal for goal, count in goals.STEPPING_STONE_COUNT.items() if count}
    return tree_table(groups, goals.DEPTH, needs, stones, width)


def tree_table(
    groups: Mapping[str, Sequence[str]],
    depth: Mapping[str, int],
    needs: Mapping[str, str | Sequence[str]],
    stones: Collection[str],
    width: int = 100,
) -> str:
    """A tech tree as text: groups as columns, then each goal's depth and prerequisites.

    Args:
        groups: The goals of each group.
        depth: Length of the longest chain below each goal that can be obtained.
        needs: What each goal needs directly, as names or in words.
        stones: Goals that others need.
        width: Characters, at least 60; groups that do not fit side by side go below.
    """
    if width < 60:
        raise ValueError(f"width={width} is too narrow; it must be at least 60")

    def titled(goal: str) -> str:
        return f"{depth.get(goal, '-'):>2} {goal}"

    def column(name: str) -> str:
        marked = [titled(goal) + "*" * (goal in stones) for goal in groups[name]]
        return "\n".join([f"{name} ({len(marked)})", *marked, ""])

    text = io.StringIO()
    console = Console(width=width, file=text, highlight=False)
    console.print("Depth (length of the longest chain below) and goal; * marks stepping stones.\n")
    console.print(Columns(map(column, groups), padding=(0, 2)))
    console.print("\nNeeds")
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    for goal, need in needs.items():
        table.add_row(titled(goal), need if isinstance(need, str) else _listed(need))
    console.print(table)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "bare hands"

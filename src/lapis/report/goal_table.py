"""The tech tree of the goals as text for a terminal."""

from __future__ import annotations

import io

from rich.columns import Columns
from rich.console import Console
from rich.table import Table

from lapis.minecraft import goals

__all__ = ["goal_table"]


def goal_table(width: int = 100) -> str:
    """The tech tree as text: groups as columns, then each goal's depth and prerequisites.

    Groups that do not fit side by side in `width` characters, at least 60, go below.
    """
    if width < 60:
        raise ValueError(f"width={width} is too narrow; it must be at least 60")
    text = io.StringIO()
    console = Console(width=width, file=text, highlight=False)
    console.print("Depth (length of the longest chain below) and goal; * marks stepping stones.\n")
    console.print(Columns(map(_group, goals.GROUPS), padding=(0, 2)))
    console.print("\nNeeds")
    needs = Table.grid(padding=(0, 2))
    needs.add_column(no_wrap=True)
    for goal in goals.ALL_GOALS:
        needs.add_row(_depth(goal), _needs(goal))
    console.print(needs)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def _group(name: str) -> str:
    own = goals.goals_of_group(name)
    marked = [
        f"{_depth(goal)}{'*' * (goals.STEPPING_STONE_COUNT.get(goal, 0) > 0)}" for goal in own
    ]
    return "\n".join([f"{name} ({len(own)})", *marked, ""])


def _depth(goal: str) -> str:
    return f"{goals.DEPTH.get(goal, '-'):>2} {goal}"


def _needs(goal: str) -> str:
    if goal in goals.MISSING_INGREDIENT:
        return f"{goals.MISSING_INGREDIENT[goal]}, which no world holds"
    return ", ".join(goals.PREREQUISITES[goal]) or "bare hands"

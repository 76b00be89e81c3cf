"""The tech tree of the goals as text for a terminal."""

from __future__ import annotations

import textwrap

from lapis.minecraft.goals import (
    ALL_GOALS,
    DEPTH,
    GROUPS,
    MISSING_INGREDIENT,
    PREREQUISITES,
    STEPPING_STONE_COUNT,
    goals_of_group,
)

__all__ = ["goal_table"]


def goal_table(width: int = 100) -> str:
    """The tech tree as text: groups as columns, then each goal's depth and prerequisites.

    Args:
        width: Characters in a line; groups that do not fit side by side continue below. At
            least 60.

    Raises:
        ValueError: `width` is less than 60.
    """
    if width < 60:
        raise ValueError(f"width={width} is too narrow; it must be at least 60")
    legend = "Depth (length of the longest chain below) and goal; * marks stepping stones."
    return "\n".join([legend, "", *_columns(width), *_prerequisite_lines(width)])


def _columns(width: int) -> list[str]:
    """Groups side by side, in as many bands as the width asks for."""
    columns = []
    for group in GROUPS:
        goals = goals_of_group(group)
        cells = [f"{group} ({len(goals)})", *(_cell(goal) for goal in goals)]
        columns.append([cell.ljust(max(map(len, cells))) for cell in cells])
    lines: list[str] = []
    band: list[list[str]] = []
    for column in columns:
        if sum(len(own[0]) + 2 for own in band) + len(column[0]) > width:
            lines += [*_side_by_side(band), ""]
            band = []
        band.append(column)
    return [*lines, *_side_by_side(band), ""]


def _cell(goal: str) -> str:
    depth = f"{DEPTH[goal]:2d}" if goal in DEPTH else " -"
    return f"{depth} {goal}{'*' if STEPPING_STONE_COUNT.get(goal) else ''}"


def _side_by_side(columns: list[list[str]]) -> list[str]:
    height = max(len(column) for column in columns)
    full = [column + [" " * len(column[0])] * (height - len(column)) for column in columns]
    return ["  ".join(cells).rstrip() for cells in zip(*full, strict=True)]


def _prerequisite_lines(width: int) -> list[str]:
    """One entry per goal: depth, name and what it needs directly."""
    name_width = max(map(len, ALL_GOALS))
    lines = ["Needs"]
    for goal in ALL_GOALS:
        if goal in MISSING_INGREDIENT:
            needs = f"{MISSING_INGREDIENT[goal]}, which no world holds"
        else:
            needs = ", ".join(PREREQUISITES[goal]) or "bare hands"
        depth = f"{DEPTH[goal]:2d}" if goal in DEPTH else " -"
        start = f"{depth} {goal.ljust(name_width)}  "
        lines += textwrap.wrap(
            needs, width, initial_indent=start, subsequent_indent=" " * len(start)
        )
    return lines

"""`lapis goals`: the tech tree of the goals, as text or as a picture."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import tyro

from lapis.report.goal_tree import goal_table, goal_tree_svg

LEAST_WIDTH = 60


@dataclasses.dataclass(frozen=True, kw_only=True)
class GoalsArguments:
    """Draws the tech tree of the 107 goals and the 6 that cannot be obtained (paper P9)."""

    svg: Path | None = None
    """File for a picture; without it the tree is printed as text."""


def main(arguments: list[str]) -> int:
    """Prints the tree, or writes it to a file."""
    parsed = tyro.cli(GoalsArguments, args=arguments, prog="lapis goals")
    if parsed.svg is None:
        print(goal_table(max(LEAST_WIDTH, shutil.get_terminal_size((100, 24)).columns)))
        return 0
    parsed.svg.write_text(goal_tree_svg(), encoding="utf-8")
    print(f"wrote {parsed.svg}")
    return 0

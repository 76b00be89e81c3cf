"""`lapis goals`: the tech tree of the goals, as text or as a picture."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Literal

import tyro

from lapis.cli import UsageError
from lapis.report.goal_table import goal_table, tree_table
from lapis.worlds.minetest.config import MinetestConfig

LEAST_WIDTH = 60


@dataclasses.dataclass(frozen=True, kw_only=True)
class GoalsArguments:
    """Shows the tech tree of the 107 goals and the 6 impossible ones (paper P9)."""

    game: Literal["minecraft", "minetest"] = "minecraft"
    """Whose goals: Minecraft's, which most worlds share, or those of Minetest's own game."""
    svg: Path | None = None
    """File for a picture, .svg or .png. Default: prints the tree as text."""


def main(arguments: list[str]) -> int:
    """Prints the tree, or writes it to a file."""
    parsed = tyro.cli(GoalsArguments, args=arguments, prog="lapis goals")
    width = max(LEAST_WIDTH, shutil.get_terminal_size((100, 24)).columns)
    if parsed.game == "minetest":
        if parsed.svg is not None:
            raise UsageError("--svg is for Minecraft's goals")
        print(_minetest_table(width))
        return 0
    if parsed.svg is None:
        print(goal_table(width))
        return 0
    if parsed.svg.suffix not in (".svg", ".png"):
        raise UsageError(f"{parsed.svg} must end in .svg or .png")
    from lapis.report.panel import save  # matplotlib takes a second to load.
    from lapis.report.tech_tree import goal_tree

    save([goal_tree()], parsed.svg.parent, parsed.svg.stem, formats=[parsed.svg.suffix[1:]])
    print(f"wrote {parsed.svg}")
    return 0


def _minetest_table(width: int) -> str:
    tree = MinetestConfig().tree
    groups = {name: [g for g in tree.goals if tree.group[g] == name] for name in tree.groups}
    needs = {goal: tree.ways[goal].needs for goal in tree.goals}
    stones = frozenset().union(*(tree.all_needs[goal] for goal in tree.goals))
    return tree_table(groups, tree.depth, needs, stones, width)

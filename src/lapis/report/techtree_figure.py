"""Figure 4: the tech tree colored by final success, for a page and for papers (paper P27)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from lapis.minecraft.goals import GROUPS, goals_of_group
from lapis.report.goal_tree import goal_tree_svg
from lapis.report.line_chart import short_number
from lapis.report.series import DISCOVERED, Group

__all__ = ["draw_tree", "final_success", "scoped_style", "tree_html"]

_TITLE = re.compile(r"<title>([^:<]+):([^<]*)</title>")
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def final_success(group: Group) -> dict[str, float]:
    """Success average of each goal at the end, mean over seeds."""
    mean = np.mean([run.success[-1] for run in group.runs], axis=0)
    return {
        goal: float(np.clip(value, 0.0, 1.0))
        for goal, value in zip(group.runs[0].goals, mean, strict=True)
    }


def tree_html(group: Group) -> str:
    """The tree as inline SVG; tooltips tell prerequisites, success and when it was discovered.

    Its own style sheet is left out, for it would apply to the whole page: see `scoped_style`.
    """
    when = _discovery(group)
    svg = _STYLE.sub("", goal_tree_svg(final_success(group)))

    def complete(match: re.Match[str]) -> str:
        goal = unescape(match[1])
        return f"<title>{match[1]}:{match[2]}{escape(when.get(goal, ''))}</title>"

    return f'<div class="tech-tree">{_TITLE.sub(complete, svg)}</div>'


def scoped_style() -> str:
    """The tree's style sheet with every rule held inside `.tech-tree`."""
    found = _STYLE.search(goal_tree_svg())
    assert found is not None
    return re.sub(r"^(?=[.\w])", ".tech-tree ", found[1].strip(), flags=re.MULTILINE)


def draw_tree(figure: Figure, group: Group) -> None:
    """The same columns with matplotlib, without the lines between goals."""
    success = final_success(group)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    row_count = max(len(goals_of_group(name)) for name in GROUPS)
    for column, name in enumerate(GROUPS):
        members = [goal for goal in goals_of_group(name) if goal in success]
        axes.text(column + 0.06, -0.3, name, fontsize=8, fontweight="bold", va="bottom")
        for row, goal in enumerate(members):
            _draw_box(axes, column, row, goal, success[goal])
    axes.set_xlim(-0.05, len(GROUPS) + 0.05)
    axes.set_ylim(row_count + 0.2, -1.2)
    axes.set_axis_off()


def _draw_box(axes: Axes, column: int, row: int, goal: str, value: float) -> None:
    color = (1.0 - value, 1.0 - 0.69 * value, 1.0 - 0.82 * value)
    style = ":" if goal in goals_of_group("impossible") else "-"
    box = Rectangle(
        (column + 0.03, row), 0.94, 0.8, facecolor=color, edgecolor="0.6", lw=0.6, ls=style
    )
    axes.add_patch(box)
    ink = "white" if value > 0.65 else "black"
    middle = row + 0.43
    size = 4.6 if len(goal) <= 22 else 3.6  # The longest names would run into the number.
    axes.text(column + 0.06, middle, goal.replace("_", " "), fontsize=size, color=ink, va="center")
    axes.text(
        column + 0.95,
        middle,
        f"{100 * value:.0f}",
        fontsize=4.2,
        color=ink,
        va="center",
        ha="right",
    )


def _discovery(group: Group) -> Mapping[str, str]:
    """When each goal first rose above 5 %: the median over the seeds that discovered it."""
    above = [run.success > DISCOVERED for run in group.runs]
    texts = {}
    for index, goal in enumerate(group.runs[0].goals):
        found = [
            (run.updates[where[:, index].argmax()], run.frames[where[:, index].argmax()])
            for run, where in zip(group.runs, above, strict=True)
            if where[:, index].any()
        ]
        if not found:
            texts[goal] = "; never discovered"
            continue
        update, frames = np.median(found, axis=0)
        seeds = f" in {len(found)} of {len(above)} seeds" if len(above) > 1 else ""
        texts[goal] = f"; discovered at update {update:,.0f} ({short_number(frames)} frames){seeds}"
    return texts

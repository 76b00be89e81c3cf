"""Figure 4: the tech tree colored by final success, for a page and for papers (paper P27)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path

from lapis.minecraft.goals import GROUPS, IMPOSSIBLE, STEPPING_STONE_COUNT
from lapis.report import statistics
from lapis.report.goal_layout import (
    BOX_HEIGHT,
    BOX_WIDTH,
    COLUMN_WIDTH,
    HEIGHT,
    LANE_COLORS,
    LANES_TOP,
    MARGIN,
    WIDTH,
    Link,
    place,
    tree_links,
)
from lapis.report.goal_tree import goal_tree_svg, score_color, split_name
from lapis.report.line_chart import short_number
from lapis.report.series import Group
from lapis.report.summary import Measure

__all__ = ["draw_tree", "final_measure", "final_success", "scoped_style", "tree_html"]

_TITLE = re.compile(r"<title>([^:<]+):([^<]*)</title>")
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def final_success(group: Group) -> dict[str, float]:
    """Success of each goal at the end, mean over seeds: see `final_measure`."""
    ends = []
    for run in group.runs:
        if final_measure(group) == "evaluation":
            assert run.evaluation is not None
            ends.append(np.nan_to_num(run.evaluation.success[-1]))
        else:
            ends.append(run.success[-1])
    return {
        goal: float(np.clip(value, 0.0, 1.0))
        for goal, value in zip(group.runs[0].goals, np.mean(ends, axis=0), strict=True)
    }


def final_measure(group: Group) -> Measure:
    """The last evaluation tells success where every run has one, otherwise the averages do."""
    return "evaluation" if group.is_evaluated else "average"


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
    """The same picture with matplotlib: boxes, lines, arrows and a scale."""
    success = final_success(group)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, WIDTH), ylim=(HEIGHT, LANES_TOP - 28))
    axes.set_axis_off()
    for column, name in enumerate(GROUPS):
        x = MARGIN + column * COLUMN_WIDTH
        axes.text(x, LANES_TOP - 6, name, fontsize=8, fontweight="bold", va="bottom")
    for link in tree_links():
        if link.goal in success:
            axes.add_patch(_link_patch(link))
    for goal, value in success.items():
        _draw_box(axes, goal, value)
    bottom = HEIGHT - 40  # Where the short columns at the right leave room.
    for step in range(11):
        x = WIDTH - 180 + 10 * step
        axes.add_patch(Rectangle((x, bottom), 10, 14, facecolor=score_color(step / 10)))
    label = f"success by {final_measure(group)}: 0 %"
    axes.text(WIDTH - 186, bottom + 7, label, fontsize=6, ha="right", va="center")
    axes.text(WIDTH - 64, bottom + 7, "100 %", fontsize=6, va="center")


def _link_patch(link: Link) -> PathPatch | FancyArrowPatch:
    if link.lane is None:
        codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
        return PathPatch(Path(link.points, codes), fill=False, edgecolor="#9aa5b1", lw=0.6)
    color = LANE_COLORS[link.lane % len(LANE_COLORS)]
    return FancyArrowPatch(
        path=Path(link.points),
        arrowstyle="->,head_length=1.6,head_width=1.2",
        fill=False,
        edgecolor=color,
        lw=0.8,
        joinstyle="round",
    )


def _draw_box(axes: Axes, goal: str, value: float) -> None:
    x, y = place(goal)
    is_impossible, is_stone = goal in IMPOSSIBLE, bool(STEPPING_STONE_COUNT.get(goal))
    axes.add_patch(
        FancyBboxPatch(
            (x + 3, y - BOX_HEIGHT / 2 + 3),
            BOX_WIDTH - 6,
            BOX_HEIGHT - 6,
            boxstyle="round,pad=3",
            facecolor=score_color(value),
            edgecolor="#b7791f" if is_stone else "#b8c2cc",
            lw=0.9 if is_stone else 0.5,
            ls=":" if is_impossible else "-",
        )
    )
    ink = "white" if value > 0.65 else "black"
    lines = split_name(goal.replace("_", " "), 16)
    weight = "bold" if is_stone else "normal"
    name = "\n".join(lines)
    axes.text(
        x + 5, y, name, fontsize=4.4, color=ink, va="center", linespacing=1.0, fontweight=weight
    )
    share = f"{100 * value:.0f}%"
    axes.text(x + BOX_WIDTH - 4, y, share, fontsize=4.2, color=ink, va="center", ha="right")


def _discovery(group: Group) -> Mapping[str, str]:
    """When each goal first rose above 5 %: the median over the seeds that discovered it."""
    texts = {}
    for index, goal in enumerate(group.runs[0].goals):
        found = []
        for run in group.runs:
            update = run.first_discovered[index]
            if update >= 0:
                found.append((update, statistics.value_at(run.updates, run.frames, update)))
        if not found:
            texts[goal] = "; never discovered"
            continue
        update, frames = np.median(found, axis=0)
        seeds = f" in {len(found)} of {len(group.runs)} seeds" if len(group.runs) > 1 else ""
        texts[goal] = f"; discovered at update {update:,.0f} ({short_number(frames)} frames){seeds}"
    return texts

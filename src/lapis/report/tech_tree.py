"""Figure 4: the tech tree of the goals, colored by final success (paper P27)."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path

from lapis.minecraft.goals import (
    ALL_GOALS,
    DEPTH,
    GROUPS,
    MISSING_INGREDIENT,
    PREREQUISITES,
    goals_of_group,
)
from lapis.minecraft.goals import STEPPING_STONE_COUNT as STONES
from lapis.report.numbers import short_number
from lapis.report.panel import Panel
from lapis.report.series import Group
from lapis.report.statistics import value_at

__all__ = ["goal_tree", "group_tree", "place", "tree_links"]

# The layout, in units of a picture 1200 wide; y grows downwards.
WIDTH = 1200
MARGIN = 10
GAP = 20
BOX_HEIGHT = 28
ROW_HEIGHT = 35
TOP = 100
LANES_TOP = 80
LANE_HEIGHT = 5
HEIGHT = TOP + max(len(goals_of_group(group)) for group in GROUPS) * ROW_HEIGHT + 8
COLUMN_WIDTH = (WIDTH - 2 * MARGIN + GAP) / len(GROUPS)
BOX_WIDTH = COLUMN_WIDTH - GAP
LANE_COLORS = ("#b7791f", "#7b8794", "#2b6cb0")
HEADING_TOP = LANES_TOP - 58
INCHES = 9.6 / WIDTH
"""Inches of a unit of the layout."""
INK, GRAY, BROWN, GREEN = "#1f2933", "#52606d", "#b7791f", "#00502d"

Point = tuple[float, float]


def group_tree(group: Group) -> Panel:
    """The tree with a group's final success; tooltips tell when a goal was discovered."""
    return goal_tree(
        group.final_success(),
        notes=_discovery(group),
        title=f"{group.label}: success by {group.measure}",
    )


def goal_tree(
    success: Mapping[str, float] | None = None,
    *,
    notes: Mapping[str, str] | None = None,
    title: str = "Tech tree of the 107 goals",
) -> Panel:
    """The tech tree, one column per group of goals.

    Stepping stones, which other goals need, stand out. A line leads to each goal from its deepest
    prerequisite, an arrow where that lies in another column; in an SVG, pointing at a goal shows
    all its prerequisites. Their success colors the boxes of goals; those without one stay white.
    Notes are added to their tooltips.
    """
    scores, more = success or {}, notes or {}

    def draw(axes: Axes) -> None:
        axes.set(xlim=(0, WIDTH), ylim=(HEIGHT, HEADING_TOP))
        axes.set_axis_off()
        axes.set_in_layout(False)  # The tree has its own.
        axes.set_position((0.0, 0.0, 1.0, 1.0))
        _draw_heading(axes, title, is_scored=success is not None)
        for lane, points in tree_links():
            axes.add_artist(_link_patch(lane, points))
        for goal in ALL_GOALS:
            _draw_goal(axes, goal, scores.get(goal))
        for artist in axes.get_children():
            artist.set_clip_on(False)

    return Panel(
        title=title,
        draw=draw,
        size=(WIDTH * INCHES, (HEIGHT - HEADING_TOP) * INCHES),
        has_theme=False,
        titles={
            f"goal-{goal}": _tooltip(goal, scores.get(goal)) + more.get(goal, "")
            for goal in ALL_GOALS
        },
    )


def _score_color(score: float) -> str:
    """White at 0 to dark green at 1."""
    red, green, blue = (1.0 - score * (1.0 - part) for part in to_rgb(GREEN))
    return to_hex((red, green, blue))


def _draw_heading(axes: Axes, title: str, *, is_scored: bool) -> None:
    """Title, legend and the names of the groups."""
    top = HEADING_TOP + 16
    axes.text(MARGIN, top, title, fontsize=8, fontweight="bold", color=INK, va="center")
    explained = "in a box: success" if is_scored else "in a box: depth of the longest chain below"
    axes.text(WIDTH - 790, top, explained, fontsize=6, color=GRAY, va="center")
    for x, fill, edge, line, label in (
        (WIDTH - 500, "#fdf3d7", BROWN, "-", "stepping stone"),
        (WIDTH - 370, "#f0f1f3", GRAY, ":", "impossible"),
    ):
        axes.add_artist(Rectangle((x, top - 7), 22, 14, lw=0.8, fc=fill, ec=edge, ls=line))
        axes.text(x + 28, top, label, fontsize=6, color=GRAY, va="center")
    if is_scored:
        for step in range(11):
            color = _score_color(step / 10)
            axes.add_artist(Rectangle((WIDTH - 190 + 9 * step, top - 7), 9, 14, facecolor=color))
        axes.text(WIDTH - 196, top, "0 %", fontsize=6, color=GRAY, va="center", ha="right")
        axes.text(WIDTH - 84, top, "100 %", fontsize=6, color=GRAY, va="center")
    for column, name in enumerate(GROUPS):
        x = MARGIN + column * COLUMN_WIDTH
        text = f"{name} ({len(goals_of_group(name))})"
        axes.text(x, LANES_TOP - 8, text, fontsize=7, fontweight="bold", color=INK, va="bottom")


def _link_patch(lane: int | None, points: tuple[Point, ...]) -> PathPatch | FancyArrowPatch:
    if lane is None:
        return _curve_patch(points, edgecolor="#9aa5b1", lw=0.6, alpha=0.6)
    return FancyArrowPatch(
        path=Path(points),
        arrowstyle="->,head_length=1.6,head_width=1.2",
        fill=False,
        edgecolor=LANE_COLORS[lane % len(LANE_COLORS)],
        lw=0.8,
        joinstyle="round",
        gid="lane",
    )


def _curve_patch(points: tuple[Point, ...], **look: object) -> PathPatch:
    codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    return PathPatch(Path(points, codes), fill=False, **look)  # pyright: ignore[reportArgumentType]


def _draw_goal(axes: Axes, goal: str, score: float | None) -> None:
    """A box with its name and success or depth, and lines that only a pointer shows."""
    x, y = place(goal)
    gid = f"goal-{goal}"
    is_stone = bool(STONES.get(goal))
    is_impossible = goal in MISSING_INGREDIENT
    for needed in PREREQUISITES.get(goal, ()):
        axes.add_artist(_curve_patch(_curve(needed, goal), alpha=0.0, gid=f"{gid} needs"))
    fill = "#fdf3d7" if is_stone else "#f0f1f3" if is_impossible else "#ffffff"
    axes.add_artist(
        FancyBboxPatch(
            (x + 3, y - BOX_HEIGHT / 2 + 3),
            BOX_WIDTH - 6,
            BOX_HEIGHT - 6,
            boxstyle="round,pad=3",
            facecolor=fill if score is None else _score_color(score),
            edgecolor=BROWN if is_stone else "#b8c2cc",
            lw=0.9 if is_stone else 0.5,
            ls=":" if is_impossible else "-",
            gid=gid,
        )
    )
    ink = "#ffffff" if score is not None and score > 0.65 else INK
    name = _two_lines(goal.replace("_", " "), 12 if is_stone else 14)
    weight = "bold" if is_stone else "normal"
    look: Any = {"color": ink, "va": "center", "gid": gid}
    axes.text(x + 5, y, name, fontsize=5.2, fontweight=weight, linespacing=1.0, **look)
    note = str(DEPTH.get(goal, "")) if score is None else f"{100 * score:.0f}%"
    axes.text(x + BOX_WIDTH - 4, y, note, fontsize=4.6, ha="right", **look)


def _two_lines(name: str, limit: int) -> str:
    """The name on one line, or on two of much the same length if it exceeds the limit."""
    if len(name) <= limit:
        return name
    words = name.split()
    pairs = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return "\n".join(min(reversed(pairs), key=lambda pair: max(map(len, pair)), default=(name,)))


def _tooltip(goal: str, score: float | None) -> str:
    if goal in MISSING_INGREDIENT:
        text = f"{goal}: impossible, needs {MISSING_INGREDIENT[goal]}"
    else:
        needs = ", ".join(PREREQUISITES[goal]) or "bare hands"
        text = f"{goal}: depth {DEPTH[goal]}, needs {needs}"
        if STONES[goal]:
            text += f"; needed for {STONES[goal]} goals"
    return text if score is None else f"{text}; success {100 * score:.1f} %"


def _discovery(group: Group) -> dict[str, str]:
    """When each goal first rose above 5 %: the median over the seeds that discovered it."""
    updates = np.array([run.first_above for run in group.runs])
    frames = np.array([value_at(run.updates, run.frames, run.first_above) for run in group.runs])
    texts = {}
    for index, goal in enumerate(group.goals):
        found = updates[:, index] >= 0
        if not found.any():
            texts[goal] = "; never discovered"
            continue
        update, frame = np.median(updates[found, index]), np.median(frames[found, index])
        seeds = f" in {found.sum()} of {len(found)} seeds" if len(found) > 1 else ""
        texts[goal] = f"; discovered at update {update:,.0f} ({short_number(frame)} frames){seeds}"
    return texts


@functools.cache
def place(goal: str) -> Point:
    """Left edge and middle height of a goal's box."""
    column = next(i for i, group in enumerate(GROUPS) if goal in goals_of_group(group))
    row = goals_of_group(GROUPS[column]).index(goal)
    return MARGIN + column * COLUMN_WIDTH, TOP + row * ROW_HEIGHT + BOX_HEIGHT / 2


def tree_links() -> list[tuple[int | None, tuple[Point, ...]]]:
    """A line to every goal that has prerequisites, from the deepest of them.

    Inside a column the lane is None, and the points control a cubic curve; otherwise they are the
    corners of a line to another column above the boxes, in one lane for each goal it starts from.
    """
    links = []
    lanes: dict[str, int] = {}
    for goal, needs in PREREQUISITES.items():
        if not needs:
            continue
        start = max(needs, key=lambda name: DEPTH[name])
        if place(start)[0] == place(goal)[0]:
            links.append((None, _curve(start, goal)))
        else:
            lane = lanes.setdefault(start, len(lanes))
            links.append((lane, _detour(start, goal, lane)))
    return links


def _curve(start: str, end: str) -> tuple[Point, Point, Point, Point]:
    """Control points from one box to another; within a column it swings out to the left."""
    start_x, start_y = place(start)
    end_x, end_y = place(end)
    middle = (start_x + end_x + BOX_WIDTH) / 2
    if start_x == end_x:
        middle = start_x - GAP * 0.5
    elif start_x < end_x:
        start_x += BOX_WIDTH
    else:
        end_x += BOX_WIDTH
    return (start_x, start_y), (middle, start_y), (middle, end_y), (end_x, end_y)


def _detour(start: str, end: str, lane: int) -> tuple[Point, ...]:
    """Corners of a line to another column, between the boxes and above them, in its own lane."""
    start_x, start_y = place(start)
    end_x, end_y = place(end)
    start_x += BOX_WIDTH
    inset = 4 + 3 * lane
    lane_y = LANES_TOP + lane * LANE_HEIGHT
    return (
        (start_x, start_y),
        (start_x + inset, start_y),
        (start_x + inset, lane_y),
        (end_x - inset, lane_y),
        (end_x - inset, end_y),
        (end_x - 2, end_y),
    )

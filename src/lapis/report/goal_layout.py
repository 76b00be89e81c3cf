"""Where the tech tree's boxes and lines lie, in units of a picture 1200 wide; y grows downwards."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from lapis.minecraft.goals import DEPTH, GROUPS, PREREQUISITES, goals_of_group

__all__ = [
    "BOX_HEIGHT",
    "BOX_WIDTH",
    "COLUMN_WIDTH",
    "HEIGHT",
    "LANES_TOP",
    "LANE_COLORS",
    "MARGIN",
    "WIDTH",
    "Link",
    "Point",
    "curve",
    "place",
    "tree_links",
]

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

Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Link:
    """A line to a goal from its deepest prerequisite."""

    goal: str
    lane: int | None
    """None inside a column, where `points` control a cubic curve; otherwise a polyline to another
    column that runs above the boxes, one lane for each goal it starts from."""
    points: tuple[Point, ...]


@functools.cache
def place(goal: str) -> Point:
    """Left edge and middle height of a goal's box."""
    column = next(i for i, group in enumerate(GROUPS) if goal in goals_of_group(group))
    row = goals_of_group(GROUPS[column]).index(goal)
    return MARGIN + column * COLUMN_WIDTH, TOP + row * ROW_HEIGHT + BOX_HEIGHT / 2


def tree_links() -> list[Link]:
    """One link to every goal that has prerequisites."""
    links = []
    lanes: dict[str, int] = {}
    for goal, needs in PREREQUISITES.items():
        if not needs:
            continue
        start = max(needs, key=lambda name: DEPTH[name])
        if place(start)[0] == place(goal)[0]:
            links.append(Link(goal=goal, lane=None, points=curve(start, goal)))
        else:
            lane = lanes.setdefault(start, len(lanes))
            links.append(Link(goal=goal, lane=lane, points=_detour(start, goal, lane)))
    return links


def curve(start: str, end: str) -> tuple[Point, Point, Point, Point]:
    """Control points from one box to another; within a column it swings out to the left."""
    start_x, start_y = place(start)
    end_x, end_y = place(end)
    if start_x == end_x:
        middle = start_x - GAP * 0.5
    else:
        if start_x < end_x:
            start_x += BOX_WIDTH
        else:
            end_x += BOX_WIDTH
        middle = (start_x + end_x) / 2
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

"""The tech tree of the goals, as text for a terminal and as a picture (paper P27)."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from lapis.minecraft.goals import (
    ALL_GOALS,
    DEPTH,
    GROUPS,
    MISSING_INGREDIENT,
    PREREQUISITES,
    STEPPING_STONE_COUNT,
    goals_of_group,
)
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
    Point,
    curve,
    place,
    tree_links,
)

__all__ = ["goal_table", "goal_tree_svg", "score_color", "split_name"]

_LINE_CHARACTERS = 15
_BOLD_LINE_CHARACTERS = 13

_STYLE = """
text { font-family: 'DejaVu Sans', Verdana, sans-serif; font-size: 10px; fill: #1f2933; }
.title { font-size: 16px; font-weight: bold; }
.group { font-size: 12px; font-weight: bold; }
.small { font-size: 8.5px; fill: #52606d; }
.note { font-size: 8.5px; }
.box { fill: #ffffff; stroke: #b8c2cc; stroke-width: 1; }
.stone .box { fill: #fdf3d7; stroke: #b7791f; stroke-width: 1.6; }
.stone .name { font-weight: bold; }
.impossible .box { fill: #f0f1f3; stroke-dasharray: 3 2; }
.edge { fill: none; stroke: #9aa5b1; stroke-width: 1; opacity: 0.45; }
.lane { fill: none; stroke-width: 1.6; }
.needs { fill: none; stroke: #c05621; stroke-width: 1.8; opacity: 0; pointer-events: none; }
.goal:hover .needs { opacity: 0.9; }
.goal:hover .box { stroke: #c05621; stroke-width: 2; }
"""


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


def goal_tree_svg(success: Mapping[str, float] | None = None) -> str:
    """The tech tree as an SVG picture, one column per group, 1200 units wide.

    Stepping stones, which other goals need, stand out. A line leads to each goal from its
    deepest prerequisite, an arrow where that lies in another column; pointing at a goal shows
    all its prerequisites.

    Args:
        success: Success probability of goals, which colors their boxes. Goals that it does not
            name stay white.

    Raises:
        ValueError: `success` names no goal or holds a value outside of [0, 1].
    """
    for goal, value in (success or {}).items():
        if goal not in ALL_GOALS:
            raise ValueError(f"success names {goal!r}, which is no goal")
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"success[{goal!r}]={value} must lie in [0, 1]")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        *_heading(success is not None),
        *(_link(link) for link in tree_links()),
        *(_goal_box(goal, (success or {}).get(goal)) for goal in ALL_GOALS),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


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


def _heading(is_scored: bool) -> list[str]:
    """Title, legend and the names of the groups."""
    parts = [
        f'<text class="title" x="{MARGIN}" y="24">Tech tree of the 107 goals</text>',
        f'<text class="small" x="{MARGIN}" y="42">Columns: the scarcest resource that a goal '
        f"needs. In a box: {'success probability' if is_scored else 'depth'}. "
        "Lines and arrows come from the deepest prerequisite; point at a box to see all.</text>",
        *_legend(is_scored),
    ]
    for column, group in enumerate(GROUPS):
        x = MARGIN + column * COLUMN_WIDTH
        parts.append(
            f'<text class="group" x="{x:.1f}" y="{LANES_TOP - 10}">{group}'
            f'<tspan class="small" dx="5">{len(goals_of_group(group))}</tspan></text>'
        )
    return parts


def _legend(is_scored: bool) -> list[str]:
    x = WIDTH - MARGIN - 330
    parts = []
    for offset, kind, label in (
        (-14, "stone", "stepping stone"),
        (100, "impossible", "impossible"),
    ):
        parts.append(
            f'<g class="{kind}"><rect class="box" x="{x + offset}" y="12" width="22" height="14" '
            f'rx="3"/></g><text class="small" x="{x + offset + 28}" y="22">{label}</text>'
        )
    if is_scored:
        parts += [
            f'<rect x="{x + 212 + 8 * step}" y="12" width="8" height="14" '
            f'fill="{score_color(step / 10)}"/>'
            for step in range(11)
        ]
        parts.append(f'<text class="small" x="{x + 194}" y="22">0 %</text>')
        parts.append(f'<text class="small" x="{x + 302}" y="22">100 %</text>')
    return parts


def _link(link: Link) -> str:
    """A line inside a column, or an arrow to another one."""
    if link.lane is None:
        return f'<path class="edge" d="{_curve_path(link.points)}"/>'
    corners = " L".join(f"{x:.1f},{y:.1f}" for x, y in link.points)
    color = LANE_COLORS[link.lane % len(LANE_COLORS)]
    return (
        f'<path class="lane" stroke="{color}" stroke-linejoin="round" '
        f'd="M{corners} l-3,-3 m3,3 l-3,3"/>'
    )


def _curve_path(points: Sequence[Point]) -> str:
    start, *controls = (f"{x:.1f},{y:.1f}" for x, y in points)
    return f"M{start} C{' '.join(controls)}"


def _goal_box(goal: str, score: float | None) -> str:
    """A box with name and depth, hidden lines from all prerequisites and a tooltip."""
    x, y = place(goal)
    kind = "impossible" if goal in MISSING_INGREDIENT else ""
    if STEPPING_STONE_COUNT.get(goal):
        kind = "stone"
    fill = "" if score is None else f' style="fill: {score_color(score)}"'
    ink = ' style="fill: #ffffff"' if score is not None and score > 0.65 else ""
    note = str(DEPTH[goal]) if goal in DEPTH else ""
    if score is not None:
        note = f"{100 * score:.0f}%"
    limit = _BOLD_LINE_CHARACTERS if kind == "stone" else _LINE_CHARACTERS
    limit -= score is not None  # Percent take more room than a depth.
    lines = split_name(goal.replace("_", " "), limit)
    first = y + 3.5 - 5.5 * (len(lines) - 1)
    names = "".join(
        f'<text class="name" x="{x + 6:.1f}" y="{first + 11 * row:.1f}"{ink}>{line}</text>'
        for row, line in enumerate(lines)
    )
    edges = "".join(
        f'<path class="needs" d="{_curve_path(curve(name, goal))}"/>'
        for name in PREREQUISITES.get(goal, ())
    )
    return (
        f'<g class="goal {kind}"><title>{escape(_tooltip(goal, score))}</title>{edges}'
        f'<rect class="box" x="{x:.1f}" y="{y - BOX_HEIGHT / 2:.1f}" width="{BOX_WIDTH:.1f}" '
        f'height="{BOX_HEIGHT}" rx="4"{fill}/>{names}'
        f'<text class="note" text-anchor="end" x="{x + BOX_WIDTH - 5:.1f}" '
        f'y="{first + 11 * (len(lines) - 1):.1f}"{ink}>{note}</text></g>'
    )


def split_name(name: str, limit: int) -> list[str]:
    """The name on one line, or on two lines of much the same length if it exceeds the limit."""
    if len(name) <= limit:
        return [name]
    words = name.split()
    pairs = [[" ".join(words[:i]), " ".join(words[i:])] for i in range(1, len(words))]
    return min(reversed(pairs), key=lambda pair: max(map(len, pair)))


def _tooltip(goal: str, score: float | None) -> str:
    if goal in MISSING_INGREDIENT:
        text = f"{goal}: impossible, needs {MISSING_INGREDIENT[goal]}"
    else:
        needs = ", ".join(PREREQUISITES[goal]) or "bare hands"
        text = f"{goal}: depth {DEPTH[goal]}, needs {needs}"
        if STEPPING_STONE_COUNT[goal]:
            text += f"; needed for {STEPPING_STONE_COUNT[goal]} goals"
    return text if score is None else f"{text}; success {100 * score:.1f} %"


def score_color(score: float) -> str:
    """White at 0 to dark green at 1."""
    white, green = (255, 255, 255), (0, 80, 45)
    mixed = [round(a + (b - a) * score) for a, b in zip(white, green, strict=True)]
    return "#" + "".join(f"{channel:02x}" for channel in mixed)

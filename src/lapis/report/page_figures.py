"""The figures of the HTML report, from groups of runs (paper P24-P27, P29)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Literal

import numpy as np

from lapis.report import statistics
from lapis.report.dot_chart import Dot, dot_chart
from lapis.report.heat_map import Scale, color_bar, heat_map, round_up
from lapis.report.line_chart import Chart, Line, Mark, line_chart
from lapis.report.series import DISCOVERED, TREATMENTS, Group, is_tech_tree
from lapis.report.summary import (
    BOOTSTRAP_SEED,
    Measure,
    Summary,
    common_measure,
    mean_and_interval,
)
from lapis.report.techtree_figure import tree_html

__all__ = [
    "assign_colors",
    "discovered_figure",
    "drop_figure",
    "evaluation_curve",
    "goal_names",
    "goal_order",
    "legend",
    "map_title",
    "sampling_figure",
    "sampling_limit",
    "success_figure",
    "tree_figures",
    "typical_map",
    "variant_dots",
    "variants_figure",
]

Axis = Literal["updates", "frames"]
COLOR_COUNT = 12
REFERENCE_COLOR, VARIANT_COLOR = 4, 5


def assign_colors(groups: Sequence[Group]) -> list[int]:
    """A color's index for each group; the paper's treatments keep theirs in every report."""
    colors: list[int] = []
    for group in groups:
        own = TREATMENTS.index(group.treatment) if group.treatment is not None else -1
        if own < 0 or own in colors:
            others = range(len(TREATMENTS), COLOR_COUNT)
            free = [color for color in others if color not in colors]
            own = free[0] if free else len(TREATMENTS) + len(colors) % len(others)
        colors.append(own)
    return colors


def goal_order(group: Group) -> np.ndarray:
    """Goals in the order in which the group learns them, indices."""
    return statistics.learning_order(group.success(), DISCOVERED)


def goal_names(groups: Sequence[Group], order: np.ndarray) -> list[str]:
    """Names of the goals for people, in the given order."""
    return [groups[0].runs[0].goals[index].replace("_", " ") for index in order]


def legend(groups: Sequence[Group], colors: Sequence[int]) -> str:
    """Colors and names, for all figures."""
    entries = "".join(
        f'<span><svg class="swatch" viewBox="0 0 30 10" aria-hidden="true">'
        f'<path class="line s{color}" d="M0,5H30"/></svg>{escape(group.label)}</span>'
        for group, color in zip(groups, colors, strict=True)
    )
    return f'<div class="legend">{entries}</div>'


def evaluation_curve(group: Group) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Updates and frames at which all seeds were evaluated, and what each discovered there.

    Returns:
        Shapes (evaluation,), (evaluation,) and (seed, evaluation); None where there are none.
    """
    known = [run.evaluation for run in group.runs if run.evaluation is not None]
    if len(known) < len(group.runs):
        return None
    common = sorted(set.intersection(*({int(u) for u in each.updates} for each in known)))
    if not common:
        return None
    rows = [np.searchsorted(each.updates, common) for each in known]
    counts = [run.evaluated()[row] for run, row in zip(group.runs, rows, strict=True)]
    return np.array(common), known[0].frames[rows[0]], np.stack(counts)


def discovered_figure(groups: Sequence[Group], colors: Sequence[int], measure: Measure) -> str:
    """Figure 1: discovered goals over time, by one measure of success."""
    goals = groups[0].runs[0].goals
    possible = int(groups[0].runs[0].possible.sum())
    marks = []
    if is_tech_tree(goals):
        marks = [
            Mark(value=each.paper_discovered, color=color, text=str(each.paper_discovered))
            for color, each in enumerate(TREATMENTS)
        ]

    def chart(axis: Axis) -> str:
        if measure == "average":
            lines = [_banded(group, group.discovered(), color, axis) for group, color in pairs]
        else:
            lines = [line for group, color in pairs for line in _evaluated(group, color, axis)]
        return line_chart(
            Chart(
                title=f"discovered goals over {axis}, by {measure}",
                x_label=axis,
                y_label=f"discovered goals (of {possible}), by {measure}",
                lines=lines,
                marks=marks,
                y_limits=(0.0, float(possible)),
            )
        )

    pairs = list(zip(groups, colors, strict=True))
    return _by_axis(f"discovered-{measure}", chart)


def variants_figure(summaries: Sequence[Summary], reference: Summary) -> str:
    """Rivals and ablations: discovered goals at the end, mean, interval and single seeds."""
    dots = variant_dots(summaries, reference)
    measure = common_measure(summaries)
    return dot_chart(
        dots,
        title="discovered goals of each variant",
        x_label=f"discovered goals, by {measure}",
        reference=float(reference.by(measure).discovered.mean()),
    )


def variant_dots(summaries: Sequence[Summary], reference: Summary) -> list[Dot]:
    """What `variants_figure` draws, in the order of the summaries."""
    measure = common_measure(summaries)
    dots = []
    for summary in summaries:
        values = summary.by(measure).discovered
        mean, low, high = mean_and_interval(values)
        dots.append(
            Dot(
                label=summary.group.label,
                color=REFERENCE_COLOR if summary is reference else VARIANT_COLOR,
                value=mean,
                low=low,
                high=high,
                singles=tuple(float(value) for value in values),
            )
        )
    return dots


def drop_figure(groups: Sequence[Group], colors: Sequence[int]) -> str:
    """How many goals are lost at each time, compared with the maximum so far (paper P29)."""

    def chart(axis: Axis) -> str:
        lines = [
            _banded(group, group.drops(), color, axis, with_singles=True)
            for group, color in zip(groups, colors, strict=True)
        ]
        high = max(float(np.max(line.singles)) for line in lines if line.singles is not None)
        return line_chart(
            Chart(
                title=f"goals lost since the maximum over {axis}",
                x_label=axis,
                y_label="goals lost since the maximum",
                lines=lines,
                y_limits=(0.0, max(5.0, 1.05 * high)),
                height=240,
                tick_count=5,
            )
        )

    return _by_axis("drop", chart)


def success_figure(groups: Sequence[Group], colors: Sequence[int], order: np.ndarray) -> str:
    """Figure 2: success probability per goal over time, of each group's typical run."""
    values = [typical_map(group, "success") for group in groups]
    scale = Scale(high=1.0)
    return color_bar(scale, "success probability") + _maps(groups, colors, order, values, scale)


def sampling_figure(groups: Sequence[Group], colors: Sequence[int], order: np.ndarray) -> str:
    """Figure 3: sampling probability per goal over time, of each group's typical run."""
    values = [typical_map(group, "sampling") for group in groups]
    high = sampling_limit(values)
    scale = Scale(high=high, power=0.5, palette="magma", percent_digits=2 if high < 0.05 else 1)
    return color_bar(scale, "sampling probability") + _maps(groups, colors, order, values, scale)


def typical_map(group: Group, name: Literal["success", "sampling"]) -> np.ndarray:
    """Success or sampling of the group's typical run on the grid, shape (point, goal)."""
    run = group.typical
    return statistics.value_at(run.points, getattr(run, name), group.grid)


def map_title(group: Group) -> str:
    """The group's label and which run the map shows."""
    several = len(group.runs) > 1
    return f"{group.label}, seed {group.typical.seed}" if several else group.label


def sampling_limit(values: Sequence[np.ndarray]) -> float:
    """The end of figure 3's scale: a round number that 99.8 % of all values do not exceed.

    In the first updates a curriculum can put half of the weight on one goal.
    """
    return round_up(max(float(np.nanquantile(each, 0.998)) for each in values))


def tree_figures(groups: Sequence[Group], reference: Group) -> str:
    """Figure 4: the reference's tech tree, and those of the other groups folded in."""
    if not is_tech_tree(groups[0].runs[0].goals):
        return "<p>The goals of these runs are not those of Minecraft's tech tree.</p>"
    parts = [
        f"<details{' open' if group is reference else ''}><summary>{escape(group.label)}</summary>"
        f"{tree_html(group)}</details>"
        for group in sorted(groups, key=lambda group: group is not reference)
    ]
    return "".join(parts)


def _banded(
    group: Group, curves: np.ndarray, color: int, axis: Axis, *, with_singles: bool = False
) -> Line:
    """Mean over seeds with its 95 % band; `curves` has shape (seed, point)."""
    low, high = _band(curves)
    return Line(
        label=group.label,
        color=color,
        x=group.grid if axis == "updates" else group.grid_frames,
        y=curves.mean(axis=0),
        low=low,
        high=high,
        singles=curves if with_singles else None,
    )


def _evaluated(group: Group, color: int, axis: Axis) -> list[Line]:
    """The curve by evaluation, if there is one."""
    found = evaluation_curve(group)
    if found is None:
        return []
    updates, frames, counts = found
    low, high = _band(counts)
    return [
        Line(
            label=group.label,
            color=color,
            x=updates if axis == "updates" else frames,
            y=counts.mean(axis=0),
            low=low,
            high=high,
            is_dotted=True,
        )
    ]


def _band(curves: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Ends of the 95 % interval over seeds, nothing for a single run."""
    if len(curves) == 1:
        return None, None
    return statistics.bootstrap_interval(curves, np.random.default_rng(BOOTSTRAP_SEED))


def _maps(
    groups: Sequence[Group],
    colors: Sequence[int],
    order: np.ndarray,
    values: Sequence[np.ndarray],
    scale: Scale,
) -> str:
    names = goal_names(groups, order)
    maps = [
        heat_map(
            matrix[:, order],
            scale=scale,
            title=map_title(group),
            rows=names,
            end=int(group.grid[-1]),
            color=color,
        )
        for group, color, matrix in zip(groups, colors, values, strict=True)
    ]
    return f'<div class="heat-maps">{"".join(maps)}</div>'


def _by_axis(name: str, chart: Callable[[Axis], str]) -> str:
    """The same chart over updates and over frames; a switch shows one of them, without script."""
    return (
        '<div class="by-axis">'
        f'<input type="radio" class="pick-updates" name="{name}" id="{name}-updates" checked>'
        f'<label for="{name}-updates">updates</label>'
        f'<input type="radio" class="pick-frames" name="{name}" id="{name}-frames">'
        f'<label for="{name}-frames">frames</label>'
        f'<div class="in-updates">{chart("updates")}</div>'
        f'<div class="in-frames">{chart("frames")}</div></div>'
    )

"""The report's figures (paper P24-P27, P29): each function gives the panels of one figure."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from matplotlib.axes import Axes

from lapis.report import statistics
from lapis.report.charts import Curve, Level, curves_panel, map_panel
from lapis.report.grouping import reference_group, split_groups
from lapis.report.numbers import round_up, shorten
from lapis.report.panel import COLORS, RULE, Panel, Scale, save
from lapis.report.series import DISCOVERED, PAPER, Group, Measure, is_tech_tree
from lapis.report.summary import (
    Summary,
    by_result,
    common_frames,
    common_frames_per_update,
    common_measure,
    middle_and_interval,
    summarize,
)
from lapis.report.tech_tree import group_tree

__all__ = [
    "HEALTH",
    "assign_colors",
    "discovered",
    "evaluation_curve",
    "forgetting",
    "goal_order",
    "health",
    "sampling_maps",
    "success_maps",
    "variants",
    "write_figures",
]

HEALTH = {
    "losses.policy": "policy loss",
    "losses.value": "value loss",
    "entropy": "entropy [nats]",
    "kl": "KL divergence of an update",
    "clip_share": "share of clipped steps",
    "value_fit": "value fit (explained variance)",
    "gradient_norm": "gradient norm",
    "reward_per_step": "reward per step",
    "frames_per_second": "speed [policy steps per second]",
}
"""Metrics that tell whether the learning itself is sound, and what they are called."""

REFERENCE_COLOR, VARIANT_COLOR = 4, 5


def write_figures(groups: Sequence[Group], folder: Path) -> list[Path]:
    """Draws each figure into `folder` as PNG and SVG, and returns the paths.

    Figures 1 to 4 and that of forgetting show the treatments, one more the rivals and ablations.
    """
    treatments, others = split_groups(groups)
    reference = reference_group(treatments)
    figures = {
        "figure_1_discovered": discovered(treatments),
        "figure_2_success": success_maps(treatments, name_every=1),
        "figure_3_sampling": sampling_maps(treatments, name_every=1),
        "forgetting": forgetting(treatments),
    }
    if is_tech_tree(reference.goals):
        figures["figure_4_tech_tree"] = [group_tree(reference)]
    if others:
        frames = common_frames(groups)
        summaries = [summarize(group, frames) for group in (*others, reference)]
        figures["variants"] = variants(summaries, reference)
    return [path for name, panels in figures.items() for path in save(panels, folder, name)]


def assign_colors(groups: Sequence[Group]) -> list[int]:
    """A color's index for each group; the paper's treatments keep theirs in every report."""
    colors: list[int] = []
    for group in groups:
        own = PAPER.index(group.treatment) if group.treatment is not None else -1
        if own < 0 or own in colors:
            others = range(len(PAPER), len(COLORS))
            free = [color for color in others if color not in colors]
            own = free[0] if free else len(PAPER) + len(colors) % len(others)
        colors.append(own)
    return colors


def discovered(groups: Sequence[Group]) -> list[Panel]:
    """Figure 1: discovered goals over time, by evaluation where there is one, and by average.

    Where the groups play different numbers of frames in an update, panels over updates follow.
    """
    possible = int(groups[0].runs[0].possible.sum())
    rate = common_frames_per_update(groups)
    levels = [
        Level(each.paper_discovered, color, f"paper: {each.paper_discovered}")
        for color, each in enumerate(PAPER)
        if is_tech_tree(groups[0].goals) and each.paper_discovered is not None
    ]
    has_evaluation = any(evaluation_curve(group) is not None for group in groups)
    measures: list[Measure] = ["evaluation", "average"] if has_evaluation else ["average"]
    return [
        curves_panel(
            _discovered_curves(groups, measure, axis),
            title=f"by {measure}",
            x_label=axis,
            y_label=f"discovered goals (of {possible})",
            y_limits=(0.0, float(possible)),
            levels=levels,
            frames_per_update=rate,
            size=(4.3, 3.1),
            shares_y=True,
        )
        for axis in ("frames", *(() if rate is not None else ("updates",)))
        for measure in measures
    ]


def evaluation_curve(group: Group) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Updates and frames at which all seeds were evaluated, and what each discovered there.

    Shapes (evaluation,), (evaluation,) and (seed, evaluation); None where there are none.
    """
    known = [run.evaluation for run in group.runs if run.evaluation is not None]
    if len(known) < len(group.runs):
        return None
    common = functools.reduce(np.intersect1d, [each.updates for each in known])
    if not common.size:
        return None
    counts = [
        run.curves("evaluation")[1][1:][np.isin(each.updates, common)]
        for run, each in zip(group.runs, known, strict=True)
    ]
    return common, known[0].frames[np.isin(known[0].updates, common)], np.stack(counts)


def success_maps(groups: Sequence[Group], *, name_every: int = 5) -> list[Panel]:
    """Figure 2: success probability per goal over time, of each group's typical run."""
    return _maps(groups, "success", Scale(label="success probability"), name_every)


def sampling_maps(groups: Sequence[Group], *, name_every: int = 5) -> list[Panel]:
    """Figure 3: sampling probability per goal over time, of each group's typical run.

    The scale ends at a round number that 99.8 % of all values do not exceed: in the first updates
    a curriculum can put half of the weight on one goal.
    """
    high = round_up(max(float(np.nanquantile(_typical_map(g, "sampling"), 0.998)) for g in groups))
    scale = Scale(label="sampling probability", high=high, power=0.5, palette="magma")
    return _maps(groups, "sampling", scale, name_every)


def goal_order(group: Group) -> np.ndarray:
    """Goals in the order in which the group learns them, indices."""
    return statistics.learning_order(group.success(), DISCOVERED)


def forgetting(groups: Sequence[Group]) -> list[Panel]:
    """Goals lost at each time since the maximum so far, a panel per group (paper P29).

    Single seeds are drawn thin: they forget at different times, which a mean hides.
    """
    drops = [group.drops() for group in groups]
    high = max(5.0, 1.05 * max(float(each.max()) for each in drops))
    return [
        curves_panel(
            [_banded(group, each, color, group.grid_frames, with_singles=True)],
            title=shorten(group.label, 40),
            color=color,
            y_label="goals lost",
            y_limits=(0.0, high),
            frames_per_update=group.frames_per_update,
            is_labeled=False,
            size=(2.4, 2.4),
            shares_y=True,
        )
        for group, each, color in zip(groups, drops, assign_colors(groups), strict=True)
    ]


def variants(summaries: Sequence[Summary], reference: Group) -> list[Panel]:
    """Rivals and ablations with the reference: middle, 95 % interval and single seeds."""
    rows = by_result(summaries)
    measure = common_measure(rows)
    values = [row.discovered(measure) for row in rows]
    intervals = [middle_and_interval(each) for each in values]

    def draw(axes: Axes) -> None:
        for row, (summary, (middle, low, high)) in enumerate(zip(rows, intervals, strict=True)):
            is_reference = summary.group is reference
            ink = COLORS[REFERENCE_COLOR if is_reference else VARIANT_COLOR]
            gid = f"part-{row}"
            axes.plot([low, high], [row, row], color=ink, lw=3, alpha=0.4, gid=gid)
            singles = values[row]
            axes.plot(singles, [row] * len(singles), "|", color=ink, ms=6, mew=0.8, gid=gid)
            axes.plot(middle, row, "o", color=ink, ms=5, gid=gid)
            if is_reference:
                axes.axvline(middle, color=ink, lw=0.8, ls="--", zorder=0)
        axes.set_yticks(range(len(rows)), [shorten(each.group.label, 40) for each in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlabel(f"discovered goals, by {measure}")
        axes.grid(axis="y", lw=0.4, color=RULE)
        axes.set_axisbelow(True)

    titles = {}
    for row, (middle, low, high) in enumerate(intervals):
        spread = "" if np.isnan(low) else f" ({low:.1f} to {high:.1f})"
        titles[f"part-{row}"] = f"{rows[row].group.label}: {middle:.1f}{spread}"
    size = (5.2, 0.8 + 0.24 * len(rows))
    return [Panel(title="rivals and ablations", draw=draw, size=size, titles=titles)]


def health(groups: Sequence[Group]) -> list[Panel]:
    """Losses, entropy, KL divergence, value fit and speed over updates."""
    colors = assign_colors(groups)
    panels = []
    for name, label in HEALTH.items():
        curves = [
            _scalar_curve(group, name, color)
            for group, color in zip(groups, colors, strict=True)
            if all(name in run.scalars for run in group.runs)
        ]
        if curves:
            panels.append(
                curves_panel(
                    curves,
                    title=label,
                    x_label="updates",
                    y_label="",
                    y_limits=_robust_limits(curves),
                    is_labeled=False,
                    size=(2.8, 1.6),
                )
            )
    return panels


def _discovered_curves(groups: Sequence[Group], measure: Measure, axis: str) -> list[Curve]:
    curves = []
    for group, color in zip(groups, assign_colors(groups), strict=True):
        if measure == "average":
            updates, frames, counts = group.grid, group.grid_frames, group.discovered()
        else:
            found = evaluation_curve(group)
            if found is None:
                continue
            updates, frames, counts = found
        x = updates if axis == "updates" else frames
        curves.append(_banded(group, counts, color, x, has_dots=measure == "evaluation"))
    return curves


def _banded(
    group: Group,
    values: np.ndarray,
    color: int,
    x: np.ndarray,
    *,
    with_singles: bool = False,
    has_dots: bool = False,
) -> Curve:
    """Interquartile mean over seeds with its 95 % band; `values` has shape (seed, point)."""
    middle = statistics.interquartile_mean
    low, high = (
        statistics.bootstrap_interval(values, statistic=middle) if len(values) > 1 else (None, None)
    )
    return Curve(
        label=group.label,
        color=color,
        x=x,
        y=middle(values, axis=0),
        low=low,
        high=high,
        singles=values if with_singles else None,
        has_dots=has_dots,
    )


def _maps(
    groups: Sequence[Group], name: Literal["success", "sampling"], scale: Scale, name_every: int
) -> list[Panel]:
    # DEVIATION: all goals are rows, also those that no treatment discovers, of one typical seed.
    order = goal_order(reference_group(groups))
    rows = [groups[0].goals[index].replace("_", " ") for index in order]
    width = 2.3 if len(groups) > 1 else 4.6  # Alone it also has the names and the scale to hold.
    return [
        map_panel(
            _typical_map(group, name)[:, order],
            title=f"{group.label}, seed {group.typical.seed}"
            if len(group.runs) > 1
            else group.label,
            rows=rows,
            named_rows=range(0, len(rows), name_every),
            end=int(group.grid[-1]),
            frames_per_update=group.frames_per_update,
            scale=scale,
            size=(3.0, 5.4) if name_every > 1 else (width, 8.4),
            color=color,
        )
        for group, color in zip(groups, assign_colors(groups), strict=True)
    ]


def _typical_map(group: Group, name: Literal["success", "sampling"]) -> np.ndarray:
    """Success or sampling of the group's typical run on the grid, shape (point, goal)."""
    run = group.typical
    return statistics.value_at(run.points, getattr(run, name), group.grid)


def _scalar_curve(group: Group, name: str, color: int) -> Curve:
    """A metric at about a hundred updates, mean over seeds."""
    grid = group.grid[:: 1 + len(group.grid) // 150][1:]
    rows = [statistics.value_at(run.points[1:], run.scalars[name], grid) for run in group.runs]
    return Curve(label=group.label, color=color, x=grid, y=np.mean(rows, axis=0))


def _robust_limits(curves: Sequence[Curve]) -> tuple[float, float] | None:
    """The range of all but the most extreme hundredths, so that one spike hides nothing."""
    values = np.concatenate([curve.y[np.isfinite(curve.y)] for curve in curves])
    if values.size == 0:
        return None
    low, high = np.quantile(values, [0.01, 0.99])
    margin = 0.15 * (high - low) or 0.1 * abs(high) or 1.0
    return float(low - margin), float(high + margin)

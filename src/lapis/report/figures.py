"""The report's figures as PNG and SVG for papers (paper P24-P27, P29), drawn by matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, PowerNorm
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from lapis.report import statistics
from lapis.report.grouping import reference_group, split_groups
from lapis.report.line_chart import short_number, spread
from lapis.report.page_figures import (
    REFERENCE_COLOR,
    assign_colors,
    evaluation_curve,
    goal_names,
    goal_order,
    map_title,
    sampling_limit,
    typical_map,
    variant_dots,
)
from lapis.report.series import TREATMENTS, Group, is_tech_tree
from lapis.report.summary import (
    BOOTSTRAP_SEED,
    common_frames,
    common_frames_per_update,
    common_measure,
    summarize,
)
from lapis.report.tables import by_result
from lapis.report.techtree_figure import draw_tree

__all__ = ["write_figures"]

COLORS = (
    *("#6b7280", "#b7791f", "#00875f", "#3b9bd8", "#0b4f9e", "#c2410c"),
    *("#9d2b86", "#5b21b6", "#b91c1c", "#4d7c0f", "#0f766e", "#7c5c2b"),
)
"""Those of the page, by the same index."""
LINES = (":", "--", "-.", (0, (5, 1.5)), "-")


def write_figures(groups: Sequence[Group], folder: Path) -> list[Path]:
    """Draws each figure into `folder`, made if it does not exist, and returns the paths.

    Figures 1 to 4 and that of forgetting show the treatments, one more the rivals and ablations.
    """
    folder.mkdir(parents=True, exist_ok=True)
    treatments, variants = split_groups(groups)
    reference = reference_group(treatments)
    wide = (1.9 + 1.9 * len(treatments), 8.4)
    drawings: list[tuple[str, tuple[float, float], Callable[[Figure], None]]] = [
        (
            "figure_1_discovered",
            (8.4 if any(group.is_evaluated for group in treatments) else 6.0, 3.8),
            lambda figure: _draw_discovered(figure, treatments),
        ),
        ("figure_2_success", wide, lambda figure: _draw_success(figure, treatments)),
        ("figure_3_sampling", wide, lambda figure: _draw_sampling(figure, treatments)),
        (
            "forgetting",
            (1.0 + 1.7 * len(treatments), 2.4),
            lambda figure: _draw_drops(figure, treatments),
        ),
    ]
    if is_tech_tree(reference.runs[0].goals):
        drawings.append(
            ("figure_4_tech_tree", (9.6, 7.0), lambda figure: draw_tree(figure, reference))
        )
    if variants:
        height = 1.0 + 0.26 * (len(variants) + 1)
        drawings.append(("variants", (6.4, height), lambda figure: _draw_variants(figure, groups)))
    paths = []
    for name, size, draw in drawings:
        with matplotlib.rc_context():
            matplotlib.rc("font", size=8)
            matplotlib.rc("axes.spines", top=False, right=False)
            matplotlib.rc("svg", hashsalt="lapis")  # The same file for the same runs.
            figure = Figure(figsize=size, layout=None if "tree" in name else "constrained")
            draw(figure)
            for suffix in ("png", "svg"):
                path = folder / f"{name}.{suffix}"
                figure.savefig(path, dpi=200, metadata={"Date": None} if suffix == "svg" else None)
                paths.append(path)
    return paths


def _draw_discovered(figure: Figure, groups: Sequence[Group]) -> None:
    """By evaluation, where there is one, and by average, side by side."""
    curves = [evaluation_curve(group) for group in groups]
    has_evaluation = any(curve is not None for curve in curves)
    panels = figure.subplots(1, 2 if has_evaluation else 1, sharey=True, squeeze=False)[0]
    colors = assign_colors(groups)
    if has_evaluation:
        for curve, color in zip(curves, colors, strict=True):
            if curve is not None:
                _, frames, counts = curve
                _draw_band(panels[0], frames, counts, color, marker="o")
        panels[0].set_title("by evaluation", fontsize=8)
        panels[-1].set_title("by average", fontsize=8)
    for group, color in zip(groups, colors, strict=True):
        _draw_band(panels[-1], group.grid_frames, group.discovered(), color, label=group.label)
    if is_tech_tree(groups[0].runs[0].goals):
        for axes in panels:
            _mark_paper(axes, with_numbers=axes is panels[-1])
    possible = int(groups[0].runs[0].possible.sum())
    panels[0].set_ylabel(f"discovered goals (of {possible})")
    for axes in panels:
        axes.set_ylim(0, possible)
        _label_time(axes, groups)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=7)


def _mark_paper(axes: Axes, *, with_numbers: bool) -> None:
    """What the paper's treatments found, as dotted levels (paper P23)."""
    places = spread([treatment.paper_discovered for treatment in TREATMENTS], gap=4.0)
    for color, treatment in enumerate(TREATMENTS):
        level = treatment.paper_discovered
        axes.axhline(level, color=COLORS[color], lw=0.6, ls=(0, (1, 4)))
        if with_numbers:
            axes.annotate(
                str(level),
                (1.01, places[color]),
                xycoords=axes.get_yaxis_transform(),
                color=COLORS[color],
                va="center",
                fontsize=7,
            )


def _draw_drops(figure: Figure, groups: Sequence[Group]) -> None:
    """A panel per group, single seeds thin: they forget at different times, which a mean hides."""
    panels = figure.subplots(1, len(groups), sharey=True, squeeze=False)[0]
    for axes, group, color in zip(panels, groups, assign_colors(groups), strict=True):
        drops = group.drops()
        axes.plot(group.grid_frames, drops.T, color=COLORS[color], lw=0.5, alpha=0.6)
        _draw_band(axes, group.grid_frames, drops, color)
        axes.set_title(group.label, fontsize=7)
        axes.set_xlim(0, int(group.grid_frames[-1]))
        axes.set_xlabel("frames")
        axes.xaxis.set_major_formatter(lambda value, _: short_number(value))
        axes.xaxis.set_major_locator(MaxNLocator(3))
    panels[0].set_ylim(bottom=0)
    panels[0].set_ylabel("goals lost since the maximum")


def _draw_variants(figure: Figure, groups: Sequence[Group]) -> None:
    """Rivals and ablations with the reference: mean, 95 % interval and single seeds."""
    treatments, variants = split_groups(groups)
    base = reference_group(treatments)
    frames = common_frames(groups)
    rows = by_result([summarize(group, frames) for group in (*variants, base)])
    reference = next(each for each in rows if each.group is base)
    axes = figure.add_subplot()
    for row, dot in enumerate(variant_dots(rows, reference)):
        ink = COLORS[dot.color]
        axes.plot([dot.low, dot.high], [row, row], color=ink, lw=3, alpha=0.4)
        axes.plot(dot.singles, [row] * len(dot.singles), "|", color=ink, ms=6, mew=0.8)
        axes.plot(dot.value, row, "o", color=ink, ms=5)
        if dot.color == REFERENCE_COLOR:
            axes.axvline(dot.value, color=ink, lw=0.8, ls="--", zorder=0)
    axes.set_yticks(range(len(rows)), [each.group.label for each in rows])
    axes.set(ylim=(len(rows) - 0.4, -0.6))
    axes.set_xlabel(f"discovered goals, by {common_measure(rows)}")
    axes.grid(axis="y", lw=0.4, color="0.9")
    axes.set_axisbelow(True)


def _draw_success(figure: Figure, groups: Sequence[Group]) -> None:
    values = [typical_map(group, "success") for group in groups]
    norm = Normalize(0.0, 1.0)
    _draw_maps(figure, groups, values, norm, "viridis", "success probability")


def _draw_sampling(figure: Figure, groups: Sequence[Group]) -> None:
    values = [typical_map(group, "sampling") for group in groups]
    norm = PowerNorm(0.5, 0.0, sampling_limit(values))
    _draw_maps(figure, groups, values, norm, "magma", "sampling probability")


def _draw_band(
    axes: Axes,
    frames: np.ndarray,
    curves: np.ndarray,
    color: int,
    *,
    label: str | None = None,
    marker: str = "",
) -> None:
    """Mean over seeds with its 95 % band; `curves` has shape (seed, point)."""
    low, high = statistics.bootstrap_interval(curves, np.random.default_rng(BOOTSTRAP_SEED))
    ink, line = COLORS[color], LINES[min(color, len(LINES) - 1)]
    if len(curves) > 1:
        axes.fill_between(frames, low, high, color=ink, alpha=0.18, lw=0)
    mean = curves.mean(axis=0)
    axes.plot(frames, mean, color=ink, ls=line, lw=1.5, label=label, marker=marker, ms=2.5)


def _label_time(axes: Axes, groups: Sequence[Group]) -> None:
    """Frames below and, where all groups play as many frames in an update, updates above."""
    axes.set_xlim(0, max(int(group.grid_frames[-1]) for group in groups))
    axes.set_xlabel("frames")
    axes.xaxis.set_major_formatter(lambda value, _: short_number(value))
    rate = common_frames_per_update(groups)
    if rate is not None:
        above = axes.secondary_xaxis(
            "top",
            functions=(lambda x: np.divide(x, rate), lambda x: np.multiply(x, rate)),
        )
        above.set_xlabel("updates")
        above.xaxis.set_major_formatter(lambda value, _: short_number(value))
        above.tick_params(labelsize=axes.xaxis.get_ticklabels()[0].get_fontsize())


def _draw_maps(
    figure: Figure,
    groups: Sequence[Group],
    values: Sequence[np.ndarray],
    norm: Normalize,
    palette: str,
    label: str,
) -> None:
    """One map per group with a common scale; every goal is named at the left."""
    order = goal_order(reference_group(groups))
    axes = figure.subplots(1, len(groups), sharey=True, squeeze=False)[0]
    image = None
    for each, group, matrix in zip(axes, groups, values, strict=True):
        image = each.imshow(
            matrix[:, order].T,
            aspect="auto",
            interpolation="nearest",
            extent=(0.0, float(group.grid_frames[-1]), len(order) - 0.5, -0.5),
            norm=norm,
            cmap=palette,
        )
        each.set_title(map_title(group), fontsize=7)
        each.tick_params(axis="x", labelsize=6)
        _label_time(each, [group])
        each.tick_params(axis="y", left=each is axes[0])
    axes[0].set_yticks(range(len(order)), goal_names(groups, order), fontsize=4.5)
    axes[0].tick_params(axis="y", length=1, pad=1)
    assert image is not None
    figure.colorbar(image, ax=list(axes), label=label, shrink=0.5)

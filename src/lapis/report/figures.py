"""The report's figures as PNG and SVG for papers (paper P24-P27, P29), drawn by matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, PowerNorm
from matplotlib.figure import Figure

from lapis.report import statistics
from lapis.report.line_chart import short_number, spread
from lapis.report.page_figures import (
    assign_colors,
    evaluation_curve,
    goal_names,
    goal_order,
    reference_group,
    sampling_limit,
)
from lapis.report.series import TREATMENTS, Group, is_tech_tree
from lapis.report.summary import BOOTSTRAP_SEED
from lapis.report.techtree_figure import draw_tree

__all__ = ["write_figures"]

COLORS = (
    *("#6b7280", "#b7791f", "#00875f", "#3b9bd8", "#0b4f9e", "#c2410c"),
    *("#9d2b86", "#5b21b6", "#b91c1c", "#4d7c0f", "#0f766e", "#7c5c2b"),
)
"""Those of the page, by the same index."""
LINES = (":", "--", "-.", (0, (5, 1.5)), "-")


def write_figures(groups: Sequence[Group], folder: Path) -> list[Path]:
    """Draws each figure into `folder`, made if it does not exist, and returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    reference = reference_group(groups)
    panels = len(groups)
    drawings: list[tuple[str, tuple[float, float], Callable[[Figure], None]]] = [
        ("figure_1_discovered", (6.4, 3.8), lambda figure: _draw_discovered(figure, groups)),
        (
            "figure_2_success",
            (1.9 + 1.9 * panels, 8.4),
            lambda figure: _draw_success(figure, groups),
        ),
        (
            "figure_3_sampling",
            (1.9 + 1.9 * panels, 8.4),
            lambda figure: _draw_sampling(figure, groups),
        ),
        ("forgetting", (6.4, 2.8), lambda figure: _draw_drops(figure, groups)),
    ]
    if is_tech_tree(reference.runs[0].goals):
        drawings.append(
            ("figure_4_tech_tree", (9.6, 5.2), lambda figure: draw_tree(figure, reference))
        )
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
    axes = figure.add_subplot()
    possible = int(groups[0].runs[0].possible.sum())
    for group, color in zip(groups, assign_colors(groups), strict=True):
        _draw_band(axes, group, group.discovered(), color)
        evaluation = evaluation_curve(group)
        if evaluation is not None:
            updates, _, counts = evaluation
            axes.plot(updates, counts.mean(axis=0), "o-", ms=3, lw=0.6, color=COLORS[color])
    if is_tech_tree(groups[0].runs[0].goals):
        places = spread([treatment.paper_discovered for treatment in TREATMENTS], gap=4.0)
        for color, treatment in enumerate(TREATMENTS):
            level = treatment.paper_discovered
            axes.axhline(level, color=COLORS[color], lw=0.6, ls=(0, (1, 4)))
            axes.annotate(
                str(level),
                (1.01, places[color]),
                xycoords=axes.get_yaxis_transform(),
                color=COLORS[color],
                va="center",
                fontsize=7,
            )
    axes.set(ylim=(0, possible), ylabel=f"discovered goals (of {possible})")
    _label_time(axes, groups)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=7)


def _draw_drops(figure: Figure, groups: Sequence[Group]) -> None:
    axes = figure.add_subplot()
    for group, color in zip(groups, assign_colors(groups), strict=True):
        drops = [statistics.drop_from_maximum(run.discovered()) for run in group.runs]
        _draw_band(axes, group, group.on_grid(drops), color)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("goals lost since the maximum")
    _label_time(axes, groups)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=7)


def _draw_success(figure: Figure, groups: Sequence[Group]) -> None:
    values = [group.success().mean(axis=0) for group in groups]
    norm = Normalize(0.0, 1.0)
    _draw_maps(figure, groups, values, norm, "viridis", "success probability")


def _draw_sampling(figure: Figure, groups: Sequence[Group]) -> None:
    values = [group.sampling().mean(axis=0) for group in groups]
    norm = PowerNorm(0.5, 0.0, sampling_limit(values))
    _draw_maps(figure, groups, values, norm, "magma", "sampling probability")


def _draw_band(axes: Axes, group: Group, curves: np.ndarray, color: int) -> None:
    low, high = statistics.bootstrap_interval(curves, np.random.default_rng(BOOTSTRAP_SEED))
    ink, line = COLORS[color], LINES[min(color, len(LINES) - 1)]
    if len(curves) > 1:
        axes.fill_between(group.grid, low, high, color=ink, alpha=0.18, lw=0)
    axes.plot(group.grid, curves.mean(axis=0), color=ink, ls=line, lw=1.5, label=group.label)


def _label_time(axes: Axes, groups: Sequence[Group]) -> None:
    """Updates below and, where all groups play as many frames in an update, frames above."""
    axes.set_xlim(0, max(int(group.grid[-1]) for group in groups))
    axes.set_xlabel("updates")
    rates = {float(group.grid_frames[-1] / group.grid[-1]) for group in groups}
    if len(rates) == 1:
        rate = rates.pop()
        above = axes.secondary_xaxis(
            "top",
            functions=(lambda x: np.multiply(x, rate), lambda x: np.divide(x, rate)),
        )
        above.set_xlabel("frames")
        above.xaxis.set_major_formatter(lambda value, _: short_number(value))


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
            extent=(0.0, float(group.grid[-1]), len(order) - 0.5, -0.5),
            norm=norm,
            cmap=palette,
        )
        each.set_title(group.label, fontsize=7)
        each.set_xlabel("updates")
        each.tick_params(axis="x", labelsize=6)
        each.tick_params(axis="y", left=each is axes[0])
    axes[0].set_yticks(range(len(order)), goal_names(groups, order), fontsize=4.5)
    axes[0].tick_params(axis="y", length=1, pad=1)
    assert image is not None
    figure.colorbar(image, ax=list(axes), label=label, shrink=0.5)

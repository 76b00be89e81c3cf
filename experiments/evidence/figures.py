"""The figures of the pages, by the names of their files in docs/figures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import floor
from experiments.evidence import simulation
from experiments.evidence.tables import groups_of, simulated
from lapis.report import figures, statistics
from lapis.report.charts import Curve, curves_panel
from lapis.report.grouping import reference_group, split_groups
from lapis.report.panel import Panel, save
from lapis.report.series import Group
from lapis.report.summary import common_frames, summarize
from lapis.report.tech_tree import group_tree
from lapis.report.theory import theory_figures
from lapis.simulate import write_simulation_figures

__all__ = ["FIGURES", "cycles", "draw_all"]


def draw_all(folder: Path) -> list[Path]:
    """Draws every figure that comes from a table, or from a formula, into `folder`."""
    paths = []
    for name, (draw, source) in FIGURES.items():
        paths += save(draw(groups_of(source)), folder, name, formats=["png"])
    for name, panels in {"floor": _floor(), **theory_figures()}.items():
        paths += save(panels, folder, name, formats=["png"])
    return [*paths, *write_simulation_figures(simulation.load("0-9"), folder)]


Draw = Callable[[tuple[Group, ...]], list[Panel]]


def _paper(draw: Callable[..., list[Panel]], **options: Any) -> Draw:
    """The figure of the paper's treatments alone, where a folder has them."""
    return lambda groups: draw(split_groups(groups)[0], **options)


def _tree(groups: tuple[Group, ...]) -> list[Panel]:
    return [group_tree(reference_group(split_groups(groups)[0]))]


_discovered, _forgetting = _paper(figures.discovered), _paper(figures.forgetting)
_success_maps = _paper(figures.success_maps, name_every=1)
_sampling_maps = _paper(figures.sampling_maps, name_every=1)


def _variants(groups: tuple[Group, ...]) -> list[Panel]:
    frames = common_frames(groups)
    return figures.variants([summarize(each, frames) for each in groups], reference_group(groups))


def cycles(groups: tuple[Group, ...]) -> list[Panel]:
    """Discovered goals by evaluation, a panel per group and a line per seed (paper P29)."""
    panels = []
    for group, color in zip(groups, figures.assign_colors(groups), strict=True):
        evaluated = figures.evaluation_curve(group)
        assert evaluated is not None, f"{group.label} was not evaluated"
        _, frames, counts = evaluated
        middle = statistics.interquartile_mean(counts, axis=0)
        panels.append(
            curves_panel(
                [Curve(label=group.label, color=color, x=frames, y=middle, singles=counts)],
                title=group.label,
                color=color,
                y_label="discovered goals, by evaluation",
                y_limits=(0.0, 107.0),
                is_labeled=False,
                size=(2.6, 2.8),
                shares_y=True,
            )
        )
    return panels


def _cycles(groups: tuple[Group, ...]) -> list[Panel]:
    whole = [each for each in groups if each.name == "unidirectional_no_floor"]
    return cycles((*whole, *groups_of("demo_early")))


FIGURES: dict[str, tuple[Draw, str]] = {
    "results_1": (_discovered, "techtree_h200"),
    "results_2": (_success_maps, "techtree_h200"),
    "results_3": (_sampling_maps, "techtree_h200"),
    "results_forgetting": (_forgetting, "techtree_h200"),
    "results_long_1": (_discovered, "techtree_h200_long"),
    "results_long_4": (_tree, "techtree_h200_long"),
    "results_demo_1": (_discovered, "demo"),
    "results_cycles": (_cycles, "demo"),
    "results_variants": (_variants, "techtree_variants"),
    "xland_1": (figures.discovered, "xland"),
    "craftax_1": (figures.discovered, "craftax"),
    "visual_1": (_discovered, "visual_h200_items"),
    "visual_2": (_success_maps, "visual_h200_items"),
    "visual_3": (_sampling_maps, "visual_h200_items"),
    "visual_4": (_tree, "visual_h200_items"),
}
"""What draws a figure, and the folder of `experiments/results` that it is drawn from."""


def _floor() -> list[Panel]:
    """Known goals of the simulated learner with and without the floor."""
    table = simulated("100-109")
    updates = np.arange(floor.RECORD_EVERY, floor.UPDATE_COUNT + 1, floor.RECORD_EVERY)
    curves = []
    for name, color in {
        "paper": 1,
        "paper, floor 0.25": 4,
        "all updates": 2,
        "all updates, optimism 3": 3,
    }.items():
        known, _ = table[name]
        low, high = statistics.bootstrap_interval(known, statistic=statistics.interquartile_mean)
        middle = statistics.interquartile_mean(known, axis=0)
        curves.append(Curve(label=name, color=color, x=updates, y=middle, low=low, high=high))
    return [
        curves_panel(
            curves,
            title="known goals",
            x_label="updates",
            y_label="known goals (of 107)",
            y_limits=(0.0, 107.0),
            size=(6.4, 3.6),
        )
    ]

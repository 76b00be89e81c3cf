"""Figures of the simulated learner, after the paper's figures 1 to 3 (paper P24-P26)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import stats

from lapis.curriculum.simulation import KNOWN_SUCCESS, History, TaskGraph
from lapis.minecraft import goals
from lapis.report.charts import Curve, curves_panel, map_panel
from lapis.report.panel import Panel, Scale, save
from lapis.report.statistics import learning_order

__all__ = ["mean_and_interval", "minecraft_graph", "write_simulation_figures"]

COLORS = (0, 3, 4, 2, 1)
"""Those of the report, in which the last three teachers are the paper's treatments."""


def minecraft_graph() -> TaskGraph:
    """The goals of Simon Says that can be obtained, as tasks of the simulated learner."""
    groups = {
        name: goals.GROUPS[group]
        for name, group in zip(goals.GOALS, goals.GOAL_GROUP[: len(goals.GOALS)], strict=True)
    }
    return TaskGraph.from_names({name: goals.PREREQUISITES[name] for name in goals.GOALS}, groups)


def mean_and_interval(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean over the first axis (seeds) and half the width of its 95 % interval (Student's t).

    With one seed the half width is NaN: one run says nothing about the spread.
    """
    values = np.asarray(values, dtype=np.float64)
    count = values.shape[0]
    if count == 1:
        return values[0], np.full_like(values[0], np.nan)
    return values.mean(axis=0), stats.t.ppf(0.975, count - 1) * stats.sem(values)


def write_simulation_figures(runs: dict[str, list[History]], folder: Path) -> list[Path]:
    """Draws the three figures into `folder` and returns their paths.

    Args:
        runs: For each teacher's name its runs, one per seed. Rows of the heat maps are ordered as
            the last teacher's first run learns the tasks.
        folder: Made if it does not exist.
    """
    if not 1 <= len(runs) <= len(COLORS):
        raise ValueError(f"runs must hold 1 to {len(COLORS)} teachers, not {len(runs)}")
    order = learning_order(list(runs.values())[-1][0].success[None], KNOWN_SUCCESS)
    figures = {
        "simulation_1": [_known_tasks(runs)],
        "simulation_2": _maps(runs, "success", order, 1.0),
        "simulation_3": _maps(runs, "sampling", order, 0.1),
    }
    return [
        path
        for name, panels in figures.items()
        for path in save(panels, folder, name, formats=["png"])
    ]


def _known_tasks(runs: dict[str, list[History]]) -> Panel:
    """Known tasks over time: a thin line per seed, the mean, and its 95 % interval."""
    curves = []
    for (name, histories), color in zip(runs.items(), COLORS, strict=False):
        known = np.array([history.known for history in histories])
        mean, half = mean_and_interval(known)
        curves.append(
            Curve(
                label=name,
                color=color,
                x=histories[0].update,
                y=mean,
                low=mean - half,
                high=mean + half,
                singles=known,
            )
        )
    task_count = next(iter(runs.values()))[0].success.shape[1]
    return curves_panel(
        curves,
        title="known tasks",
        x_label="updates",
        y_label=f"known tasks (of {task_count})",
        y_limits=(0.0, float(task_count)),
        size=(6.4, 3.8),
    )


def _maps(runs: dict[str, list[History]], name: str, order: np.ndarray, high: float) -> list[Panel]:
    """One heat map of task over time per teacher, with a common color scale."""
    scale = Scale(label=f"{name} probability", high=high, palette="magma_r")
    return [
        map_panel(
            getattr(histories[0], name)[:, order],
            title=teacher,
            rows=[str(rank) for rank in range(1, len(order) + 1)],
            named_rows=range(9, len(order), 10),
            end=int(histories[0].update[-1]),
            scale=scale,
            y_label="task, in order of learning",
            size=(2.8, 4.2),
        )
        for teacher, histories in runs.items()
    ]

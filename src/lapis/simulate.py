"""What a curriculum does, in a minute or two and without an agent: the simulated learner."""

from __future__ import annotations

import functools
import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy import stats

from lapis.curriculum import LearningProgress, Teacher, Uniform
from lapis.curriculum.simulation import (
    KNOWN_SUCCESS,
    History,
    Simulation,
    TaskGraph,
    largest_cycle,
    largest_drop,
)
from lapis.minecraft import goals
from lapis.report.charts import Curve, curves_panel, map_panel
from lapis.report.panel import Panel, Scale, save
from lapis.report.statistics import learning_order

CYCLE = 0.2
"""Share of the known tasks that must be lost, and regained, for a run to count as cycling."""

TEACHERS: dict[str, Callable[[int], Teacher]] = {
    "uniform": Uniform,
    "unidirectional": lambda task_count: LearningProgress(task_count, direction="up"),
    "bidirectional": LearningProgress,
}
COLORS = (0, 3, 4, 2, 1)
"""Those of the report, in which the last three teachers are the paper's treatments."""


def run_simulation(
    output: Path,
    *,
    seeds: Sequence[int] = (0, 1, 2),
    update_count: int = 50_000,
    process_count: int | None = None,
    console: Console | None = None,
) -> dict[str, list[History]]:
    """Runs the simulated learner on Minecraft's tech tree, prints a table and writes figures.

    Each teacher has one run per seed. The paper's runs have 50,000 updates. There is one process
    per core unless `process_count` says otherwise.
    """
    console = Console() if console is None else console
    runs = run_teachers(
        seeds=seeds,
        update_count=update_count,
        process_count=process_count or os.cpu_count() or 1,
        console=console,
    )
    console.print(summary(runs))
    for path in write_simulation_figures(runs, output):
        console.print(f"wrote {path}", soft_wrap=True)
    return runs


def run_teachers(
    *, seeds: Sequence[int], update_count: int, process_count: int, console: Console
) -> dict[str, list[History]]:
    """Histories of each teacher, one per seed, with a progress bar on the console."""
    jobs = [(name, seed) for name in TEACHERS for seed in seeds]
    runs: dict[str, list[History]] = {name: [] for name in TEACHERS}
    # Processes that start afresh: forking a program that has threads can hang.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(process_count, len(jobs)), mp_context=fresh) as pool:
        histories = pool.map(functools.partial(_run, update_count), *zip(*jobs, strict=True))
        shown = track(histories, "simulated learners", total=len(jobs), console=console)
        for (name, _), history in zip(jobs, shown, strict=True):
            runs[name].append(history)
    return runs


def summary(runs: dict[str, list[History]]) -> Table:
    """Known tasks at the end and the cycles of each teacher."""
    task_count = next(iter(runs.values()))[0].success.shape[1]
    table = Table(title=f"Simulated learner, {task_count} goals of Minecraft's tech tree")
    table.add_column("teacher")
    headings = ("seeds", "known at the end", "95 % interval", "largest drop", "lost a fifth")
    for heading in (*headings, "and regained it"):
        table.add_column(heading, justify="right")
    for name, histories in runs.items():
        known = np.array([history.known for history in histories])
        mean, half = mean_and_interval(known[:, -1])
        interval = "-" if np.isnan(half) else f"{mean - half:.1f} to {mean + half:.1f}"
        drops = [largest_drop(one) for one in known]
        lost = sum(drop >= CYCLE for drop in drops)
        regained = sum(largest_cycle(one) >= CYCLE for one in known)
        counts = (f"{max(drops):.0%}", str(lost), str(regained))
        table.add_row(name, str(len(known)), f"{mean:.1f}", interval, *counts)
    return table


def _run(update_count: int, name: str, seed: int) -> History:
    graph = minecraft_graph()
    return Simulation(graph, seed).run(TEACHERS[name](graph.task_count), update_count)


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
    """Draws figures after the paper's 1 to 3 into `folder` (paper P24-P26); returns their paths.

    Rows of the heat maps are ordered as the last teacher's first run learns the tasks.
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

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

from lapis.curriculum import LearningProgress, Teacher, Uniform
from lapis.curriculum.simulation import History, Simulation, largest_cycle, largest_drop
from lapis.report.simulation import mean_and_interval, minecraft_graph, write_simulation_figures

CYCLE = 0.2
"""Share of the known tasks that must be lost, and regained, for a run to count as cycling."""

TEACHERS: dict[str, Callable[[int], Teacher]] = {
    "uniform": Uniform,
    "unidirectional": lambda task_count: LearningProgress(task_count, direction="up"),
    "bidirectional": LearningProgress,
}


def run_simulation(
    output: Path,
    *,
    seeds: Sequence[int] = (0, 1, 2),
    update_count: int = 50_000,
    process_count: int | None = None,
    console: Console | None = None,
) -> dict[str, list[History]]:
    """Runs the simulated learner on Minecraft's tech tree, prints a table and writes figures.

    Args:
        output: Folder for the figures.
        seeds: Each teacher has one run per seed.
        update_count: Updates per run; the paper's runs have 50,000.
        process_count: Processes to use; None for one per core.
        console: Where to print; None for the terminal.
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

"""Figures of the simulated learner, after the paper's figures 1 to 3 (paper P24-P26)."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from lapis.curriculum.simulation import KNOWN_SUCCESS, History, TaskGraph
from lapis.minecraft import goals
from lapis.report.statistics import learning_order

COLORS = ("#D55E00", "#56B4E9", "#0072B2", "#009E73", "#B8860B")
LINES = ("--", "-", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))


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
    if count > len(_STUDENT) + 1:
        raise ValueError(f"values must hold at most {len(_STUDENT) + 1} seeds, not {count}")
    half = _STUDENT[count - 2] * values.std(axis=0, ddof=1) / np.sqrt(count)
    return values.mean(axis=0), half


def write_simulation_figures(runs: dict[str, list[History]], folder: Path) -> list[Path]:
    """Draws the three figures into `folder` and returns their paths.

    Args:
        runs: For each teacher's name its runs, one per seed. Rows of the heat maps are ordered as
            the last teacher's first run learns the tasks.
        folder: Made if it does not exist.
    """
    if not 1 <= len(runs) <= len(COLORS):
        raise ValueError(f"runs must hold 1 to {len(COLORS)} teachers, not {len(runs)}")
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"simulation_{number}.png" for number in (1, 2, 3)]
    order = learning_order(list(runs.values())[-1][0].success[None], KNOWN_SUCCESS)
    with plt.rc_context({"font.size": 9}):
        figure, axes = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
        _draw_known(axes, runs)
        figure.savefig(paths[0], dpi=150)
        plt.close(figure)
        success = {name: histories[0].success[:, order] for name, histories in runs.items()}
        sampling = {name: histories[0].sampling[:, order] for name, histories in runs.items()}
        _write_heat_maps(success, 1.0, runs, "success probability", paths[1])
        _write_heat_maps(sampling, 0.1, runs, "sampling probability", paths[2])
    return paths


_STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093),
)
"""97.5 % quantiles of Student's t with 1, 2, ... degrees of freedom."""


def _draw_known(axes: Axes, runs: dict[str, list[History]]) -> None:
    """Known tasks over time: a thin line per seed, the mean, and its 95 % interval."""
    for (name, histories), color, line in zip(runs.items(), COLORS, LINES, strict=False):
        update = histories[0].update
        known = np.array([history.known for history in histories])
        mean, half = mean_and_interval(known)
        axes.plot(update, known.T, color=color, linewidth=0.4, alpha=0.45)
        axes.fill_between(update, mean - half, mean + half, color=color, alpha=0.2, linewidth=0)
        axes.plot(update, mean, color=color, linestyle=line, linewidth=2.0, label=name)
    any_run = next(iter(runs.values()))[0]
    task_count = any_run.success.shape[1]
    axes.set(xlabel="update", ylabel=f"known tasks (of {task_count})", ylim=(0.0, task_count))
    axes.set_xlim(0.0, any_run.update[-1])
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="upper left", frameon=False)


def _write_heat_maps(
    values: dict[str, np.ndarray],
    largest: float,
    runs: dict[str, list[History]],
    label: str,
    path: Path,
) -> None:
    """One heat map of task over time per teacher, with a common color scale."""
    width = 1.2 + 2.6 * len(values)
    figure, axes = plt.subplots(
        1, len(values), figsize=(width, 4.2), layout="constrained", sharey=True, squeeze=False
    )
    image = None
    for one, (name, matrix) in zip(axes[0], values.items(), strict=True):
        last = runs[name][0].update[-1]
        image = one.imshow(
            matrix.T,
            aspect="auto",
            origin="upper",
            extent=(0.0, last / 1000.0, matrix.shape[1], 0.0),
            vmin=0.0,
            vmax=largest,
            cmap="magma_r",
            interpolation="nearest",
        )
        one.set(xlabel="thousand updates", title=name)
    axes[0][0].set_ylabel("task, in order of learning")
    assert image is not None
    figure.colorbar(image, ax=axes[0], label=label, extend="max" if largest < 1.0 else "neither")
    figure.savefig(path, dpi=150)
    plt.close(figure)

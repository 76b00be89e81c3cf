"""Draws what teachers reach in the large spaces, and when a cluster sees a change before a task.

python -m benchmarks.large_figure docs/figures/large_spaces.png
"""

from __future__ import annotations

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from benchmarks.large_spaces import RUNS, UPDATE_COUNT, read
from lapis.curriculum.simulation import SPACES

TEACHERS = ("oracle", "clusters", "function", "magellan", "uniform", "table")


def attempts_to_see(
    change: float, success: float, together: float, sizes: np.ndarray
) -> np.ndarray:
    """Attempts per task until a change of a cluster's success is two standard deviations.

    `together` is the share of the cluster's tasks that change. Before and after have the same
    number of attempts n per task, so that q d = 2 sqrt(2 p (1 - p) / (n m)).
    """
    return 8.0 * success * (1.0 - success) / (sizes * (together * change) ** 2)


def draw_runs(axes: Axes, space: str, runs: list[dict]) -> None:
    """Mean share of the reached tasks over the runs of each teacher."""
    for color, teacher in enumerate(TEACHERS):
        found = [
            each["reached"] for each in runs if (each["space"], each["teacher"]) == (space, teacher)
        ]
        if found:
            update = np.linspace(0, UPDATE_COUNT, len(found[0]) + 1)[1:]
            axes.plot(update, 100 * np.mean(found, axis=0), color=f"C{color}", label=teacher)
    axes.set(title=space, xlabel="update", ylabel="reached tasks [%]", ylim=(0, 102))


def main() -> None:
    """Writes the figure."""
    figure, panels = plt.subplots(2, 2, figsize=(8, 6), layout="constrained")
    runs = [each for each in read(RUNS) if each["seed"] >= 100]
    for axes, space in zip(panels.flat, SPACES, strict=False):
        draw_runs(axes, space, runs)
    panels.flat[0].legend(frameon=False)
    sizes = np.logspace(0, 4, 50)
    last = panels.flat[3]
    for together in (1.0, 0.3, 0.1, 0.03):
        last.loglog(sizes, attempts_to_see(0.2, 0.1, together, sizes), label=f"{together:.0%}")
    last.axhline(attempts_to_see(0.2, 0.1, 1.0, np.ones(1))[0], color="gray", linestyle=":")
    last.set(title="0.1 rises to 0.3 for so many tasks", xlabel="tasks in the cluster")
    last.set_ylabel("attempts per task to see it")
    last.legend(frameon=False)
    figure.savefig(sys.argv[1], dpi=80)


if __name__ == "__main__":
    main()

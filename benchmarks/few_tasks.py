"""Clusters and a table on few tasks: the 107 goals of the simulated learner, without features.

Each of the 107 goals is a cluster then, and a function is the same thing. All have a floor of 0.1.

    python -m benchmarks.few_tasks --first-seed 100 --seeds 5     # some minutes on one core
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from benchmarks.large_spaces import STUDENT_95
from lapis.curriculum import ClusteredProgress, LearningProgress, Teacher
from lapis.curriculum.simulation import Simulation
from lapis.simulate import minecraft_graph

UPDATE_COUNT = 50_000
TEACHERS: dict[str, Callable[[int], Teacher]] = {
    "table": lambda count: LearningProgress(count, floor=0.1),
    "clusters": lambda count: ClusteredProgress(count, floor=0.1),
}


def main() -> None:
    """Prints the known goals of each run, and their means with 95 % intervals (Student's t)."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--first-seed", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=5)
    asked = parser.parse_args()
    graph = minecraft_graph()
    found: dict[str, list[int]] = {name: [] for name in TEACHERS}
    for seed in range(asked.first_seed, asked.first_seed + asked.seeds):
        for name, make in TEACHERS.items():
            history = Simulation(graph, seed).run(make(graph.task_count), UPDATE_COUNT)
            known = found[name]
            known.append(int(history.known[-1]))
            print(seed, name, known[-1], round(float(history.known.mean()), 1), flush=True)
    for name, known in found.items():
        if len(known) > 1:
            half = STUDENT_95[len(known)] * np.std(known, ddof=1) / np.sqrt(len(known))
            print(f"{name}: {np.mean(known):.1f} +- {half:.1f}")


if __name__ == "__main__":
    main()

"""What the floor does for the curriculum and what could replace it, in the simulated learner.

107 goals of the tech tree, 50,000 updates, each row below with the same seeds. What is kept of a
run, every 100 updates: the number of goals known by their true success, and the share of the
samples that goes to known goals which do not change.

    python -m benchmarks.floor --first-seed 100 --seeds 10      # about 15 minutes on two cores

Tables go to experiments/results/simulated_floor; `make evidence` draws and prints from them.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lapis.curriculum import LearningProgress, Uniform
from lapis.curriculum.simulation import KNOWN_SUCCESS, History, LearnerModel, Simulation
from lapis.simulate import minecraft_graph

FOLDER = Path(__file__).parents[1] / "experiments/results/simulated_floor"
UPDATE_COUNT = 50_000
RECORD_EVERY = 100
SIGHT = 10
"""Records, of 100 updates each: changes are looked for within 1,000 updates before and after."""
STILL = 0.02
"""Change of the true success that counts as none."""

_ALL = {"averaging": "all_updates"}
_PAPER_SCALE = {"attempt_count": 11}
ROWS: dict[str, dict[str, Any]] = {
    "uniform": {},
    "paper": {},
    "paper, floor 0.1": {"floor": 0.1},
    "paper, floor 0.25": {"floor": 0.25},
    "noise 1": {"noise_shrinkage": 1.0},
    "optimism 0.3": {"optimism": 0.3},
    "all updates": _ALL,
    "all updates, floor 0.25": {**_ALL, "floor": 0.25},
    "all updates, noise 1": {**_ALL, "noise_shrinkage": 1.0},
    "all updates, optimism 0.1": {**_ALL, "optimism": 0.1},
    "all updates, optimism 0.3": {**_ALL, "optimism": 0.3},
    "all updates, optimism 1": {**_ALL, "optimism": 1.0},
    "all updates, optimism 3": {**_ALL, "optimism": 3.0},
    "all updates, optimism 10": {**_ALL, "optimism": 10.0},
    "all updates, noise 1, optimism 0.3": {**_ALL, "noise_shrinkage": 1.0, "optimism": 0.3},
    "all updates, noise 1, optimism 1": {**_ALL, "noise_shrinkage": 1.0, "optimism": 1.0},
    "optimism 1": {"optimism": 1.0},
    "all updates, optimism 1, floor 0.25": {**_ALL, "optimism": 1.0, "floor": 0.25},
    "up": {"direction": "up"},
    "up, floor 0.25": {"direction": "up", "floor": 0.25},
    "up, all updates, optimism 0.3": {**_ALL, "direction": "up", "optimism": 0.3},
    "up, all updates, optimism 1": {**_ALL, "direction": "up", "optimism": 1.0},
    "11 attempts": _PAPER_SCALE,
    "11 attempts, floor 0.25": {**_PAPER_SCALE, "floor": 0.25},
    "11 attempts, all updates": {**_PAPER_SCALE, **_ALL},
    "11 attempts, all updates, optimism 0.3": {**_PAPER_SCALE, **_ALL, "optimism": 0.3},
    "11 attempts, all updates, optimism 1": {**_PAPER_SCALE, **_ALL, "optimism": 1.0},
}
"""Options of the curriculum by the name of the row; `attempt_count` is the learner's."""


def run(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Known goals, and the share of samples on known goals that do not change, shape (record,)."""
    graph = minecraft_graph()
    options = dict(ROWS[name])
    model = LearnerModel(attempt_count=options.pop("attempt_count", 50))
    teacher = Uniform if name == "uniform" else partial(LearningProgress, **options)
    simulation = Simulation(graph, seed, model)
    history = simulation.run(teacher(graph.task_count), UPDATE_COUNT, RECORD_EVERY)
    return history.known, idle_share(history)


def idle_share(history: History) -> np.ndarray:
    """Share of the samples on known goals whose true success does not change, shape (record,).

    That is, by no more than `STILL` from `SIGHT` records before to `SIGHT` after; not-a-number
    where a record has no such neighbors.
    """
    share = np.full(history.update.size, np.nan)
    success = history.success
    is_still = np.abs(success[2 * SIGHT :] - success[: -2 * SIGHT]) <= STILL
    is_known = success[SIGHT:-SIGHT] > KNOWN_SUCCESS
    share[SIGHT:-SIGHT] = (history.sampling[SIGHT:-SIGHT] * (is_still & is_known)).sum(axis=1)
    return share


def read_table(path: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Known goals and idle shares by the name of the row, both of shape (seed, record)."""
    with np.load(path, allow_pickle=False) as arrays:
        rows = zip(arrays["known"].astype(int), arrays["idle"].astype(float), strict=True)
        return dict(zip(arrays["rows"].tolist(), rows, strict=True))


def write_table(path: Path, table: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> None:
    """Writes what `read_table` reads, in the order of `ROWS`."""
    names = sorted(table, key=list(ROWS).index)
    known, idle = zip(*(table[name] for name in names), strict=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path,
        rows=np.array(names),
        known=np.array(known, dtype=np.uint8),
        idle=np.array(idle, dtype=np.float16),
    )


def main() -> None:
    """Runs rows with all seeds; those that the table has already are replaced."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rows", default="|".join(ROWS), help="names with | between them")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args()
    seeds = range(asked.first_seed, asked.first_seed + asked.seeds)
    path = asked.folder / f"seeds-{seeds[0]}-{seeds[-1]}.npz"
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), mp_context=fresh) as pool:
        for name in asked.rows.split("|"):
            known, idle = map(np.array, zip(*pool.map(partial(run, name), seeds), strict=True))
            table = read_table(path) if path.exists() else {}
            write_table(path, {**table, name: (known, idle)})
            ends, always = known[:, -1], known.mean()
            print(f"{name}: {ends.mean():.1f} known at the end {ends}, {always:.1f} on average")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()

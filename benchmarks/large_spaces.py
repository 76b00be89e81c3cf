"""Very large task spaces: what clusters reach, and how near that is to the oracle.

Each row of the table is a teacher in one of the spaces of `lapis.curriculum.simulation`: 100,000
tasks, 256 attempts per update, 4,000 updates. Nothing is chosen on the seeds from 100.

    python -m benchmarks.large_spaces --first-seed 100 --seeds 10     # about 40 minutes on one core
    python -m benchmarks.large_spaces --table                         # only prints what there is

Runs go to experiments/results/large_spaces, a JSON line each.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.curriculum import DRAW_COUNT
from benchmarks.magellan import Magellan
from benchmarks.timing import measure
from lapis.curriculum import (
    ClusteredProgress,
    FunctionProgress,
    LearningProgress,
    Teacher,
    Uniform,
)
from lapis.curriculum.simulation import SPACES, SkillOracle, SkillSimulation

RUNS = Path(__file__).parents[1] / "experiments/results/large_spaces/runs.jsonl"
TASK_COUNT = 100_000
UPDATE_COUNT = 4_000
RECORD_EVERY = 50
START = UPDATE_COUNT // 10
"""Updates that count as the start, in which nothing can be known about junk yet."""
STUDENT_95 = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306,
              10: 2.262}  # fmt: skip
"""97.5 % quantile of Student's t by the number of seeds."""

TEACHERS: dict[str, Callable[[SkillSimulation], Teacher]] = {
    "oracle": lambda run: SkillOracle(run.learner),
    "uniform": lambda run: Uniform(run.space.task_count),
    "table": lambda run: LearningProgress(run.space.task_count, time_scale=50, floor=0.1),
    "clusters": lambda run: ClusteredProgress(run.space.task_count, run.space.features),
    "function": lambda run: FunctionProgress(run.space.task_count, run.space.features),
    "magellan": lambda run: Magellan(run.space.task_count, run.space.features, run.seed),
}


def run(space_name: str, teacher_name: str, seed: int) -> dict:
    """One run, as it is kept."""
    started = time.perf_counter()
    space = SPACES[space_name](TASK_COUNT, seed=seed)
    simulation = SkillSimulation(space, seed)
    teacher = TEACHERS[teacher_name](simulation)
    history = simulation.run(teacher, UPDATE_COUNT, RECORD_EVERY)
    return {
        "space": space_name,
        "teacher": teacher_name,
        "seed": seed,
        "area": round(history.area, 4),
        "end": round(float(history.reached[-1]), 4),
        "junk": round(junk_share(history.update, history.junk, history.reached), 4),
        "reached": history.reached[1::2].round(3).tolist(),
        "seconds": round(time.perf_counter() - started, 1),
    }


def junk_share(update: np.ndarray, junk: np.ndarray, reached: np.ndarray) -> float:
    """Share of the samples on junk after the start and while there is something left to learn.

    Once 98 % of the learnable tasks are reached, no teacher has anything better to do.
    """
    counted = (update > START) & (reached < 0.98)
    return float(junk[counted].mean()) if counted.any() else 0.0


def step_cost(teacher_name: str, task_count: int) -> dict:
    """Duration of update + probabilities + sample(4096) with five numbers per task."""
    simulation = SkillSimulation(SPACES["box"](task_count), seed=0)
    started = time.perf_counter()
    teacher = TEACHERS[teacher_name](simulation)
    start = time.perf_counter() - started
    rng = np.random.default_rng(0)
    tasks = rng.integers(0, task_count, DRAW_COUNT)
    attempts = np.bincount(tasks, minlength=task_count)
    successes = rng.binomial(attempts, 0.3)

    def work() -> None:
        teacher.update(successes, attempts)
        teacher.probabilities()
        teacher.sample(DRAW_COUNT, rng)

    return {**measure(work), "start_s": round(start, 1)}


def table(runs: list[dict]) -> str:
    """Means and 95 % intervals (Student's t) over the seeds, as a Markdown table."""
    heads = ["space", "teacher", "seeds", "reached at the end", "area of the oracle's", "on junk"]
    lines = [f"| {' | '.join(heads)} |", "| --- " * len(heads) + "|"]
    found = {(each["space"], each["teacher"], each["seed"]): each for each in runs}
    for space in SPACES:
        for teacher in dict.fromkeys(name for _, name, _ in found):
            rows = [each for key, each in sorted(found.items()) if key[:2] == (space, teacher)]
            if not rows:
                continue
            shares = [
                each["area"] / found[space, "oracle", each["seed"]]["area"]
                for each in rows
                if (space, "oracle", each["seed"]) in found
            ]
            cells = [
                interval([each["end"] for each in rows]),
                interval(shares),
                interval([each["junk"] for each in rows]),
            ]
            lines.append(f"| {space} | {teacher} | {len(rows)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def interval(values: list[float]) -> str:
    """The mean in percent and the half width of its 95 % interval."""
    if len(values) < 2:
        return " ".join(f"{100 * value:.1f} %" for value in values)
    half = STUDENT_95[len(values)] * np.std(values, ddof=1) / np.sqrt(len(values))
    return f"{100 * np.mean(values):.1f} +- {100 * half:.1f} %"


def main() -> None:
    """Makes the runs that are not there yet and prints the table of all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--first-seed", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--teachers", default=",".join(TEACHERS))
    parser.add_argument("--spaces", default=",".join(SPACES))
    parser.add_argument("--table", action="store_true", help="make no runs")
    parser.add_argument("--runs", type=Path, default=RUNS)
    asked = parser.parse_args()
    asked.runs.parent.mkdir(parents=True, exist_ok=True)
    runs = read(asked.runs)
    done = {(each["space"], each["teacher"], each["seed"]) for each in runs}
    for seed in range(asked.first_seed, asked.first_seed + asked.seeds * (not asked.table)):
        for teacher in asked.teachers.split(","):
            for space in asked.spaces.split(","):
                if (space, teacher, seed) in done:
                    continue
                runs.append(run(space, teacher, seed))
                with asked.runs.open("a") as file:
                    file.write(json.dumps(runs[-1]) + "\n")
    print(table([each for each in runs if each["seed"] >= asked.first_seed]))


def read(path: Path) -> list[dict]:
    """All runs of a file, none if there is no file."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


if __name__ == "__main__":
    main()

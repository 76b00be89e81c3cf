"""Generators of tasks on two test beds: skills in a box, and CartPole's parameters.

Each update 64 tasks are proposed and attempted 4 times each. Nothing is chosen on the seeds from
100.

    python -m benchmarks.generators --first-seed 100 --seeds 5     # minutes on one core
    python -m benchmarks.generators --table                        # only prints what there is

Runs go to experiments/results/generators, a JSON line each.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cart_poles import SPACE as POLES
from benchmarks.cart_poles import CartPoles
from benchmarks.large_spaces import STUDENT_95
from lapis.curriculum import Descriptions, Range
from lapis.curriculum.large.generator import (
    DomainRandomization,
    ProgressGenerator,
    ReplayGenerator,
)
from lapis.curriculum.simulation import SkillOracle
from lapis.curriculum.simulation.places import SkillPlaces

RUNS = Path(__file__).parents[1] / "experiments/results/generators/runs.jsonl"
TASKS, ATTEMPTS = 64, 4
"""Tasks that are proposed per update, and attempts at each of them."""
BOX = Descriptions([Range(low=0.0, high=1.0)] * 4)
BEDS: dict[str, tuple[Descriptions, Callable[[int], Any], int]] = {
    "skills": (BOX, SkillPlaces, 2000),
    "cart poles": (POLES, CartPoles, 200),
}
"""Descriptions, learner by seed, and updates."""
GENERATORS: dict[str, Callable[[Descriptions], Any]] = {
    "domain randomization": DomainRandomization,
    "replay": lambda space: ReplayGenerator(space, edited=0.0),
    "replay and edits": ReplayGenerator,
    "progress": ProgressGenerator,
}
RECORDS = 50
ORACLE = "oracle"


class PlaceOracle:
    """Proposes places of the skills that `SkillOracle` samples, who sees the truth."""

    def __init__(self, learner: SkillPlaces) -> None:
        self._oracle = SkillOracle(learner.learner)
        self._side = learner.side

    def propose(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """The middles of cells."""
        skills = self._oracle.sample(count, rng)
        cells = np.stack(np.unravel_index(skills, (self._side, self._side)), axis=1)
        return np.concatenate([(cells + 0.5) / self._side, np.full((count, 2), 0.5)], axis=1)

    def update(self, tasks: np.ndarray, successes: np.ndarray, attempts: np.ndarray) -> None:
        """Nothing: it looks at the learner itself."""


def run(bed: str, name: str, seed: int) -> dict:
    """One run, as it is kept."""
    started = time.perf_counter()
    space, make_learner, update_count = BEDS[bed]
    learner = make_learner(seed)
    generator = PlaceOracle(learner) if name == ORACLE else GENERATORS[name](space)
    rng = np.random.default_rng([seed, 4])
    reached, junk = [], []
    for update in range(1, update_count + 1):
        tasks = generator.propose(TASKS, rng)
        won = learner.practice(tasks, ATTEMPTS, rng)
        generator.update(tasks, won, np.full(len(tasks), ATTEMPTS))
        if bed == "skills":
            junk.append(learner.junk(tasks))
        if update % (update_count // RECORDS) == 0:
            reached.append(round(learner.reached(), 4))
    return {
        "bed": bed,
        "generator": name,
        "seed": seed,
        "updates": update_count,
        "reached": reached[-1],
        "area": float(np.mean(reached)),
        "junk": float(np.mean(junk)) if junk else None,
        "curve": reached,
        "seconds": round(time.perf_counter() - started, 1),
    }


def table(rows: list[dict]) -> str:
    """Mean and 95 % interval (Student's t) over the seeds, as Markdown."""
    lines = [
        "| test bed | generator | seeds | reached at the end | area | on junk |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for bed in BEDS:
        for name in (ORACLE, *GENERATORS):
            own = [row for row in rows if (row["bed"], row["generator"]) == (bed, name)]
            if own:
                cells = [_interval([row[key] for row in own]) for key in ("reached", "area")]
                cells.append(_interval([row["junk"] for row in own]) if bed == "skills" else "")
                lines.append(f"| {bed} | {name} | {len(own)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _interval(shares: list[float]) -> str:
    mean = f"{100 * np.mean(shares):.1f}"
    if len(shares) == 1:
        return f"{mean} %"
    half = STUDENT_95[len(shares)] * np.std(shares, ddof=1) / np.sqrt(len(shares))
    return f"{mean} +- {100 * half:.1f} %"


def main() -> None:
    """Runs what is missing, one run after another, and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--bed", choices=BEDS, nargs="*", default=list(BEDS))
    names = [ORACLE, *GENERATORS]
    parser.add_argument("--generator", choices=names, nargs="*", default=names)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--runs", type=Path, default=RUNS)
    arguments = parser.parse_args()
    lines = arguments.runs.read_text().splitlines() if arguments.runs.exists() else []
    rows = [json.loads(line) for line in lines]
    if not arguments.table:
        arguments.runs.parent.mkdir(parents=True, exist_ok=True)
        for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
            for bed in arguments.bed:
                for name in arguments.generator:
                    if name == ORACLE and bed != "skills":  # Nobody knows the truth there.
                        continue
                    rows.append(run(bed, name, seed))
                    print({key: rows[-1][key] for key in rows[-1] if key != "curve"}, flush=True)
                    with arguments.runs.open("a") as file:
                        file.write(json.dumps(rows[-1]) + "\n")
    print(table(rows))


if __name__ == "__main__":
    main()

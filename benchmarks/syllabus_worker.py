"""The same work with the LearningProgress class of syllabus-rl, inside its own environment.

Run by `benchmarks.syllabus_rival`; prints one JSON object.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import warnings

import numpy as np
import torch
from syllabus.core import Evaluator
from syllabus.curricula import LearningProgress
from syllabus.task_space import DiscreteTaskSpace

from benchmarks.timing import measure


class GivenRates(Evaluator):
    """Stands in for the evaluation episodes: hands over success rates that are known already."""

    def __init__(self, rates: np.ndarray) -> None:
        self.rates = torch.from_numpy(rates)

    def evaluate_agent(self, *arguments, **options):
        """Returns, success rates, final success rates and details, as the library expects."""
        return torch.zeros(1), self.rates, self.rates, {}


def step_cost(arguments: argparse.Namespace) -> dict:
    """Duration of update + distribution + sample, from the counts in a file."""
    counts = np.load(arguments.counts)
    rates = counts["successes"] / np.maximum(counts["attempts"], 1)
    curriculum = LearningProgress(GivenRates(rates), DiscreteTaskSpace(rates.size))

    def work() -> None:
        curriculum.eval_and_update()
        curriculum._sample_distribution()
        curriculum.sample(arguments.draws)

    return measure(work)


def focus(arguments: argparse.Namespace) -> dict:
    """Share of the weight on the top fifth when progress is what the file says."""
    progress = np.load(arguments.counts)["progress"]
    curriculum = LearningProgress(
        GivenRates(np.full(progress.size, 0.5)), DiscreteTaskSpace(progress.size)
    )
    curriculum.eval_and_update()
    curriculum._learning_progress = lambda: progress
    weights = curriculum._sample_distribution()
    top = np.argsort(progress)[-progress.size // 5 :]
    return {"as_published": round(float(weights[top].sum() / weights.sum()), 4)}


def main() -> None:
    """Measures what the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("work", choices=["step_cost", "focus"])
    parser.add_argument("counts")
    parser.add_argument("--draws", type=int, default=4096)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # it warns of every task that random play already solves
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        result = {"step_cost": step_cost, "focus": focus}[arguments.work](arguments)
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()

"""What noise-aware progress is worth: the share of samples spent on tasks that truly change.

107 tasks, of which 67 never change (50 of them at a success of 0.02 to 0.3, 17 at 0.3 to 0.98) and
40 improve from 0 to 0.8, eight at a time, in five windows of 4,000 updates. Success does not depend
on practice, so only the estimate of progress makes a difference. 50 attempts end per update. The
share is the probability on the eight tasks that change now, averaged over all 20,000 updates.

A cold start begins with empty averages. A warm one has seen 1,000 attempts of every task in each of
12,500 updates before, so that nothing but sampling noise is left.

    python -m benchmarks.noise            # ten seeds, 240 runs, about five minutes on two cores
"""

from __future__ import annotations

import itertools
import os
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from lapis.curriculum import LearningProgress

TASK_COUNT = 107
UPDATE_COUNT = 20_000
WINDOW_COUNT, WINDOW_SIZE = 5, 8
ATTEMPT_COUNT = 50
SEED_COUNT = 10
STUDENT_95 = 2.262  # 97.5 % quantile of Student's t with SEED_COUNT - 1 degrees of freedom

START_ALONE = 1e-6
"""A shrinkage that leaves all but the correction of the start at 0 as it is."""

SHRINKAGES = (0.0, START_ALONE, 0.5, 1.0, 2.0, 3.0)


def share_on_changing_tasks(case: tuple[float, float, bool, int]) -> float:
    """One run; `case` is noise_shrinkage, floor, whether the start is warm, and the seed."""
    shrinkage, floor, warm, seed = case
    rng = np.random.default_rng(seed)
    success, windows = _tasks(rng)
    curriculum = LearningProgress(TASK_COUNT, floor=floor, noise_shrinkage=shrinkage)
    if warm:
        attempts = np.full(TASK_COUNT, 1000)
        for _ in range(12_500):
            curriculum.update(rng.binomial(attempts, success), attempts)
    total = 0.0
    for update in range(UPDATE_COUNT):
        window, place = divmod(update, UPDATE_COUNT // WINDOW_COUNT)
        success[windows[window]] = 0.8 * (place + 1) * WINDOW_COUNT / UPDATE_COUNT
        probabilities = curriculum.probabilities()
        total += probabilities[windows[window]].sum()
        attempts = rng.multinomial(ATTEMPT_COUNT, probabilities)
        curriculum.update(rng.binomial(attempts, success), attempts)
    return total / UPDATE_COUNT


def main() -> None:
    """Prints a Markdown table of mean shares and the half widths of their 95 % intervals."""
    columns = list(itertools.product((False, True), (0.0, 0.1)))
    cases = [
        (shrinkage, floor, warm, seed)
        for shrinkage in SHRINKAGES
        for warm, floor in columns
        for seed in range(SEED_COUNT)
    ]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        shares = np.array(list(pool.map(share_on_changing_tasks, cases, chunksize=1)))
    shares = shares.reshape(len(SHRINKAGES), len(columns), SEED_COUNT)
    print("| noise_shrinkage | cold | cold, floor 0.1 | warm | warm, floor 0.1 |")
    print("| --- | --- | --- | --- | --- |")
    for shrinkage, row in zip(SHRINKAGES, shares, strict=True):
        cells = [_interval(values) for values in row]
        print(f"| {_name(shrinkage)} | {' | '.join(cells)} |")


def _tasks(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Success at the beginning, shape (task,), and tasks by window, shape (window, task)."""
    order = rng.permutation(TASK_COUNT)
    changing, constant = np.split(order, [WINDOW_COUNT * WINDOW_SIZE])
    success = np.zeros(TASK_COUNT)
    success[constant[:50]] = rng.uniform(0.02, 0.3, 50)
    success[constant[50:]] = rng.uniform(0.3, 0.98, constant.size - 50)
    return success, changing.reshape(WINDOW_COUNT, WINDOW_SIZE)


def _interval(values: np.ndarray) -> str:
    half = STUDENT_95 * values.std(ddof=1) / np.sqrt(values.size)
    return f"{100 * values.mean():.1f} +- {100 * half:.1f} %"


def _name(shrinkage: float) -> str:
    if shrinkage == 0.0:
        return "0 (the paper's rule)"
    return "start corrected, no shrinkage" if shrinkage == START_ALONE else f"{shrinkage:g}"


if __name__ == "__main__":
    main()

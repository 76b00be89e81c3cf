"""Which goals a scripted player obtains in the voxel world, and how long it takes.

    python -m benchmarks.voxel_expert --seeds 4
    python -m benchmarks.voxel_expert --seeds 8 --goals log,diamond

Each goal has a world of its own for each seed, an empty inventory, and one try.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from lapis.minecraft.goals import GOALS, IMPOSSIBLE, groups_of
from lapis.worlds.voxel.expert import DIED, LACKING, OUT_OF_TIME, attempt

TICKS_PER_MINUTE = 1200
TASK_TICKS = 6000
"""Time that Simon Says gives for a goal (paper P10)."""


def outcomes(goals: tuple[str, ...], seeds: range, limit_ticks: int) -> np.ndarray:
    """What `attempt` returns for each goal, shape (goal, seed); prints as it goes."""
    columns = []
    for seed in seeds:
        start = time.perf_counter()
        ticks = attempt(goals, seed=seed, limit_ticks=limit_ticks)
        columns.append(ticks)
        reached = int((ticks >= 0).sum())
        seconds = time.perf_counter() - start
        print(f"seed {seed}: {reached} of {len(goals)} goals, {seconds:.0f} s", flush=True)
    return np.stack(columns, axis=1)


def print_table(goals: tuple[str, ...], ticks: np.ndarray) -> None:
    """Prints a line for each goal, and a summary."""
    names = f"{'reached':>8}{'in 5 min':>10}{'minutes':>9}{'died':>6}{'late':>6}{'lacks':>7}"
    print(f"\n{'goal':<30}{'group':<10}{names}")
    for goal, group, row in zip(goals, groups_of(goals), ticks, strict=True):
        won = row[row >= 0]
        minutes = f"{np.median(won) / TICKS_PER_MINUTE:.1f}" if won.size else "-"
        died, late, lacks = ((row == end).sum() for end in (DIED, OUT_OF_TIME, LACKING))
        share, soon = won.size / row.size, (won <= TASK_TICKS).sum() / row.size
        shares = f"{share:>8.0%}{soon:>10.0%}{minutes:>9}"
        print(f"{goal:<30}{group:<10}{shares}{died:>6}{late:>6}{lacks:>7}")
    share = (ticks >= 0).mean(axis=1)
    print(
        f"\n{(share > 0).sum()} of {len(goals)} goals reached in some seed, "
        f"{(share >= 0.5).sum()} in half of the seeds or more"
    )


def main() -> None:
    """Reads the command line and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=4, help="number of seeds")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--goals", default=",".join(GOALS), help="names, with commas")
    parser.add_argument("--limit-ticks", type=int, default=200_000)
    arguments = parser.parse_args()
    goals = tuple(arguments.goals.split(","))
    if impossible := sorted(set(goals) & set(IMPOSSIBLE)):
        parser.error(f"nothing gives an ingredient of {', '.join(impossible)}")
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    print_table(goals, outcomes(goals, seeds, arguments.limit_ticks))


if __name__ == "__main__":
    main()

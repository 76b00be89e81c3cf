"""How far a scripted player gets: each of the 107 goals from an empty inventory, in many worlds.

    python -m benchmarks.expert --seeds 20

prints for each goal the share of worlds in which it is held within the limit, and the median game
time of those.
"""

from __future__ import annotations

import argparse

import numpy as np

from lapis.minecraft.goals import GOAL_GROUP, GOALS, GROUPS
from lapis.worlds.techtree.expert import attempt

TICKS_PER_SECOND = 20


def table(world_count: int, seed: int, limit_ticks: int) -> np.ndarray:
    """Ticks to each goal, -1 where it was not reached, int64 of shape (goal, world)."""
    goals = [goal for goal in GOALS for _ in range(world_count)]
    return attempt(goals, seed=seed, limit_ticks=limit_ticks).reshape(len(GOALS), world_count)


def as_markdown(ticks: np.ndarray) -> str:
    """The table of the documentation."""
    lines = ["| goal | group | reached | median time |", "| --- | --- | --- | --- |"]
    for goal, group, row in zip(GOALS, GOAL_GROUP, ticks, strict=False):
        reached = row[row >= 0]
        time = f"{np.median(reached) / TICKS_PER_SECOND:.0f} s" if reached.size else ""
        lines.append(f"| {goal} | {GROUPS[group]} | {reached.size / row.size:.0%} | {time} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20, help="worlds for each goal")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--limit-ticks", type=int, default=6000)
    arguments = parser.parse_args()
    ticks = table(arguments.seeds, arguments.seed, arguments.limit_ticks)
    print(as_markdown(ticks))
    often = ((ticks >= 0).mean(axis=1) >= 0.2).sum()
    print(f"\n{often} of {len(GOALS)} goals are reached in at least 20 % of the worlds")


if __name__ == "__main__":
    main()

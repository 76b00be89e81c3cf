"""How fast Minetest's servers play, and whether they grow: random players under Simon Says.

    python -m benchmarks.minetest --servers 4 --players 8 --minutes 30

Prints a line every half a minute: steps so far, steps/s since the last line, the slowest step, and
the memory of each server. With `--kill-every N` one server is killed every N lines; `--keys` plays
in the layout of the voxel world.
"""

from __future__ import annotations

import argparse
import os
import signal
import time
from pathlib import Path

import numpy as np
import torch

from lapis.minecraft.goals import GOALS
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.minetest.config import MinetestConfig, MinetestVoxelConfig

LINE_SECONDS = 30.0


def main() -> None:
    """Plays, and prints the lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--keys", action="store_true", help="the layout of the voxel world")
    parser.add_argument("--kill-every", type=int, default=0)
    given = parser.parse_args()

    start = time.perf_counter()
    kind = MinetestVoxelConfig if given.keys else MinetestConfig
    config = kind(servers=given.servers)
    goals = config.tree.goals if isinstance(config, MinetestConfig) else GOALS
    count = given.servers * given.players
    world = config.build(count, seed=given.seed, device="cpu", first_world=0)
    game = SimonSays(world, SimonSaysConfig(goals=goals), seed=given.seed)
    print(f"first observation after {time.perf_counter() - start:.1f} s", flush=True)
    scores = np.array(config.action_prior)
    rng = np.random.default_rng(given.seed)
    start = last = time.perf_counter()
    steps = last_steps = tasks = episodes = lines = 0
    slowest = 0.0
    while last - start < 60 * given.minutes:
        before = time.perf_counter()
        game.step(chosen(game.action_mask.numpy(), scores, game.action_sizes, rng))
        now = time.perf_counter()
        slowest = max(slowest, now - before)
        steps += count
        tasks += int(game.task_over.sum())
        episodes += int((game.terminated | game.truncated).sum())
        if now - last >= LINE_SECONDS:
            lines += 1
            memory = " ".join(f"{each:.0f}" for each in server_megabytes())
            rate = (steps - last_steps) / (now - last)
            print(
                f"{now - start:6.0f} s  {steps:9,} steps  {rate:6.0f}/s"
                f"  slowest {slowest:5.2f} s  {tasks} tasks  {episodes} episodes"
                f"  {world.ends.losses} lost  servers {memory} MB",
                flush=True,
            )
            last, last_steps, slowest = now, steps, 0.0
            if given.kill_every and lines % given.kill_every == 0:
                os.kill(server_processes()[0], signal.SIGKILL)
    world.close()


def chosen(
    mask: np.ndarray, scores: np.ndarray, sizes: tuple[int, ...], rng: np.random.Generator
) -> torch.Tensor:
    """An allowed action of each row, each component drawn by the prior."""
    # The largest of score + Gumbel noise is a draw by the scores.
    noisy = np.where(mask, scores + rng.gumbel(size=mask.shape), -np.inf)
    parts = np.split(noisy, np.cumsum(sizes)[:-1], axis=1)
    return torch.from_numpy(np.stack([part.argmax(axis=1) for part in parts], 1).astype(np.int32))


def server_processes() -> list[int]:
    """Of the servers that this program has started: grandchildren, by way of the far ends."""
    found = []
    for child in _children(os.getpid()):
        found += [each for each in _children(child) if "minetestserver" in _command(each)]
    return found


def server_megabytes() -> list[float]:
    """The memory that each server has in use."""
    page = os.sysconf("SC_PAGE_SIZE")
    statm = [Path(f"/proc/{each}/statm").read_text().split() for each in server_processes()]
    return [int(each[1]) * page / 1e6 for each in statm]


def _children(process: int) -> list[int]:
    return [
        int(each)
        for task in Path(f"/proc/{process}/task").iterdir()
        for each in (task / "children").read_text().split()
    ]


def _command(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text()


if __name__ == "__main__":
    main()

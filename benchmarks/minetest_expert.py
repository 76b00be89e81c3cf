"""How far the scripted player of Minetest gets from empty hands, world by world.

    python -m benchmarks.minetest_expert --seeds 100 101 102 --actions 3000

Prints the goals that it held at some time, and when it held steel first, by the game's clock.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch

from lapis.worlds.minetest.config import MinetestConfig
from lapis.worlds.minetest.expert import ScriptedPlayer, View

STEEL = "default:steel_ingot"
TICKS_PER_MINUTE = 1200


def main() -> None:
    """Plays each world, and prints a line for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs="+", type=int, default=[100, 101, 102, 103, 104])
    parser.add_argument("--actions", type=int, default=3000)
    given = parser.parse_args()
    for seed in given.seeds:
        print(line(seed, given.actions), flush=True)


def line(seed: int, action_count: int) -> str:
    """What became of one episode."""
    config = MinetestConfig(servers=1)
    goals = config.tree.goals
    world = config.build(1, seed=seed, device="cpu", first_world=0)
    player = ScriptedPlayer(config.tree, seed)
    had, ticks, steel = np.zeros(len(goals), bool), 0, "never"
    for _ in range(action_count):
        seen = {name: tensor[0].numpy() for name, tensor in world.observation.items()}
        action = player.act(View(world.inventory[0].numpy(), world.action_mask[0].numpy(), seen))
        world.step(torch.tensor([[action]], dtype=torch.int32))
        ticks += int(world.ticks[0])
        had |= world.inventory[0].numpy() > 0
        if steel == "never" and had[goals.index(STEEL)]:
            steel = f"{ticks / TICKS_PER_MINUTE:.1f} min"
        if world.died[0]:
            break
    minutes = ticks / TICKS_PER_MINUTE
    world.close()
    return f"seed {seed}: {had.sum()} of {len(goals)} goals in {minutes:.1f} min, steel {steel}"


if __name__ == "__main__":
    main()

"""What the policy that comes with Lapis reaches in another world with the same layout.

    python -m benchmarks.zero_shot --world minetest_voxel --goals log planks --attempts 8 --seed 100

Beside it stands a player that draws what it does by the prior of actions, and knows nothing else.
Prints how often each of them reached each goal; every attempt has a world of its own.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from lapis.agent.lstm import LSTMState
from lapis.agent.policy import Policy
from lapis.minecraft.goals import GOAL_GROUP, GOALS, GROUPS
from lapis.minecraft.items import ITEM
from lapis.play.scene import SHIPPED
from lapis.registry import WORLDS, WorldSettings
from lapis.running.export import load_policy
from lapis.running.trained import in_world
from lapis.train.evaluation import Evaluator
from lapis.worlds.minetest.config import MinetestVoxelConfig
from lapis.worlds.minetest.counterparts import COUNTERPARTS

SHARED = tuple(
    name
    for name in GOALS
    if name in COUNTERPARTS and GROUPS[GOAL_GROUP[ITEM[name]]] in ("surface", "stone", "coal")
)
"""Goals of the upper groups that Minetest has too."""

START_SECONDS = 600.0
"""For land of many players on a busy machine."""


class Prior:
    """Draws by fixed scores, in the place of a policy."""

    is_compiled = False

    def __init__(self, scores: tuple[float, ...]) -> None:
        self._scores_A = torch.tensor(scores)

    def initial_state(self, world_count: int) -> LSTMState:
        """It remembers nothing."""
        return LSTMState(torch.zeros(world_count, 1), torch.zeros(world_count, 1))

    def __call__(self, seen: dict[str, Tensor], first: Tensor, memory: LSTMState) -> Any:
        """The scores, and no value."""
        logits_1WA = self._scores_A.expand(1, first.shape[1], -1)
        return logits_1WA, torch.zeros_like(first, dtype=torch.float32), memory


def main() -> None:
    """Plays, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", default="minetest_voxel")
    parser.add_argument("--players", nargs="+", default=["policy", "prior"])
    parser.add_argument("--goals", nargs="+", default=SHARED)
    parser.add_argument("--attempts", type=int, default=8)
    parser.add_argument("--worlds", type=int, default=96)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=100)
    given = parser.parse_args()

    world: WorldSettings = WORLDS.find(given.world)()
    if isinstance(world, MinetestVoxelConfig):
        world = dataclasses.replace(world, servers=given.servers, start_seconds=START_SECONDS)
    trained = in_world(load_policy(SHIPPED, device="cpu"), world)
    config = dataclasses.replace(
        trained.config,
        seed=given.seed,
        evaluation_attempts=given.attempts,
        evaluation_worlds=given.worlds,
    )
    goals = [ITEM[name] for name in given.goals]
    assert world.action_prior is not None
    players = {"policy": trained.policy, "prior": cast(Policy, Prior(world.action_prior))}
    trained.policy.eval()
    reached: dict[str, np.ndarray] = {}
    for name in given.players:
        start = time.perf_counter()
        evaluator = Evaluator(config, goals=goals)
        counts = evaluator.evaluate(
            players[name], update=trained.update, exploration_set=trained.exploration_set
        )
        getattr(evaluator.game.world, "close", lambda: None)()
        reached[name] = counts["successes"]
        seconds = time.perf_counter() - start
        print(f"{name}: {counts['attempts'].sum()} attempts in {seconds:.0f} s", flush=True)
    print(f"\nreached in {given.attempts} attempts each, world {given.world}, seed {given.seed}\n")
    for row, goal in enumerate(given.goals):
        shown = "  ".join(f"{name} {counts[row]:>3}" for name, counts in reached.items())
        print(f"{goal:24}{shown}")
    for name, counts in reached.items():
        print(f"{name}: mean {counts.mean() / given.attempts:.3f}, {np.sum(counts > 0)} goals")


if __name__ == "__main__":
    main()

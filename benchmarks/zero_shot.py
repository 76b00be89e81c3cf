"""What the policy that comes with Lapis reaches in another world with the same layout.

    python -m benchmarks.zero_shot --world minetest_voxel --goals log planks --attempts 8 --seed 100

With `--player prior` plays one that draws what it does by the prior of actions, and knows nothing
else. Every attempt has a world of its own; those of the next goals are the same again.
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
    """Plays a few goals at a time, and prints a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", default="minetest_voxel")
    parser.add_argument("--player", choices=("policy", "prior"), default="policy")
    parser.add_argument("--goals", nargs="+", default=SHARED)
    parser.add_argument("--attempts", type=int, default=4)
    parser.add_argument("--at-once", type=int, default=4, help="goals that are played together")
    parser.add_argument("--seed", type=int, default=100)
    given = parser.parse_args()

    world: WorldSettings = WORLDS.find(given.world)()
    if isinstance(world, MinetestVoxelConfig):
        world = dataclasses.replace(world, start_seconds=START_SECONDS)
    trained = in_world(load_policy(SHIPPED, device="cpu"), world)
    trained.policy.eval()
    config = dataclasses.replace(
        trained.config, seed=given.seed, evaluation_attempts=given.attempts, evaluation_worlds=0
    )
    assert world.action_prior is not None
    player = trained.policy if given.player == "policy" else Prior(world.action_prior)
    start, reached = time.perf_counter(), []
    for first in range(0, len(given.goals), given.at_once):
        names = given.goals[first : first + given.at_once]
        evaluator = Evaluator(config, goals=[ITEM[name] for name in names])
        counts = evaluator.evaluate(
            cast(Policy, player), update=trained.update, exploration_set=trained.exploration_set
        )
        getattr(evaluator.game.world, "close", lambda: None)()
        for name, successes, attempts in zip(
            names, counts["successes"], counts["attempts"], strict=True
        ):
            reached.append(successes / max(attempts, 1))
            print(f"{name:24}{given.player:8}{successes:>3} / {attempts}", flush=True)
    mean, seconds = float(np.mean(reached)), time.perf_counter() - start
    print(f"{given.player} in {given.world}, seed {given.seed}: mean {mean:.3f}", end=", ")
    print(f"{np.count_nonzero(reached)} of {len(reached)} goals, {seconds:.0f} s")


if __name__ == "__main__":
    main()

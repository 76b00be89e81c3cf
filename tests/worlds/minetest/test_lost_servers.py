"""A server that is killed comes back, and what its players were asked counts as nothing."""

import os
import signal
import time
from pathlib import Path

import numpy as np
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.minetest.config import MinetestConfig
from tests import contract

CONFIG = MinetestConfig(servers=2)
RULES = SimonSaysConfig(
    goals=CONFIG.tree.goals, task_ticks=200, bonus="none", inherit_probability=0.0
)
OTHERS = torch.tensor([True, True, False, False])


def kill_server(world, end):
    """The server dies, and not the process of Python beside it."""
    process = world.ends._lines[end].process_id
    (child,) = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    os.kill(int(child), signal.SIGKILL)
    time.sleep(0.1)  # What it has answered already would still be read.


def test_a_killed_server_comes_back_and_no_count_is_wrong(engine):
    calm = SimonSays(CONFIG.build(4, seed=0, device="cpu", first_world=0), RULES)
    game = SimonSays(CONFIG.build(4, seed=0, device="cpu", first_world=0), RULES)
    rng = np.random.default_rng(0)
    counted = np.zeros((2, len(RULES.goals)), int)
    lost = torch.zeros(4, dtype=torch.bool)
    for step in range(120):
        if step in (30, 70):
            kill_server(game.world, 1)
        action = contract.allowed_action(game.world, rng)
        goals = game.goal.clone()
        calm.step(torch.where(OTHERS[:, None], action, 0))
        game.step(action)
        lost |= game.world.lost
        for name in ("goal", "task_over", "task_succeeded", "terminated", "truncated", "reward"):
            same = getattr(calm, name)[OTHERS], getattr(game, name)[OTHERS]
            assert torch.equal(*same), f"{name} in step {step}"
        assert torch.equal(calm.world.inventory[OTHERS], game.world.inventory[OTHERS])
        assert not (game.task_over & game.world.lost).any()
        for row in game.task_over.nonzero()[:, 0].tolist():
            counted[0, goals[row]] += int(game.task_succeeded[row])
            counted[1, goals[row]] += 1
    assert lost.tolist() == [False, False, True, True]
    assert game.world.ends.losses == 2
    assert np.array(game.take_counts()).tolist() == counted.tolist()
    assert counted[1].sum() >= 5
    for each in (calm, game):
        each.world.close()

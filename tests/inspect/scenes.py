"""Small games with a policy, in both worlds."""

from __future__ import annotations

import torch

from lapis.agent.policy import Policy
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.train.build import make_game, make_policy
from lapis.train.config import TrainConfig
from lapis.worlds.techtree import TechTreeConfig
from lapis.worlds.voxel.config import VoxelConfig

GOALS = ("log", "planks", "wooden_pickaxe", "iron_ore")


def a_game(world: str, world_count: int = 3) -> tuple[SimonSays, Policy]:
    """A fresh game and a policy that has learned nothing; voxels are seen by rays."""
    worlds = {
        "techtree": TechTreeConfig(),
        "voxel": VoxelConfig(size=16, height=80, view="fan"),
    }
    config = TrainConfig(
        world=worlds[world],
        world_count=world_count,
        simonsays=SimonSaysConfig(goals=GOALS, task_ticks=80),
    )
    game = make_game(config)
    return game, make_policy(config, game)


def same(first: dict[str, torch.Tensor], second: dict[str, torch.Tensor]) -> bool:
    """Whether two dicts hold the same tensors."""
    assert first.keys() == second.keys()
    return all(torch.equal(value, second[name]) for name, value in first.items())

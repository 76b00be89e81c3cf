"""Lets scripted players attempt goals, one world for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from lapis.minecraft.items import item_index
from lapis.worlds.voxel.actions import ACTION_SIZES
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.expert.script import Script, log_budget
from lapis.worlds.voxel.expert.senses import Senses
from lapis.worlds.voxel.world import VoxelWorld

DIED = -1
"""Instead of a time: the player died."""
OUT_OF_TIME = -2
"""Instead of a time: the goal was not held in time."""
LACKING = -3
"""Instead of a time: the world has not enough of what the goal is made of."""
CONFIG = VoxelConfig(frame_size=8)
"""Worlds of full size with the cheapest view."""


def attempt(
    goals: Sequence[str],
    *,
    seed: int = 0,
    limit_ticks: int = 200_000,
    config: VoxelConfig = CONFIG,
) -> np.ndarray:
    """Plays one new world for each of `goals`, from an empty inventory, with one try.

    Returns:
        Game ticks until the goal was held, or `DIED`, `OUT_OF_TIME` or `LACKING`, int64 of shape
        (goal,).

    Raises:
        ValueError: One of `goals` is no item, or nothing gives it.
    """
    for goal in goals:
        log_budget(goal)
    world = VoxelWorld(len(goals), seed=seed, config=config)
    return attempt_in(world, goals, limit_ticks=limit_ticks)


def attempt_in(world: VoxelWorld, goals: Sequence[str], *, limit_ticks: int) -> np.ndarray:
    """Plays on in each world of a batch on the CPU towards its goal, until it is held.

    Returns:
        As `attempt`.

    Raises:
        ValueError: There is not one goal for each world, or one is no item or cannot be had.
        RuntimeError: An action was not allowed.
    """
    if len(goals) != world.world_count:
        raise ValueError(f"goals has {len(goals)} entries; there are {world.world_count} worlds")
    columns = np.array([item_index(goal) for goal in goals])
    players = [
        Script(Senses(world, row), goal, np.random.default_rng((world.seed, row))).play()
        for row, goal in enumerate(goals)
    ]
    clock = np.zeros(len(goals), np.int64)
    finished = np.full(len(goals), OUT_OF_TIME, np.int64)
    playing = np.ones(len(goals), bool)
    while True:
        held = world.inventory.numpy()[np.arange(len(goals)), columns] > 0
        died = world.died.numpy()
        won = playing & held & (clock <= limit_ticks)
        finished[won] = clock[won]
        finished[playing & ~held & died] = DIED
        playing &= ~held & ~died & (clock < limit_ticks)
        if not playing.any():
            break
        action = np.zeros((len(goals), len(ACTION_SIZES)), np.int32)
        for row in np.flatnonzero(playing).tolist():
            choices = next(players[row], None)
            if choices is None:
                finished[row] = LACKING
                playing[row] = False
            else:
                action[row] = choices
        world.step(torch.from_numpy(action))
        clock += world.ticks.numpy()
    world.check()
    return finished

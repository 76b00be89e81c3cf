"""The generator as a list of launches."""

from __future__ import annotations

from typing import Any

import warp as wp

from lapis.worlds.launching import GPU_THREADS, filled, prepare
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.generation.caves import carve_caves
from lapis.worlds.voxel.generation.finish import finish_worlds
from lapis.worlds.voxel.generation.ground import lay_ground
from lapis.worlds.voxel.generation.land import Plan, Plans, forget_plans, plan_worlds
from lapis.worlds.voxel.generation.plants import grow_plants
from lapis.worlds.voxel.generation.rules import VEIN_SHAPE, make_generation_rules
from lapis.worlds.voxel.generation.veins import grow_veins
from lapis.worlds.voxel.state import State


def generation_launches(
    state: State,
    config: VoxelConfig,
    which: wp.array,
    device: str,
    *,
    seed: int,
    first_world: int = 0,
    caves: bool = True,
) -> list[wp.Launch]:
    """Launches that generate the worlds where `which` is true and put their players at the start.

    They write the grid, and the body's place, all from (seed, first_world + world, episode). Their
    sizes are fixed, so that a graph can hold them; where nothing is chosen, they end at once.
    `which` is bool, shape (world,), and read at each launch; without `caves` ores can be counted.
    """
    threads = 1 if device == "cpu" else GPU_THREADS
    plans = {
        "plan": wp.array(shape=which.shape, dtype=Plan, device=device),
        "count": wp.zeros(1, dtype=int, device=device),
        "thread_count": threads,
    }
    rules = make_generation_rules(config, device, seed=seed, first_world=first_world)
    known = state.arguments | {"rules": rules, "which": which, "plans": filled(Plans, plans)}

    def launch(kernel: Any, thread_count: int, **others: Any) -> wp.Launch:
        return prepare(kernel, thread_count, device, known | others)

    return [
        launch(forget_plans, 1),
        launch(plan_worlds, which.shape[0]),
        launch(lay_ground, threads),
        *(launch(grow_veins, threads, kind=kind) for kind in range(len(VEIN_SHAPE))),
        *([launch(carve_caves, threads)] if caves else []),
        launch(grow_plants, threads),
        launch(finish_worlds, threads),
    ]

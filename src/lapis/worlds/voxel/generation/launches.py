"""The generator as a list of launches."""

from __future__ import annotations

from typing import Any

import warp as wp

from lapis.worlds.launching import prepare
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.generation.begin import forget_plans, plan_worlds
from lapis.worlds.voxel.generation.caves import carve_caves
from lapis.worlds.voxel.generation.finish import finish_worlds
from lapis.worlds.voxel.generation.ground import lay_ground
from lapis.worlds.voxel.generation.land import Plan
from lapis.worlds.voxel.generation.plants import grow_plants
from lapis.worlds.voxel.generation.rules import VEIN_SHAPE, make_generation_rules
from lapis.worlds.voxel.generation.veins import grow_veins

GPU_THREADS = 1 << 18
"""About as many as the largest GPUs hold at once; work beyond that is shared among them."""


def generation_launches(
    state: dict[str, wp.array],
    config: VoxelConfig,
    which: wp.array,
    device: str,
    *,
    seed: int,
    first_world: int = 0,
    caves: bool = True,
) -> list[wp.Launch]:
    """Launches that generate the worlds where `which` is true and put their players at the start.

    They write blocks, top, bricks, biome, torch, torch_count, position, velocity, yaw, pitch,
    on_ground and fall_from, all from (seed, first_world + world, episode). Their sizes are fixed,
    so that a graph can hold them; where nothing is chosen, they end at once.

    Args:
        state: The arrays of `State` by name, on `device`.
        config: The size of the worlds.
        which: Whether to generate a world, bool, shape (world,), read at each launch.
        device: Warp's name of the device.
        seed: Decides everything together with world and episode.
        first_world: Number of the first row's world.
        caves: Whether to open caves; to count ores before they do.
    """
    world_count = which.shape[0]
    threads = 1 if device == "cpu" else GPU_THREADS
    common: dict[str, Any] = {
        "rules": make_generation_rules(config, device, seed=seed, first_world=first_world),
        "which_in": which,
        "thread_count_in": threads,
    }
    scratch = {
        "plan": wp.array(shape=world_count, dtype=Plan, device=device),
        "plan_count": wp.zeros(1, dtype=int, device=device),
    }
    for suffix in ("in", "io", "out"):
        common |= {f"{name}_{suffix}": array for name, array in (state | scratch).items()}

    def launch(kernel: Any, count: int, **others: Any) -> wp.Launch:
        names = {argument.label for argument in kernel.adj.args} - set(others)
        return prepare(kernel, count, device, **{name: common[name] for name in names}, **others)

    return [
        launch(forget_plans, 1),
        launch(plan_worlds, world_count),
        launch(lay_ground, threads),
        *(launch(grow_veins, threads, kind_in=kind) for kind in range(len(VEIN_SHAPE))),
        *([launch(carve_caves, threads)] if caves else []),
        launch(grow_plants, threads),
        launch(finish_worlds, threads),
    ]

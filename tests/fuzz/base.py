"""Small runs in both worlds, their exported policies and their tables: what is damaged."""

import contextlib
import dataclasses
import functools
import io
import shutil
import tempfile
from pathlib import Path

from lapis.agent.config import ImpalaConfig
from lapis.cli import main
from lapis.recipes import techtree, voxel
from lapis.running.run import RunOptions, start
from lapis.train.config import TrainConfig
from lapis.worlds.voxel.config import VoxelConfig

GOALS = ("log", "planks", "stone_pickaxe", "iron_ore")
SEEDS = (0, 1)


def small(config: TrainConfig, seed: int) -> TrainConfig:
    """The same kind of run, in a moment."""
    frames = ImpalaConfig(filters=(4,), stem="strided", blocks=1) if config.policy.frames else None
    return dataclasses.replace(
        config,
        seed=seed,
        device="cpu",
        threads=1,
        world_count=2,
        rollout_steps=4,
        updates=3,
        evaluation_updates=2,
        evaluation_attempts=1,
        checkpoint_worlds=True,
        simonsays=dataclasses.replace(
            config.simonsays, goals=GOALS, task_ticks=40, episode_ticks=100
        ),
        policy=dataclasses.replace(config.policy, width=8, frames=frames, compile=False),
        ppo=dataclasses.replace(
            config.ppo, sequence_steps=4, minibatch_sequences=2, sample_reuse=1.0
        ),
    )


CONFIGS = {
    "techtree": techtree(),
    "voxel": dataclasses.replace(voxel(), world=VoxelConfig(size=16, height=80, frame_size=16)),
}


@functools.cache
def made() -> Path:
    """A folder with `<kind>-<seed>/`, `<kind>.safetensors` and `table-<seed>.npz`."""
    holder = tempfile.TemporaryDirectory(prefix="lapis-fuzz-base-")
    _kept.append(holder)
    folder = Path(holder.name)
    for kind, config in CONFIGS.items():
        for seed in SEEDS:
            start(
                folder / f"{kind}-{seed}",
                config=small(config, seed),
                recipe=kind,
                command=["lapis", "train", kind],
                options=RunOptions(quiet=True, checkpoint_updates=1),
            )
        run = folder / f"{kind}-0"
        assert main(["export", str(run), str(folder / f"{kind}.safetensors")]) == 0
    for seed in SEEDS:
        tables = folder / f"tables-{seed}"
        assert main(["report", str(folder / f"techtree-{seed}"), "--compact", str(tables)]) == 0
        (table,) = tables.iterdir()
        shutil.move(table, folder / f"table-{seed}.npz")
    return folder


_kept: list[tempfile.TemporaryDirectory] = []


def preload() -> None:
    """Makes the runs, and loads what commands import, before the forks."""
    with (
        tempfile.TemporaryDirectory() as scratch,
        contextlib.redirect_stdout(io.StringIO()),
    ):
        folder = made()
        for kind in CONFIGS:
            policy = str(folder / f"{kind}.safetensors")
            assert main(["evaluate", policy, "--attempts", "1"]) == 0
            assert main(["inspect", policy, "--worlds", "2", "--steps", "4"]) == 0
        film = ["--steps", "1", "--pixels", "16", "--output", f"{scratch}/x.gif"]
        assert main(["watch", str(folder / "voxel.safetensors"), *film]) == 0
        assert main(["report", str(folder / "voxel-0"), "--output", f"{scratch}/x.html"]) == 0

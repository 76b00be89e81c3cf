"""How fast a configuration trains on this machine, and where the time goes."""

from __future__ import annotations

import time

import torch
from torch.profiler import ProfilerActivity, profile

from lapis.train.config import TrainConfig
from lapis.train.loop import Trainer

WARM_UP_UPDATES = 3


def measure(config: TrainConfig, *, update_count: int = 12) -> dict[str, float | int | str]:
    """Trains for some updates; returns named measurements.

    `steps_per_second` is the median over the updates, the parts are those of the median update.
    `share_in_operators` is the share of an update's time that PyTorch's profiler finds inside
    operators; what is left is Python, Warp's kernels and NumPy.

    Args:
        config: What to train.
        update_count: Updates that are timed, after a few that are not.
    """
    if update_count < 1:
        raise ValueError(f"update_count must be at least 1, not {update_count}")
    trainer = Trainer(config)
    for _ in range(WARM_UP_UPDATES):
        trainer.train_one_update()
    rows = [trainer.train_one_update() for _ in range(update_count)]
    rows.sort(key=lambda row: row["frames_per_second"])
    median = rows[len(rows) // 2]
    steps = config.frames_per_update
    parts = {
        f"{name}_microseconds_per_step": round(seconds * 1e6 / steps, 2)
        for name, seconds in median["seconds"].items()
    }
    return {
        "device": config.device,
        "threads": torch.get_num_threads(),
        "worlds": config.world_count,
        "width": config.policy.width,
        "steps_per_second": round(median["frames_per_second"]),
        "best_steps_per_second": round(rows[-1]["frames_per_second"]),
        **parts,
        "share_in_operators": round(_share_in_operators(trainer), 3),
    }


def _share_in_operators(trainer: Trainer) -> float:
    """Share of one update's time inside PyTorch's operators."""
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        start = time.perf_counter()
        trainer.train_one_update()
        wall = time.perf_counter() - start
    return sum(event.self_cpu_time_total for event in profiler.key_averages()) / 1e6 / wall

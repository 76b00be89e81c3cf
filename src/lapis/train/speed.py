"""How fast a configuration trains on this machine, and where the time goes."""

from __future__ import annotations

import dataclasses
import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
import warp as wp
from torch.profiler import ProfilerActivity, profile

from lapis.agent.config import ImpalaConfig
from lapis.agent.cost import Cost, policy_cost
from lapis.agent.player import Player
from lapis.simonsays import SimonSays
from lapis.train.config import TrainConfig
from lapis.train.device import describe_device
from lapis.train.graph import WARM_UP_CALLS, Captured
from lapis.train.loop import Trainer
from lapis.train.ranks import ALONE, join
from lapis.worlds.launching import launch_all
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.view import frame_launches
from lapis.worlds.voxel.world import VoxelWorld

__all__ = ["has_parts", "measure", "measure_gpu", "measure_ranks", "operations_per_step", "plain"]

PEAK = 989e12
"""Operations per second of an H100's or H200's matrix units on dense bfloat16, as NVIDIA states
it; a multiply-add is two."""
PART_CALLS = 64
"""Times that each part of a rollout is timed."""
PLAIN_UPDATES = 3
"""Updates of the plain version that are timed; it is slow."""

Measured = dict[str, float | int | str]


def measure(config: TrainConfig, *, update_count: int = 12) -> Measured:
    """Trains for some updates, after a few that are not timed; returns named measurements.

    `steps_per_second` is the median over the updates, the parts are those of the median update.
    `share_in_operators` is the share of an update's time that PyTorch's profiler finds inside
    operators; what is left is Python, Warp's kernels and NumPy.
    """
    trainer = Trainer(config)
    median, best = _timed_updates(trainer, update_count)
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
        "best_steps_per_second": round(best["frames_per_second"]),
        **parts,
        "share_in_operators": round(_share_in_operators(trainer), 3),
    }


def measure_ranks(config: TrainConfig, *, update_count: int = 12) -> Measured:
    """How fast the ranks that torchrun started train together, and what that costs.

    Updates of all ranks together alternate with updates in which each rank works without the others
    on its share of the worlds. Both speeds are medians over all ranks; `share_of_alone` is their
    ratio. Learning is also timed separately, because it contains all but one of the sums over
    ranks.
    """
    ranks = join(config.device)
    size = max(1, config.ppo.minibatch_sequences // ranks.count)
    share = dataclasses.replace(
        config,
        world_count=len(ranks.share(config.world_count)),
        ppo=dataclasses.replace(config.ppo, minibatch_sequences=size),
    )
    trainers = {"": Trainer(config, ranks=ranks), "alone_": Trainer(share, ranks=ALONE)}
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in trainers}
    for _ in range(WARM_UP_CALLS + 1 + update_count):
        for name, trainer in trainers.items():
            rows[name].append(trainer.train_one_update())
            ranks.largest(0)  # All begin the next one together.
    measured: Measured = {"device": describe_device(config.device), "ranks": ranks.count}
    measured |= {"worlds": config.world_count, "width": config.policy.width}
    speed = {}
    for name, every in rows.items():
        timed = every[WARM_UP_CALLS + 1 :]
        seconds = statistics.median(sum(row["seconds"].values()) for row in timed)
        learning = statistics.median(row["seconds"]["update"] for row in timed)
        speed[name] = config.frames_per_update / seconds
        measured[f"{name}steps_per_second"] = round(speed[name])
        measured[f"{name}update_milliseconds"] = round(1e3 * learning, 3)
    measured["share_of_alone"] = round(speed[""] / speed["alone_"], 4)
    weights = sum(each.numel() for each in trainers[""].policy.parameters())
    measured["bytes_per_gradient"] = 4 * weights
    measured["gradients_per_update"] = trainers[""].minibatch_count
    ranks.leave()
    return measured


def _timed_updates(trainer: Trainer, update_count: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The metrics of the median and of the fastest of so many updates after a warm-up."""
    if update_count < 1:
        raise ValueError(f"update_count must be at least 1, not {update_count}")
    for _ in range(WARM_UP_CALLS + 1):  # On a GPU the last of these records.
        trainer.train_one_update()
    rows = [trainer.train_one_update() for _ in range(update_count)]
    rows.sort(key=lambda row: row["frames_per_second"])
    return rows[update_count // 2], rows[-1]


def _share_in_operators(trainer: Trainer) -> float:
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        start = time.perf_counter()
        trainer.train_one_update()
        wall = time.perf_counter() - start
    return sum(event.self_cpu_time_total for event in profiler.key_averages()) / 1e6 / wall


def has_parts(config: TrainConfig) -> bool:
    """Whether `measure_gpu` can measure a run: from frames of voxel worlds, on a GPU."""
    is_gpu = torch.device(config.device).type == "cuda"
    return is_gpu and isinstance(config.world, VoxelConfig) and config.world.view == "frame"


def measure_gpu(config: TrainConfig, *, update_count: int = 12, baseline: bool = True) -> Measured:
    """Trains a run that `has_parts` for some updates; returns named measurements.

    `steps_per_second` is the median over the updates, with everything that belongs to one. The
    parts of a CUDA graph cannot be timed: `policy`, `world` (with Simon Says) and `render` are each
    recorded on their own and timed by events of the device, `update` and `curriculum` by the clock.
    `share_of_peak` is the share of the matrix units' peak that the network's products reach. With
    `baseline` a `plain` version trains too, and `times_plain` is how many times slower it is.
    """
    measured: Measured = {"device": describe_device(config.device)}
    measured |= {"worlds": config.world_count, "width": config.policy.width}
    if isinstance(config.policy.frames, ImpalaConfig):
        measured["filters"] = "/".join(str(count) for count in config.policy.frames.filters)
    torch.cuda.reset_peak_memory_stats(config.device)
    trainer = Trainer(config)
    median, _ = _timed_updates(trainer, update_count)
    speed, seconds = median["frames_per_second"], median["seconds"]
    measured["steps_per_second"] = round(speed)
    steps = config.frames_per_update
    parts = _parts(trainer) | {
        name: seconds[name] / steps for name in ("update", "curriculum") if name in seconds
    }
    for name, duration in parts.items():
        measured[f"{name}_microseconds_per_step"] = round(duration * 1e6, 3)
        measured[f"{name}_steps_per_second"] = round(1.0 / duration)
    measured["peak_gigabytes"] = round(torch.cuda.max_memory_reserved(config.device) / 1e9, 1)
    seen = {**trainer.game.observation, "action_mask": trainer.game.action_mask}
    operations = operations_per_step(policy_cost(trainer.policy, seen), config)
    measured["operations_per_step"] = operations
    measured["share_of_peak"] = round(operations * speed / PEAK, 4)
    if baseline:
        del trainer
        gc.collect()
        torch.cuda.empty_cache()
        median, _ = _timed_updates(Trainer(plain(config)), min(update_count, PLAIN_UPDATES))
        plain_speed = median["frames_per_second"]
        measured["plain_steps_per_second"] = round(plain_speed)
        measured["times_plain"] = round(speed / plain_speed, 2)
    return measured


def plain(config: TrainConfig) -> TrainConfig:
    """The same run without what makes it fast: eager, in float32, no graphs, nothing compiled.

    PyTorch's defaults otherwise, by which convolutions of float32 use TF32 on a GPU.
    """
    frames = config.policy.frames
    if isinstance(frames, ImpalaConfig):
        frames = dataclasses.replace(frames, precision="float32")
    policy = dataclasses.replace(config.policy, frames=frames, compile=False)
    return dataclasses.replace(config, cuda_graphs=False, policy=policy)


def operations_per_step(cost: Cost, config: TrainConfig) -> int:
    """Operations of the network for one step of one world: playing, and learning with reuse.

    A rollout looks once more than it has steps, for the value that follows.
    """
    playing = cost.forward * (1.0 + 1.0 / config.rollout_steps)
    return round(2.0 * (playing + config.ppo.sample_reuse * cost.training))


def _parts(trainer: Trainer) -> dict[str, float]:
    """Seconds of a rollout per step of one world, by part.

    The policy acts and the worlds answer in turn, as in a rollout; what is drawn once more shows
    the same.
    """
    game = trainer.game
    assert isinstance(game, SimonSays)
    assert isinstance(game.world, VoxelWorld)
    # Its own dice and memory; those of the trainer belong to another recording.
    player = Player(trainer.policy, game, seed=trainer.config.seed)
    with torch.no_grad():
        action = player.act(trainer.rollout, 0).clone()

        def act() -> None:
            action.copy_(player.act(trainer.rollout, 0))

        parts = {
            "policy": Captured(act, game.device, [player.generator]),
            "world": Captured(lambda: game.step(action), game.device),
            "render": Captured(_renderer(game.world), game.device),
        }
        seconds = _alternate(parts, game.device)
    seconds["world"] -= seconds["render"]
    return {name: duration / game.world_count for name, duration in seconds.items()}


def _renderer(world: VoxelWorld) -> Callable[[], None]:
    device = str(wp.device_from_torch(world.device))
    frame = wp.from_torch(world.observation["frame"])
    launches = frame_launches(world.state, world.config, frame, device)
    wp.synchronize_device(device)  # Tables were copied in a stream of Warp's own.
    return lambda: launch_all(launches, world.device)


def _alternate(parts: dict[str, Captured[None]], device: torch.device) -> dict[str, float]:
    """Mean seconds of each part, which are called in turn; the calls that record do not count."""
    stream = torch.cuda.current_stream(device)
    for _ in range(WARM_UP_CALLS + 1):
        for part in parts.values():
            part()
    marks = []
    for _ in range(PART_CALLS):
        for part in parts.values():
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record(stream)
            part()
            end.record(stream)
            marks.append((begin, end))
    torch.cuda.synchronize(device)
    milliseconds = [begin.elapsed_time(end) for begin, end in marks]
    count = len(parts)
    return {
        name: sum(milliseconds[index::count]) / PART_CALLS / 1e3 for index, name in enumerate(parts)
    }

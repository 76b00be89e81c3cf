"""What it costs that ranks learn together: a model of it, and a check of the model.

    torchrun --nproc-per-node 2 -m benchmarks.ranks           # measures here, and compares
    python -m benchmarks.ranks                                # the table of docs/scaling.md

The model: an update takes what it takes alone, and each sum over ranks a latency and the time that
its bytes need. In a ring every rank sends and receives 2 (N - 1) / N times the bytes. It leaves out
that all ranks wait for the slowest one at each sum, which is measured on its own.
"""

from __future__ import annotations

import argparse
import dataclasses
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
import torch.distributed as dist

from lapis.recipes import demo
from lapis.torchrun import launch
from lapis.train.config import TrainConfig
from lapis.train.loop import Trainer
from lapis.train.ranks import Ranks, join
from lapis.train.speed import measure_ranks

SIZES = (8, 1 << 12, 1 << 16, 1 << 18, 1 << 20, 1 << 22)
"""Bytes of the sums that are timed."""
CALLS = 60
HOST_SUMS = 3
"""Counts of outcomes, whether to stop, and whether to save."""


@dataclass(frozen=True, kw_only=True)
class Network:
    """What a sum over ranks costs."""

    latency: float
    """Seconds of a sum of no bytes."""
    bandwidth: float
    """Bytes per second that a rank sends."""
    host_latency: float
    """Seconds of a small sum between the hosts."""

    def seconds(self, size: int, rank_count: int) -> float:
        """Time of a sum of so many bytes."""
        return self.latency + 2 * (rank_count - 1) / rank_count * size / self.bandwidth


def small_sums(*, normalizes_values: bool) -> int:
    """Sums of two numbers in an update: means and variances over the rollouts of all ranks.

    Three for the advantages, four for how well values fit, one for the reward, two for the
    returns' variance.
    """
    return 8 + 2 * normalizes_values


def extra_seconds(
    network: Network, rank_count: int, *, gradients: int, size: int, normalizes_values: bool
) -> float:
    """What an update takes longer than without the other ranks."""
    return (
        gradients * network.seconds(size, rank_count)
        + small_sums(normalizes_values=normalizes_values) * network.seconds(8, rank_count)
        + HOST_SUMS * network.host_latency
    )


def measure_network(ranks: Ranks) -> tuple[Network, list[tuple[int, float]]]:
    """Fits latency and bandwidth to sums of several sizes, and gives their medians.

    Before each sum something else is computed, as in training: then neither the caches nor the
    ranks' threads are ready for it. In a tight loop sums take half as long.
    """
    medians = []
    other_work = torch.zeros(1 << 23)
    for size in SIZES:
        tensor = torch.zeros(size // 4)
        durations = []
        for _ in range(CALLS):
            other_work.add_(1.0)
            dist.barrier()
            start = time.perf_counter()
            dist.all_reduce(tensor)
            durations.append(time.perf_counter() - start)
        medians.append((size, statistics.median(durations)))
    sizes, seconds = np.array(medians).T
    # Relative errors count alike, from bytes to megabytes.
    columns = np.stack([np.ones_like(sizes), sizes], axis=1) / seconds[:, None]
    latency, per_byte = np.linalg.lstsq(columns, np.ones_like(seconds), rcond=None)[0]
    sent = 2 * (ranks.count - 1) / ranks.count
    latency = max(latency, 0.0)
    return Network(latency=latency, bandwidth=sent / per_byte, host_latency=latency), medians


class TimedRanks(Ranks):
    """Ranks that wait for each other before every sum on the device, and time both."""

    waits: ClassVar[list[float]] = []
    sums: ClassVar[list[float]] = []

    @property
    def add(self) -> Callable[[torch.Tensor], torch.Tensor]:
        def timed(tensor: torch.Tensor) -> torch.Tensor:
            start = time.perf_counter()
            dist.barrier()
            together = time.perf_counter()
            dist.all_reduce(tensor)
            self.waits.append(together - start)
            self.sums.append(time.perf_counter() - together)
            return tensor

        return timed


def measure_parts(config: TrainConfig, ranks: Ranks, update_count: int) -> tuple[float, float]:
    """Seconds of an update that go to sums on the device, and to waiting for the slower rank.

    The first by the median of each call, the second by the mean: waiting is what differs.
    """
    trainer = Trainer(config, ranks=TimedRanks(ranks.index, ranks.count, is_joined=True))
    trainer.train_one_update()
    TimedRanks.waits.clear()
    TimedRanks.sums.clear()
    for _ in range(update_count):
        trainer.train_one_update()
    sums = np.reshape(TimedRanks.sums, (update_count, -1))
    return float(np.median(sums, axis=0).sum()), sum(TimedRanks.waits) / update_count


def check(config: TrainConfig, update_count: int) -> None:
    """Measures the network and the updates, and prints what the model says of them."""
    ranks = join("cpu")
    network, medians = measure_network(ranks)
    sums, waiting = measure_parts(config, ranks, update_count)
    measured = measure_ranks(config, update_count=update_count)
    if not ranks.is_first:
        return
    for size, seconds in medians:
        fitted = network.seconds(size, ranks.count)
        print(f"ranks.sum_{size}_bytes {1e6 * seconds:.0f} us, by the model {1e6 * fitted:.0f} us")
    print(f"ranks.latency {1e6 * network.latency:.0f} us")
    print(f"ranks.bandwidth {network.bandwidth / 1e9:.2f} GB/s")
    for name, value in measured.items():
        print(f"ranks.{name} {value}")
    extra = extra_seconds(
        dataclasses.replace(network, host_latency=0.0),
        ranks.count,
        gradients=int(measured["gradients_per_update"]),
        size=int(measured["bytes_per_gradient"]),
        normalizes_values=config.ppo.normalize_values,
    )
    print(f"ranks.sums_milliseconds {1e3 * sums:.1f}, by the model {1e3 * extra:.1f}")
    print(f"ranks.waiting_milliseconds {1e3 * waiting:.1f}, which the model leaves out")


# Assumed, not measured: slow ones, so that the truth should be better.
NVLINK = Network(latency=50e-6, bandwidth=50e9, host_latency=200e-6)
FOUR_MACHINES = Network(latency=100e-6, bandwidth=20e9, host_latency=400e-6)


def table() -> None:
    """Frames per second by calculation, from speeds of one H200 that were measured."""
    recipes = {
        "voxel": (243_186, 81_920, 8, 4 * 2_087_273, True),
        "paper": (35_800, 17_180, 1, 4 * 8_431_593, False),
    }
    print("| recipe | GPUs | worlds per GPU | update [ms] | of it sums | frames/s | of N GPUs |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, (speed, frames, gradients, size, normalizes) in recipes.items():
        for count, network in ((8, NVLINK), (32, FOUR_MACHINES)):
            extra = extra_seconds(
                network, count, gradients=gradients, size=size, normalizes_values=normalizes
            )
            for worlds, played in (("as on one", frames * count), ("1/N", frames)):
                seconds = played / speed / count + extra
                share = played / seconds / speed / count
                print(
                    f"| `{name}` | {count} | {worlds} | {1e3 * seconds:.1f} | {1e3 * extra:.1f} | "
                    f"{played / seconds:,.0f} | {share:.0%} |"
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--updates", type=int, default=12)
    options = parser.parse_args()
    if launch() is None:
        table()
    else:
        check(dataclasses.replace(demo(), threads=1), options.updates)

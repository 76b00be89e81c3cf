"""Training speed without a world: random observations of a given size, everything else is real.

Prints policy steps per second with their split, and how close the run comes to the time that its
matrix products alone would take at the speed of one large product on this machine.

    python benchmarks/train_speed.py --threads 2
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

from lapis.agent.config import PolicyConfig, PPOConfig
from lapis.simonsays import SimonSaysConfig
from lapis.train.config import CurriculumConfig, TrainConfig
from lapis.train.loop import Trainer


class RandomGame:
    """As large as the tech-tree world, and free of charge: a few precomputed observations."""

    def __init__(self, world_count: int, feature_count: int, action_count: int, goal_count: int):
        generator = torch.Generator().manual_seed(0)
        self.world_count = world_count
        self.device = torch.device("cpu")
        self.goals = tuple(f"goal {index}" for index in range(goal_count))
        self.action_sizes = (action_count,)
        self.observation = {
            "vector": torch.randn(world_count, feature_count, generator=generator),
            "goal": torch.randint(goal_count, (world_count,), generator=generator),
            "exploration_set": torch.ones(goal_count, dtype=torch.bool),
        }
        self.action_mask = torch.rand(world_count, action_count, generator=generator) < 0.3
        self.action_mask[:, 0] = True
        self.reward = torch.rand(world_count, generator=generator)
        self.terminated = torch.zeros(world_count, dtype=torch.bool)
        self.truncated = torch.zeros(world_count, dtype=torch.bool)
        self.restarted = torch.zeros(world_count, dtype=torch.bool)

    def step(self, action: Tensor) -> None:
        pass

    def set_probabilities(self, probabilities: np.ndarray) -> None:
        pass

    def set_exploration_set(self, members: np.ndarray) -> None:
        pass

    def take_counts(self) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(len(self.goals), np.int64), np.zeros(len(self.goals), np.int64)

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        pass


def matmul_speed() -> float:
    """Floating-point operations per second of a large product."""
    left, right = torch.randn(4096, 512), torch.randn(512, 512)
    best = float("inf")
    for _ in range(20):
        start = time.perf_counter()
        left @ right
        best = min(best, time.perf_counter() - start)
    return 2 * 4096 * 512 * 512 / best


def operations_per_step(width: int, features: int, actions: int, reuse: float) -> float:
    """Floating-point operations of the matrix products of one policy step, update included."""
    inner = 4 * width * width * 2 + width * width + width * (actions + 1)
    forward = features * width + inner
    backward = features * width + 2 * inner  # The observation needs no gradient.
    return 2 * (forward + reuse * (forward + backward))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--worlds", type=int, default=1024)
    parser.add_argument("--rollout-steps", type=int, default=16)
    parser.add_argument("--minibatch", type=int, default=512)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--features", type=int, default=300)
    parser.add_argument("--actions", type=int, default=150)
    parser.add_argument("--updates", type=int, default=15)
    parser.add_argument("--profile", action="store_true", help="also list the slowest operations")
    options = parser.parse_args()

    game = RandomGame(options.worlds, options.features, options.actions, 113)
    config = TrainConfig(
        simonsays=SimonSaysConfig(goals=game.goals),
        world_count=options.worlds,
        rollout_steps=options.rollout_steps,
        threads=options.threads,
        policy=PolicyConfig(width=options.width),
        ppo=PPOConfig(minibatch_sequences=options.minibatch),
        curriculum=CurriculumConfig(),
    )
    trainer = Trainer(config, game)
    for _ in range(3):
        trainer.train_one_update()
    speed = matmul_speed()
    cpu_start = time.process_time()
    rows = [trainer.train_one_update() for _ in range(options.updates)]
    cpu_seconds = (time.process_time() - cpu_start) / options.updates
    rows.sort(key=lambda row: -row["frames_per_second"])
    median = rows[len(rows) // 2]
    operations = operations_per_step(
        options.width, options.features, options.actions, config.ppo.sample_reuse
    )
    bound = speed / operations
    print(f"policy        {dataclasses.asdict(config.policy)}, threads {torch.get_num_threads()}")
    print(
        f"steps/s       median {median['frames_per_second']:,.0f}, best "
        f"{rows[0]['frames_per_second']:,.0f}"
    )
    print(
        f"matmul peak   {speed / 1e9:.0f} GFLOP/s: at most {bound:,.0f} steps/s of "
        f"{operations / 1e6:.2f} MFLOP; reached {median['frames_per_second'] / bound:.0%}"
    )
    total = sum(median["seconds"].values())
    steps = options.worlds * options.rollout_steps
    for name, seconds in median["seconds"].items():
        print(f"{name:<13} {seconds / total:6.1%}  {seconds * 1e6 / steps:.2f} us/step")
    print(f"CPU time      {cpu_seconds * 1e6 / steps:.1f} us/step in all threads together")
    _print_kernel_share(trainer, options.profile)


def _print_kernel_share(trainer: Trainer, with_table: bool) -> None:
    """Share of one update's time inside PyTorch's operators, measured by its profiler."""
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        start = time.perf_counter()
        trainer.train_one_update()
        wall = time.perf_counter() - start
    events = profiler.key_averages()
    inside = sum(event.self_cpu_time_total for event in events) / 1e6
    products = (
        sum(
            event.self_cpu_time_total
            for event in events
            if event.key in ("aten::mm", "aten::addmm", "aten::bmm")
        )
        / 1e6
    )
    print(
        f"in operators  {inside / wall:.0%} of the time, matrix products {products / wall:.0%} "
        "(under the profiler)"
    )
    if with_table:
        print(events.table(sort_by="self_cpu_time_total", row_limit=25))


if __name__ == "__main__":
    main()

"""Speed of the generation of voxel worlds, and the ores that it leaves in a chunk.

    python -m benchmarks.voxel_generation                 one core of the CPU
    python -m benchmarks.voxel_generation --device cuda --worlds 4096

prints milliseconds per world, by kernel as well, the cost of a step in which no world begins anew,
and for each ore the mean number of blocks in a chunk of 16 x 16 columns before and after caves.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict

import numpy as np
import torch
import warp as wp

from lapis.minecraft.blocks import Block
from lapis.minecraft.ores import VEINS
from lapis.worlds.launching import launch_all
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.generation import generation_launches
from lapis.worlds.voxel.state import State

RANGES: dict[Block, tuple[float, float]] = {
    Block.COAL_ORE: (120.0, 140.0),
    Block.IRON_ORE: (70.0, 80.0),
    Block.GOLD_ORE: (7.0, 8.0),
    Block.REDSTONE_ORE: (24.0, 25.0),
    Block.DIAMOND_ORE: (2.6, 3.4),
    Block.LAPIS_ORE: (3.0, 4.0),
}
"""Mean blocks in a chunk of Minecraft."""


class Generator:
    """Worlds and the launches that generate them.

    Args:
        world_count: Number of worlds.
        config: Their size.
        seed: Decides all of them.
        device: Where they are.
        caves: Whether they have caves.
    """

    def __init__(
        self,
        world_count: int,
        config: VoxelConfig,
        seed: int,
        device: torch.device,
        caves: bool = True,
    ) -> None:
        wp.init()
        if device.type == "cuda" and device.index is None:
            # Warp asks which one.
            device = torch.device("cuda", torch.cuda.current_device())
        self.device = device
        self.state = State.allocate(world_count, config, device)
        self.which = torch.ones(world_count, dtype=torch.bool, device=device)
        self.launches = generation_launches(
            self.state,
            config,
            wp.from_torch(self.which),
            str(wp.device_from_torch(device)),
            seed=seed,
            caves=caves,
        )

    def run(self) -> None:
        """Generates the worlds that `which` names."""
        launch_all(self.launches, self.device)

    def now(self) -> float:
        """Seconds: of this thread's computing on the CPU, of the clock on CUDA."""
        if self.device.type == "cpu":
            return time.thread_time()
        torch.cuda.synchronize(self.device)
        return time.perf_counter()

    def seconds(self, repeats: int) -> float:
        """Best time of one run."""
        self.run()
        durations = []
        for _ in range(repeats):
            start = self.now()
            self.run()
            durations.append(self.now() - start)
        return min(durations)

    def seconds_by_kernel(self) -> dict[str, float]:
        """Time of each kernel in one run."""
        spent: dict[str, float] = defaultdict(float)
        for launch in self.launches:
            start = self.now()
            launch_all([launch], self.device)
            spent[launch.kernel.key] += self.now() - start
        return spent


def generated(
    world_count: int, config: VoxelConfig, seed: int, device: torch.device, caves: bool = True
) -> State:
    """Worlds just after their generation."""
    generator = Generator(world_count, config, seed, device, caves)
    generator.run()
    return generator.state


def blocks_per_chunk(state: State) -> np.ndarray:
    """Blocks of each kind in each chunk, shape (chunk of any world, block)."""
    world_count, size, _, height = state.blocks.shape
    side = size // 16
    blocks = state.blocks.cpu().numpy().reshape(world_count, side, 16, side, 16, height)
    chunks = blocks.transpose(0, 1, 3, 2, 4, 5).reshape(world_count * side * side, -1)
    return np.stack([np.bincount(chunk, minlength=len(Block)) for chunk in chunks])


def ore_table(world_count: int, seed: int, device: torch.device) -> str:
    """Mean blocks of each ore in a chunk with their standard errors, before and after caves."""
    counts = [
        blocks_per_chunk(generated(world_count, VoxelConfig(), seed, device, caves))
        for caves in (False, True)
    ]
    lines = ["| ore | Minecraft | before caves | after caves |", "| --- | --- | --- | --- |"]
    for block in VEINS:
        low, high = RANGES.get(block, (0.0, 0.0))
        cells = [
            f"{count[:, block].mean():.2f} +- {count[:, block].std() / len(count) ** 0.5:.2f}"
            for count in counts
        ]
        wanted = f"{low:g}-{high:g}" if high else f"about {VEINS[block].blocks_per_chunk:g}"
        lines.append(f"| {block.name.lower()} | {wanted} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--worlds", type=int, default=16, help="generated at once")
    parser.add_argument("--table-worlds", type=int, default=256, help="in which ores are counted")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    device = torch.device(arguments.device)
    generator = Generator(arguments.worlds, VoxelConfig(), arguments.seed, device)
    name = f"voxel_generation.{device.type}.{arguments.worlds}"
    seconds = generator.seconds(repeats=5)
    print(f"{name}.milliseconds {1e3 * seconds:.3f}")
    print(f"{name}.milliseconds_per_world {1e3 * seconds / arguments.worlds:.4f}")
    for kernel, spent in generator.seconds_by_kernel().items():
        print(f"{name}.{kernel}.milliseconds_per_world {1e3 * spent / arguments.worlds:.4f}")
    generator.which.zero_()
    print(f"{name}.no_reset.microseconds {1e6 * generator.seconds(repeats=50):.1f}")
    print(ore_table(arguments.table_worlds, arguments.seed, device))


if __name__ == "__main__":
    main()

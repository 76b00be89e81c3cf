"""Pictures of generated worlds, to judge them by eye: maps from above and slices.

    python -m benchmarks.voxel_maps --seed 1 --worlds 6 --path maps.png

Each world has a column: its map from above with the start in red, its biomes, and two slices from
east to west, one of them through the start. Blocks in the slices have the colors of the map.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib
import numpy as np
import torch

from benchmarks.voxel_generation import generated
from lapis.minecraft.biomes import Biome
from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.state import State

COLORS: dict[Block, str] = {
    Block.AIR: "#bfe0ff",
    Block.STONE: "#7d7d7d",
    Block.GRASS: "#6aa84f",
    Block.DIRT: "#8a5a3a",
    Block.BEDROCK: "#222222",
    Block.WATER: "#2f5fd0",
    Block.LAVA: "#ff5a00",
    Block.SAND: "#e6d9a0",
    Block.GRAVEL: "#9a8f8a",
    Block.CLAY: "#a5b0c4",
    Block.SANDSTONE: "#cdbb80",
    Block.COAL_ORE: "#000000",
    Block.IRON_ORE: "#ff9e80",
    Block.LAPIS_ORE: "#1020ff",
    Block.REDSTONE_ORE: "#ff0040",
    Block.GOLD_ORE: "#ffe000",
    Block.DIAMOND_ORE: "#00fff0",
    Block.OAK_LOG: "#5d4325",
    Block.SPRUCE_LOG: "#3a2614",
    Block.BIRCH_LOG: "#ece8dc",
    Block.JUNGLE_LOG: "#6b5020",
    Block.ACACIA_LOG: "#8a8078",
    Block.DARK_OAK_LOG: "#2d1c0c",
    Block.OAK_LEAVES: "#38761d",
    Block.SPRUCE_LEAVES: "#274e3b",
    Block.BIRCH_LEAVES: "#7fa650",
    Block.JUNGLE_LEAVES: "#1e8f1e",
    Block.ACACIA_LEAVES: "#8a9a2a",
    Block.DARK_OAK_LEAVES: "#20420f",
    Block.TALL_GRASS: "#8fce00",
    Block.RED_FLOWER: "#e02020",
    Block.YELLOW_FLOWER: "#ffe838",
    Block.CACTUS: "#0b6b2b",
}
"""Colors of the blocks that worlds are generated from."""


def palette() -> np.ndarray:
    """Red, green and blue of each block in [0, 1], shape (block, 3); magenta where none is set."""
    colors = np.tile(np.array([1.0, 0.0, 1.0]), (len(Block), 1))
    for block, color in COLORS.items():
        colors[block] = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return colors


def map_from_above(blocks: np.ndarray, top: np.ndarray) -> np.ndarray:
    """Highest blocks, lit from the north-west, shape (z, x, 3)."""
    highest = np.take_along_axis(blocks, top[..., None].astype(np.int64) - 1, axis=2)[..., 0]
    height = top.astype(np.float64)
    slope = height - np.roll(height, 1, axis=(0, 1))
    light = np.clip(0.82 + 0.01 * (height - 64.0) + 0.06 * slope, 0.3, 1.25)
    return np.clip(palette()[highest] * light[..., None], 0.0, 1.0).transpose(1, 0, 2)


def slice_at(blocks: np.ndarray, z: int) -> np.ndarray:
    """The blocks of all x and y at one z, the sky above, shape (y, x, 3)."""
    return palette()[blocks[:, z].T[::-1]]


def draw(state: State, path: Path) -> None:
    """Writes the picture of all worlds of a state."""
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    world_count, size = state.top.shape[:2]
    figure, axes = plt.subplots(
        4, world_count, figsize=(3.2 * world_count, 16), squeeze=False, layout="constrained"
    )
    for world in range(world_count):
        blocks, top = state.blocks[world].numpy(), state.top[world].numpy()
        x, _, z = (int(value) for value in state.position[world])
        biome = state.biome[world].numpy()
        names = [Biome(number).name.lower() for number in np.unique(biome)]
        above, biomes, *slices = axes[:, world]
        above.imshow(map_from_above(blocks, top))
        above.plot(x, z, "r+", markersize=10)
        above.set_title("\n".join(names), fontsize=8)
        biomes.imshow(biome.T, cmap="tab10", vmin=0, vmax=9, interpolation="nearest")
        for axis, offset in zip(slices, (0, size // 2), strict=True):
            row = (z + offset) % size
            axis.imshow(slice_at(blocks, row), interpolation="nearest")
            axis.set_title(f"z = {row}", fontsize=8)
        for axis in axes[:, world]:
            axis.set_axis_off()
    figure.savefig(path, dpi=70)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=6)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--path", type=Path, default=Path("voxel_maps.png"))
    arguments = parser.parse_args()
    config = VoxelConfig(size=arguments.size)
    draw(generated(arguments.worlds, config, arguments.seed, torch.device("cpu")), arguments.path)
    print(f"wrote {arguments.path}")


if __name__ == "__main__":
    main()

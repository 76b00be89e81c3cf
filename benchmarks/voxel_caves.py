"""How far one can walk below ground in generated worlds: in and out again, or down alone.

    python -m benchmarks.voxel_caves --worlds 64 --seed 1

A player walks on the level, steps up and down by one block, and, on the way down alone, drops by
three at most. It neither digs nor places nor swims. Depths are counted from the ground above.
"""

from __future__ import annotations

import argparse
from collections import deque

import numpy as np
import torch

from benchmarks.voxel_generation import generated
from lapis.minecraft.blocks import SOLID, Block
from lapis.worlds.voxel.config import VoxelConfig

MOUTH = 4
"""Layers of ground above the head from which on a place counts as a cave [blocks]."""
SAFE_DROP = 3
"""[blocks]"""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    state = generated(options.worlds, VoxelConfig(), options.seed, torch.device("cpu"))
    blocks, position = state.blocks.numpy(), state.position.numpy()
    both = np.array([walk(b, p, drop=1) for b, p in zip(blocks, position, strict=True)])
    down = np.array([walk(b, p, drop=SAFE_DROP) for b, p in zip(blocks, position, strict=True)])
    air = (blocks == Block.AIR).sum(axis=(1, 2, 3))
    print(f"worlds {len(blocks)}, seed {options.seed}, mean air {air.mean():.0f}")
    for name, found in (("in and out", both), ("down alone", down)):
        cells, mouths, deepest = found.T
        shares = {y: float((deepest < y).mean()) for y in (56, 48, 40, 30, 20)}
        print(
            f"{name}: a cave in {(cells > 0).mean():.2f} of the worlds, "
            f"{mouths.mean():.1f} mouths, {cells.mean():.0f} places below ground, "
            f"median of the lowest {np.median(deepest):.0f}, below "
            + ", ".join(f"{y}: {share:.2f}" for y, share in shares.items())
        )


def walk(blocks: np.ndarray, start: np.ndarray, *, drop: int) -> tuple[int, int, int]:
    """Places below ground that can be walked to, mouths passed, and the lowest y, from `start`."""
    size, _, height = blocks.shape
    solid = SOLID[blocks] | (blocks == Block.WATER) | (blocks == Block.LAVA)
    leaves = (blocks >= Block.OAK_LOG) & (blocks <= Block.DARK_OAK_LEAVES)
    ground = height - np.argmax((solid & ~leaves)[..., ::-1], axis=2)
    free = ~solid
    stands = np.zeros_like(free)
    stands[..., 1:-1] = free[..., 1:-1] & free[..., 2:] & solid[..., :-2]
    stands[..., 1:] &= ~np.isin(blocks, (Block.WATER, Block.LAVA))[..., :-1]
    cell = (int(start[0]), int(start[2]), int(start[1]))
    seen = np.zeros_like(free)
    seen[cell] = True
    queue = deque([cell])
    mouths = 0
    while queue:
        x, z, y = queue.popleft()
        for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = ((x + dx) % size, (z + dz) % size)
            for to in landings(stands, free, (x, z), there, y, drop):
                if not seen[*there, to]:
                    seen[*there, to] = True
                    queue.append((*there, to))
                    was_out = y > ground[x, z] - MOUTH
                    mouths += was_out and to <= ground[there] - MOUTH
    below = seen & (np.arange(height) <= ground[..., None] - MOUTH)
    lowest = int(np.flatnonzero(below.any(axis=(0, 1)))[0]) if below.any() else height
    return int(below.sum()), mouths, lowest


def landings(stands, free, here, there, y: int, drop: int) -> list[int]:
    """Heights at which a player can come to stand in the next column."""
    if stands[*there, y]:
        return [y]
    if stands[*there, y + 1] and free[*here, y + 2]:
        return [y + 1]
    if free[*there, y] and free[*there, y + 1]:
        for to in range(y - 1, y - 1 - drop, -1):
            if stands[*there, to]:
                return [to]
            if not free[*there, to]:
                return []
    return []


if __name__ == "__main__":
    main()

"""Land made with NumPy for tests of the view: hills, trees, caves and ores."""

import numpy as np
import torch
import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.state import State


def blank(world_count: int, config: VoxelConfig, device: str = "cpu") -> State:
    """Worlds of air at noon, with nothing in hand and nothing looked at."""
    wp.init()
    state = State.allocate(world_count, config, torch.device(device))
    for tensor in (state.torch, state.hand, state.target, state.looked_at):
        tensor.fill_(-1)
    state.time.fill_(6000)
    return state


def settle(state: State) -> None:
    """Makes `top`, `bricks` and `ceiling` right for the blocks."""
    blocks = state.blocks.cpu().numpy()
    world_count, size, _, height = blocks.shape
    full = blocks != Block.AIR
    levels = np.arange(1, height + 1)
    state.top.copy_(torch.from_numpy((full * levels).max(-1).astype(np.uint8)))
    quarter = (world_count, size // 4, 4, size // 4, 4, height // 4, 4)
    bricks = full.reshape(quarter).any((2, 4, 6))
    state.bricks.copy_(torch.from_numpy(bricks.astype(np.uint8)))
    layers = bricks.any((1, 2)) * np.arange(1, height // 4 + 1)
    state.ceiling.copy_(torch.from_numpy(layers.max(1)))


def pose(state: State, x: float, y: float, z: float, yaw: int = 0, pitch: int = 0) -> None:
    """Puts every player's feet at a place."""
    state.position[:] = torch.tensor([x, y, z])
    state.yaw.fill_(yaw)
    state.pitch.fill_(pitch)


def hills(rng: np.random.Generator, size: int, height: int) -> np.ndarray:
    """Rolling land around y 64 with trees, plants, a lake, caves and ores; (size, size, height)."""
    x, z = np.mgrid[0:size, 0:size] * (2 * np.pi / size)
    ground = 64 + 3 * np.sin(x + 1.0) * np.cos(z) + 2 * np.sin(2 * z + 0.5) + np.cos(3 * x)
    ground = ground.astype(int)
    y = np.arange(height)
    blocks = np.where(y < ground[..., None] - 3, Block.STONE, Block.DIRT)
    blocks = np.where(y == ground[..., None], Block.GRASS, blocks)
    blocks = np.where(y > ground[..., None], Block.AIR, blocks)
    blocks = np.where((blocks == Block.AIR) & (y <= 62), Block.WATER, blocks)
    for ore in (Block.COAL_ORE, Block.IRON_ORE, Block.DIAMOND_ORE):
        vein = (rng.random(blocks.shape) < 0.01) & (blocks == Block.STONE)
        blocks[vein] = ore
    for _ in range(size // 4):
        center = rng.uniform((0, 0, 5), (size, size, 55))
        offset = np.indices(blocks.shape).transpose(1, 2, 3, 0) - center
        offset[..., :2] -= size * np.round(offset[..., :2] / size)
        hole = (offset**2 / np.array([40.0, 40.0, 9.0])).sum(-1) < 1.0
        blocks[hole & (blocks == Block.STONE)] = Block.AIR
    blocks[..., 0] = Block.BEDROCK
    for tree_x, tree_z in rng.integers(0, size, (size * size // 64, 2)):
        _tree(blocks, tree_x, tree_z, ground[tree_x, tree_z] + 1)
    bare = (np.roll(blocks, 1, -1) == Block.GRASS) & (blocks == Block.AIR)
    blocks[bare & (rng.random(blocks.shape) < 0.1)] = Block.TALL_GRASS
    return blocks.astype(np.uint8)


def _tree(blocks: np.ndarray, x: int, z: int, y: int) -> None:
    if blocks[x, z, y - 1] != Block.GRASS:
        return
    size = blocks.shape[0]
    for level, radius in ((3, 2), (4, 2), (5, 1)):
        for dx in range(-radius, radius + 1):
            for dz in range(-radius, radius + 1):
                blocks[(x + dx) % size, (z + dz) % size, y + level] = Block.OAK_LEAVES
    blocks[x, z, y : y + 5] = Block.OAK_LOG

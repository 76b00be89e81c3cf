"""Generated worlds for tests: small, and with everything about them said."""

from __future__ import annotations

import numpy as np
import torch
import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.launching import launch_all
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.generation import generation_launches
from lapis.worlds.voxel.state import State

LOGS = range(Block.OAK_LOG, Block.DARK_OAK_LOG + 1)
LEAVES = range(Block.OAK_LEAVES, Block.DARK_OAK_LEAVES + 1)
PLANTS = (Block.TALL_GRASS, Block.RED_FLOWER, Block.YELLOW_FLOWER)
ORES = range(Block.COAL_ORE, Block.DIAMOND_ORE + 1)
EARTH = (
    Block.STONE,
    Block.GRASS,
    Block.DIRT,
    Block.SAND,
    Block.GRAVEL,
    Block.CLAY,
    Block.SANDSTONE,
)
"""What the ground is made of, but for ores."""


class Worlds:
    """Worlds and the launches that generate them."""

    def __init__(
        self,
        world_count: int,
        *,
        size: int = 32,
        height: int = 96,
        seed: int = 3,
        first_world: int = 0,
        caves: bool = True,
        device: str = "cpu",
    ):
        wp.init()
        self.device = torch.device(device)
        config = VoxelConfig(size=size, height=height)
        self.state = State.allocate(world_count, config, self.device)
        self.state.episode.fill_(1)
        self.which = torch.ones(world_count, dtype=torch.bool, device=self.device)
        self._launches = generation_launches(
            self.state,
            config,
            wp.from_torch(self.which),
            str(wp.device_from_torch(self.device)),
            seed=seed,
            first_world=first_world,
            caves=caves,
        )

    def generate(self) -> Worlds:
        launch_all(self._launches, self.device)
        return self

    @property
    def blocks(self) -> np.ndarray:
        return self.state.blocks.cpu().numpy()

    @property
    def biome(self) -> np.ndarray:
        return self.state.biome.cpu().numpy()

    def cells(self) -> np.ndarray:
        """The places of the players' feet, shape (world, 3)."""
        return np.floor(self.state.position.cpu().numpy()).astype(np.int64)


def generate(world_count: int, **options) -> Worlds:
    return Worlds(world_count, **options).generate()


def is_any(blocks: np.ndarray, kinds) -> np.ndarray:
    chosen = np.zeros(256, dtype=bool)
    chosen[list(kinds)] = True
    return chosen[blocks]


def highest(solid: np.ndarray) -> np.ndarray:
    """The y of the highest true cell of each column."""
    height = solid.shape[-1]
    assert solid.any(axis=-1).all()
    return height - 1 - np.argmax(solid[..., ::-1], axis=-1)


def neighbors(cells: np.ndarray) -> list[np.ndarray]:
    """The cells at the four sides, around the torus; axes are world, x, z and perhaps y."""
    return [np.roll(cells, shift, axis) for axis in (1, 2) for shift in (-1, 1)]

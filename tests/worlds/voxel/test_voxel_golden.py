"""The rules' play on flat land is pinned: a change of this hash is a change of the game.

Whoever changes it says why in the commit and raises `WORLD_VERSION`. Land and pictures have hashes
of their own.
"""

import hashlib

import numpy as np
import torch

from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEMS
from lapis.worlds.voxel.world import WORLD_VERSION, VoxelWorld
from tests.contract import allowed_action
from tests.worlds.voxel.play_scenes import GROUND, Scene

GOLDEN = {
    1: "f9cca5ed202ea4315512694825a112b59842149f0fe129caea1976172386771a",
    2: "a7c024930459aa7f69706fe9773dc70aa37698beecf0ffb61bd75770cb41524f",
    3: "8d3507dfafb65efeac0c2d5c0a33d84596b931db0f2d1497fba8b94e5def1483",
    4: "c2d250be9bbd25408ebb96b06a6199f212776e97fb6c7d5525636ff1aa5edc46",
    5: "02d2ec6588d962731f919cd953dd40354da070f4945848d3631288962f725539",
}
"""SHA-256 by version of the world."""

SHOWN = ("inventory", "vitals", "hand", "off_hand")


def state_hash(world: VoxelWorld) -> str:
    digest = hashlib.sha256()
    tensors = {**world.state.tensors(), **{name: world.observation[name] for name in SHOWN}}
    for name in sorted(set(tensors) - {"biome"}):
        digest.update(name.encode())
        digest.update(tensors[name].cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()


def test_five_hundred_random_steps_lead_where_they_always_led():
    scene = Scene(world_count=48, seed=5)
    rng = np.random.default_rng(0)
    world = scene.world
    kinds = [Block.STONE, Block.WATER, Block.LAVA, Block.SAND, Block.OAK_LOG, Block.CACTUS]
    scattered = rng.choice([0, *kinds], (48, 16, 16, 8), p=[0.88, *[0.02] * 6])
    scattered[:, 7:10, 7:10] = 0
    world.state.blocks[..., GROUND : GROUND + 8] = torch.from_numpy(scattered.astype(np.uint8))
    held = rng.integers(0, 9, (48, len(ITEMS)))
    world.state.inventory.copy_(torch.from_numpy(held.astype(np.int32)))
    scene.refresh()
    for _ in range(500):
        world.step(allowed_action(world, rng))
    world.check()
    assert 0 < int(world.died.sum()) < 48, "the play is too tame or too wild to pin much"
    assert state_hash(world) == GOLDEN[WORLD_VERSION]

"""The tech-tree world's play is pinned: a change of this hash is a change of the game.

Whoever changes it says why in the commit and raises `WORLD_VERSION`.
"""

import dataclasses
import hashlib

import numpy as np
import torch

from lapis.worlds.techtree import WORLD_VERSION, TechTreeConfig, TechTreeWorld

GOLDEN = {3: "1fa3130cfeaa01cda87d18d7f5be5fbde62463f23bcb97c7c6cdad1bfd052cd2"}
"""SHA-256 by version of the world."""

SCALE = {
    "attack_ticks": 24,
    "handling_ticks": 20,
    "smelt_batch": 4,
    "walk_blocks": 8,
    "tunnel_blocks": 4,
    "spot_share_of_chunk": 0.4,
    "biome_change": 0.08,
    "outcrop": 0.05,
    "tunnel_blocks_seen": 160,
    "cave_blocks_seen": 480,
    "cave_entry": 0.2,
    "caves_by_depth": 1.0,
    "cave_stay": 0.8,
    "cave_slope": 0.1,
    "fall": 0.06,
    "lava": 0.05,
    "monster": 0.03,
}
"""A scale of its own, so that the hash pins the rules and not the defaults."""


def state_hash(world: TechTreeWorld) -> str:
    digest = hashlib.sha256()
    tensors = {**world.state.tensors(), **world.observation}
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()


def test_the_scale_leaves_nothing_to_the_defaults():
    assert set(SCALE) == {field.name for field in dataclasses.fields(TechTreeConfig)}


def test_a_thousand_random_steps_lead_where_they_always_led():
    world = TechTreeWorld(64, seed=11, config=TechTreeConfig(**SCALE))
    # With things to craft, smelt, wear, burn and eat from the start, so that all of it is pinned.
    world.reset(torch.ones_like(world.died), torch.full_like(world.inventory, 3))
    rng = np.random.default_rng(0)
    for _ in range(1000):
        score = rng.random(tuple(world.action_mask.shape)) * world.action_mask.numpy()
        world.step(torch.from_numpy(score.argmax(axis=1, keepdims=True).astype(np.int32)))
        world.reset(world.died.clone(), world.inventory.clone())
    world.check()
    assert int(world.state.episode.max()) > 1, "nobody died: the play is too tame to pin much"
    assert state_hash(world) == GOLDEN[WORLD_VERSION]

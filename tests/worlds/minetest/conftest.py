"""Running servers, which the tests of this folder share: each takes a second to start."""

import pytest
import torch

from lapis.worlds.minetest.config import MinetestConfig, MinetestVoxelConfig
from lapis.worlds.minetest.server import find_server, game_folder


def why_missing():
    try:
        find_server()
        game_folder()
    except FileNotFoundError as error:
        return str(error)
    return None


@pytest.fixture(scope="session")
def engine():
    """Skips the test where Minetest is not installed."""
    if (reason := why_missing()) is not None:
        pytest.skip(reason)


def used_again(known, config):
    """Makes batches of one server that are as new; those of earlier tests are used again."""
    in_use = {}

    def make(world_count):
        place = in_use[world_count] = in_use.get(world_count, -1) + 1
        batches = known.setdefault((config, world_count), [])
        if place == len(batches):
            batches.append(config.build(world_count, seed=0, device="cpu", first_world=0))
            return batches[place]
        world = batches[place]
        world.episode_W.fill_(-1)
        world.reset(torch.ones_like(world.died))
        return world

    return make


@pytest.fixture
def make_world(engine, worlds):
    """Makes batches in the layout of this world's own."""
    return used_again(worlds, MinetestConfig(servers=1))


@pytest.fixture
def make_keyed_world(engine, worlds):
    """Makes batches in the layout of the voxel world."""
    return used_again(worlds, MinetestVoxelConfig(servers=1, frame_size=16))


@pytest.fixture(scope="session")
def worlds():
    made = {}
    yield made
    for batches in made.values():
        for world in batches:
            world.close()

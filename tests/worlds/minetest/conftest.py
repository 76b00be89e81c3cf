"""Running servers, which the tests of this folder share: each takes a second to start."""

import pytest
import torch

from lapis.worlds.minetest.config import MinetestConfig
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


@pytest.fixture
def make_world(engine, worlds):
    """Makes batches that are as new; those of earlier tests are used again."""
    in_use = {}

    def make(world_count):
        place = in_use[world_count] = in_use.get(world_count, -1) + 1
        known = worlds.setdefault(world_count, [])
        if place == len(known):
            known.append(
                MinetestConfig(servers=1).build(world_count, seed=0, device="cpu", first_world=0)
            )
            return known[place]
        world = known[place]
        world.episode_W.fill_(-1)
        world.reset(torch.ones_like(world.died))
        return world

    return make


@pytest.fixture(scope="session")
def worlds():
    made = {}
    yield made
    for batches in made.values():
        for world in batches:
            world.close()

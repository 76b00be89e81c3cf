"""MineRL's own client, and servers for it. `make test-minerl` makes its environment."""

import pytest

from lapis.worlds.minerl import MineRLConfig
from lapis.worlds.minerl.finding import VARIABLE, look
from tests.worlds.minerl.constants import game_recipes, load
from tests.worlds.minerl.fake_env import BURNS
from tests.worlds.minerl.fake_malmo import FakeMalmo


@pytest.fixture(scope="session")
def client():
    """Folder of the package `minerl`."""
    found = look().client
    if not found:
        pytest.skip(f"MineRL is not installed: run `make test-minerl`, or set {VARIABLE}")
    return found


@pytest.fixture(scope="session")
def constants(client):
    return load(client)


@pytest.fixture
def serve(constants):
    """Starts so many servers, which end after the test."""
    servers = []

    def start(count=1, **options):
        new = [FakeMalmo(game_recipes(constants), BURNS, **options) for _ in range(count)]
        servers.extend(new)
        return new

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def connect():
    """Makes worlds at servers, one at each."""
    made = []

    def build(servers, *, seed=0, **settings):
        config = MineRLConfig(ports=tuple(server.port for server in servers), **settings)
        world = config.build(len(servers), seed=seed, device="cpu", first_world=0)
        made.append(world)
        return world

    yield build
    for world in made:
        world.close()

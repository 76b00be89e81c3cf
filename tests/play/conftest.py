"""A game behind a server, for the tests of both."""

import threading
from collections.abc import Iterator

import pytest

from lapis.play.voxel.server import Server
from lapis.play.voxel.session import Session


@pytest.fixture
def server() -> Iterator[Server]:
    """A running server with a fresh small game."""
    with Server(0) as server:
        server.session = Session(size=16, pixels=64, seed=1)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()

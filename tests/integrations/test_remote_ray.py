"""Worlds in actors of Ray: they play like those in processes, and lost actors are replaced."""

import numpy as np
import pytest
import torch

pytest.importorskip("ray", reason="Ray is not installed: pip install 'lapis-rl[ray]'")

from tests import contract
from tests.worlds.remote.test_remote_contract import make


@pytest.fixture(scope="module", autouse=True)
def ray_ends():
    """Other tests of the same process start a Ray of their own."""
    yield
    import ray

    ray.shutdown()


def test_actors_play_like_processes_and_a_killed_one_is_replaced():
    import ray

    there, here = make(5, transport="ray", first_world=3), make(5, first_world=3)
    rng = np.random.default_rng(0)
    for _ in range(30):
        action, which = contract.allowed_action(here, rng), contract.random_rows(here, rng, 0.1)
        for world in (here, there):
            world.step(action)
            world.reset(which)
        contract.assert_same_rows(contract.snapshot(here), contract.snapshot(there))
    saved = there.state_dict()

    ray.kill(there.ends._lines[0]._actor)
    there.step(torch.zeros((5, 2), dtype=torch.int32))
    assert there.lost.tolist() == [True, True, False, False, False]
    there.reset(there.lost.clone())
    assert not there.lost.any()
    assert there.ends.losses == 1
    there.load_state_dict(saved)
    contract.assert_same_rows(contract.snapshot(here), contract.snapshot(there))


def test_actors_that_break_hang_or_refuse_are_told():
    far = "tests.worlds.remote.far_toy:"
    rest = torch.zeros((2, 2), dtype=torch.int32)
    broken = make(2, ends=1, transport="ray", factory=f"{far}Breaks", retries=0)
    with pytest.raises(RuntimeError, match=r"lost 1 times in a row: .*the sky has fallen"):
        broken.step(rest)
    options = ("row=0", "step=1", "hang=true")
    hanging = make(2, transport="ray", factory=f"{far}Fails", options=options, step_seconds=1.0)
    hanging.step(rest)
    assert hanging.lost.tolist() == [True, False]
    with pytest.raises(ValueError, match="item_count must be at least 1, not 0"):
        make(2, transport="ray", options=("item_count=0",))

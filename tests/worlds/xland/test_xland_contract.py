"""Chains of XLand-MiniGrid as worlds keep the contract."""

import functools

import pytest

pytest.importorskip("jax", reason="JAX is not installed: pip install 'lapis-rl[xland]'")
pytest.importorskip(
    "xminigrid", reason="XLand-MiniGrid is not installed: pip install 'lapis-rl[xland]'"
)

from lapis.worlds.xland import XLandConfig
from tests import contract

make = functools.partial(XLandConfig().build, seed=3, device="cpu", first_world=0)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_xland_keeps_the_contract(check):
    check(make)


def test_xland_mask_is_honest():
    # To walk and to turn show nothing where no object is in view before and after.
    forward_and_turns = {(0, 0), (0, 1), (0, 2)}
    contract.check_mask_is_honest(make, idle_choices=forward_and_turns)

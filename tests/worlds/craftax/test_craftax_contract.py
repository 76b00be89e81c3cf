"""Craftax as worlds keeps the contract, and plays as the library itself."""

import functools

import pytest

pytest.importorskip("jax", reason="JAX is not installed: pip install 'lapis-rl[craftax]'")
pytest.importorskip("craftax", reason="Craftax is not installed: pip install 'lapis-rl[craftax]'")

from lapis.worlds.craftax import CraftaxConfig
from tests import contract

make = functools.partial(CraftaxConfig().build, seed=3, device="cpu", first_world=0)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_craftax_keeps_the_contract(check):
    check(make)

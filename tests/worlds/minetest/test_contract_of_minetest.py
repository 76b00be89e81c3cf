"""The real game keeps the contract of all worlds."""

import pytest

from tests import contract

WAIT = (0, 0)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_minetest_keeps_the_contract(make_world, check):
    check(make_world)


def test_mask_of_minetest_is_honest(make_world):
    contract.check_mask_is_honest(make_world, idle_choices={WAIT}, states=2, steps_between=12)

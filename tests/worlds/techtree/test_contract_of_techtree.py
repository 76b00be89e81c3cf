"""The tech-tree world keeps the contract of all worlds."""

import functools

import pytest
import torch

from lapis.worlds.techtree import TechTreeWorld
from tests import contract


def has_effect(before: contract.Snapshot, after: contract.Snapshot, component: int) -> torch.Tensor:
    """An allowed action takes time; what time alone changes is no effect of a masked one."""
    return (after["ticks"] > 0) | contract.anything_changed(before, after, component)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_techtree_keeps_the_contract(check, device):
    check(functools.partial(TechTreeWorld, seed=3, device=device))


def test_mask_of_the_techtree_is_honest(device):
    contract.check_mask_is_honest(
        functools.partial(TechTreeWorld, seed=4, device=device), has_effect=has_effect
    )

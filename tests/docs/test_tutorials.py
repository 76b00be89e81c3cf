"""What the tutorials say is what their code does."""

import numpy as np
import pytest

from lapis.curriculum import LearningProgress, Uniform
from tests import contract
from tests.docs.blocks import ROOT, blocks_of, run_python

TUTORIALS = ROOT / "docs" / "tutorials"


def names_of(page: str, *, count: int) -> dict:
    """What the first Python blocks of a tutorial define."""
    namespace: dict = {}
    blocks = [block for block in blocks_of(TUTORIALS / page) if block.language == "python"]
    for block in blocks[:count]:
        run_python(block, namespace)
    return namespace


def test_typist_knows_more_under_learning_progress():
    names = names_of("own_tasks.md", count=2)
    uniform = [names["train"](Uniform(20), seed=seed).known() for seed in range(3)]
    progress = [
        names["train"](LearningProgress(20, time_scale=20, floor=0.1), seed=seed).known()
        for seed in range(3)
    ]
    assert uniform == [12, 13, 14]
    assert progress == [20, 20, 20]


def test_typist_learns_only_from_success():
    typist = names_of("own_tasks.md", count=1)["Typist"]()
    rng = np.random.default_rng(0)
    outcomes = []
    while len(outcomes) < 50:
        before = typist.score.copy()
        outcomes.append(typist.attempt(0, rng))
        assert (typist.score != before).any() == outcomes[-1]
    assert 0 < sum(outcomes) < 50


NOT_CHECKED = {contract.check_bad_input_is_refused}


@pytest.mark.parametrize("check", [c for c in contract.CHECKS if c not in NOT_CHECKED])
def test_cauldron_keeps_the_contract(check):
    cauldron = names_of("own_world.md", count=1)["Cauldron"]
    check(lambda world_count: cauldron(world_count))


def test_right_herb_makes_the_next_brew_and_a_wrong_one_spoils_it():
    import torch

    world = names_of("own_world.md", count=1)["Cauldron"](2, brew_count=3)
    herbs = world.right_herb.tolist()
    for step, herb in enumerate(herbs[:3]):
        wrong = (herb + 1) % 4 if step == 2 else herb
        world.step(torch.tensor([[herb], [wrong]], dtype=torch.int32))
    assert world.inventory.tolist() == [[0, 0, 1], [0, 0, 0]]

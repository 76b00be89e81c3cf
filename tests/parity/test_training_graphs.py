"""Training by CUDA graphs gives the bits of training step by step."""

import dataclasses

import pytest
import torch

from lapis import recipes
from lapis.train.loop import Trainer

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"),
]

CONFIG = dataclasses.replace(recipes.techtree(), world_count=64, device="cuda")


def assert_same(one: Trainer, other: Trainer) -> None:
    tensors, state = one.state_dict()
    other_tensors, other_state = other.state_dict()
    assert state == other_state
    for name, tensor in tensors.items():
        assert torch.equal(tensor, other_tensors[name]), name


@pytest.mark.parametrize("recipe", [recipes.techtree, recipes.combinations])
def test_graphs_and_single_launches_train_the_same(recipe):
    config = dataclasses.replace(recipe(), world_count=64, device="cuda")
    eager = Trainer(dataclasses.replace(config, cuda_graphs=False))
    captured = Trainer(config)
    for _ in range(8):
        first, second = eager.train_one_update(), captured.train_one_update()
        assert first["losses"] == second["losses"]
        assert (first["attempts"] == second["attempts"]).all()
    assert_same(eager, captured)
    captured.game.world.check()


def test_a_resumed_run_records_anew_and_goes_on_the_same():
    whole, half = Trainer(CONFIG), Trainer(CONFIG)
    for _ in range(6):
        whole.train_one_update()
        half.train_one_update()
    saved = half.state_dict()
    half.train_one_update()
    for resumed in (half, Trainer(CONFIG)):
        resumed.load_state_dict(*saved)
        for _ in range(6):
            resumed.train_one_update()
    for _ in range(6):
        whole.train_one_update()
    assert_same(whole, half)
    assert_same(whole, resumed)

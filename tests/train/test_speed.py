"""What can be said of speed without measuring it."""

import dataclasses

import pytest
import torch

from lapis import recipes
from lapis.agent.cost import Cost
from lapis.cli import main
from lapis.train.speed import has_parts, operations_per_step, plain


def test_operations_of_a_step_by_hand():
    config = recipes.voxel()
    assert (config.rollout_steps, config.ppo.sample_reuse) == (32, 1.9)
    # Looked at 33 times in 32 steps, learned from 1.9 times; two operations per multiply-add.
    assert operations_per_step(Cost(320, 900), config) == 2 * (330 + 1710)


def test_the_plain_version_differs_in_speed_alone():
    config = recipes.voxel()
    simple = plain(config)
    assert not simple.cuda_graphs
    assert (simple.policy.frames.precision, simple.policy.compile) == ("float32", False)
    assert dataclasses.replace(simple, cuda_graphs=True, policy=config.policy) == config


def test_parts_are_told_apart_from_pixels_on_a_gpu():
    config = recipes.voxel()
    assert has_parts(config)
    assert not has_parts(dataclasses.replace(config, device="cpu"))
    fan = dataclasses.replace(config.world, view="fan")
    assert not has_parts(dataclasses.replace(config, world=fan))
    assert not has_parts(dataclasses.replace(recipes.demo(), device="cuda"))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
@pytest.mark.parametrize("command", [["bench", "train", "--recipe", "voxel"], ["train", "voxel"]])
def test_a_gpu_that_is_not_there_is_told(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    assert main(command) == 1
    assert "device is 'cuda', but PyTorch finds no CUDA device;" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_name_of_no_device_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", "demo", "--device", "gpu"]) == 1
    assert "device is 'gpu'; it must be cpu, cuda or cuda:N" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []

"""The recipes of the voxel world."""

import dataclasses

import pytest
import torch

from lapis import recipes
from lapis.agent import ppo
from lapis.agent.config import paper_ppo
from lapis.running import checkpoint
from lapis.train.loop import Trainer


def sizes(config):
    """Sequences of each minibatch, and of each part of one that is in memory at once."""
    count = config.world_count * config.rollout_steps // config.ppo.sequence_steps
    order = ppo.sequence_order(count, config.ppo.sample_reuse, torch.Generator().manual_seed(0))
    return [len(part) for part in ppo.minibatches(order, config.ppo.minibatch_sequences)]


def test_the_paper_has_the_papers_numbers():
    config = recipes.paper()
    assert (config.policy.width, config.policy.frames.filters) == (512, (64, 128, 128))
    assert dataclasses.replace(config.ppo, microbatch_sequences=0) == paper_ppo()
    assert config.world_count * config.rollout_steps == 17_180
    assert sizes(config) == [3264]
    assert 3264 / config.world_count == pytest.approx(1.9, abs=0.001)
    assert 3264 % config.ppo.microbatch_sequences == 0
    assert (config.updates, config.curriculum.time_scale) == (50_000, 1250.0)
    assert config.curriculum.floor == 0.0
    assert (config.simonsays.task_ticks, config.simonsays.episode_ticks) == (6000, 36_000)


def test_all_minibatches_of_the_small_recipe_have_one_size():
    """Compiled code and recorded convolutions are made for one size."""
    config = recipes.voxel()
    assert sizes(config) == [608] * 8
    assert config.ppo.sample_reuse == 1.9


def test_a_small_copy_of_the_recipe_trains_and_resumes_from_a_file_bit_for_bit(tmp_path):
    """Through a file, which keeps no strides: convolutions have theirs in an order of their own."""
    config = recipes.voxel()
    config = dataclasses.replace(
        config,
        device="cpu",
        threads=1,
        checkpoint_worlds=True,
        world_count=8,
        rollout_steps=4,
        world=dataclasses.replace(config.world, size=16, frame_size=16),
        policy=dataclasses.replace(
            config.policy,
            width=16,
            frames=dataclasses.replace(config.policy.frames, filters=(4, 4, 4)),
        ),
        ppo=dataclasses.replace(
            config.ppo, sequence_steps=4, minibatch_sequences=5, microbatch_sequences=2
        ),
    )
    whole, half = Trainer(config), Trainer(config)
    logged = [whole.train_one_update() for _ in range(4)]
    for _ in range(2):
        half.train_one_update()
    identity = checkpoint.Identity(kind="Trainer", config={})
    path = checkpoint.save(tmp_path, 2, *half.state_dict(), identity=identity)
    resumed = Trainer(config)
    resumed.load_state_dict(*checkpoint.load(path, identity=identity)[1:])
    assert [resumed.train_one_update()["losses"] for _ in range(2)] == [
        metrics["losses"] for metrics in logged[2:]
    ]
    for name, tensor in whole.state_dict()[0].items():
        assert torch.equal(tensor, resumed.state_dict()[0][name]), name

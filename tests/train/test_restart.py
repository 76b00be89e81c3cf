"""Checkpoints without worlds: all but the episodes under way goes on."""

import dataclasses

import numpy as np
import pytest
import torch

from lapis import recipes
from lapis.recipes import probes
from lapis.train.loop import Trainer
from lapis.train.state import begin_anew, without_worlds
from tests.train.test_loop import small

RECIPES = [probes.two_goals, recipes.techtree, recipes.voxel]


def config_of(recipe):
    config = small(recipe, threads=1)
    config = dataclasses.replace(
        config,
        device="cpu",
        checkpoint_worlds=False,
        policy=dataclasses.replace(config.policy, width=16),
    )
    if config.policy.frames is None:
        return config
    frames = dataclasses.replace(config.policy.frames, filters=(4, 4))
    return dataclasses.replace(
        config,
        world=dataclasses.replace(config.world, size=16, frame_size=16),
        policy=dataclasses.replace(config.policy, frames=frames),
    )


def bytes_of(tensors, *prefixes):
    return sum(
        tensor.numel() * tensor.element_size()
        for name, tensor in tensors.items()
        if name.startswith(prefixes)
    )


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_worlds_and_memories_are_left_out_and_begin_anew(recipe):
    config = config_of(recipe)
    trainer = Trainer(config)
    for _ in range(3):
        trainer.train_one_update()
    tensors, state = trainer.state_dict()
    assert bytes_of(tensors, "game/", "player/") < 10_000
    resumed = Trainer(config)
    resumed.load_state_dict(tensors, state)
    for name in ("policy", "optimizer", "curriculum", "exploration"):
        for path, tensor in resumed.state_dict()[0].items():
            if path.startswith(f"{name}/"):
                assert torch.equal(tensor, tensors[path]), path
    assert (resumed.update, resumed.frames) == (3, trainer.frames)
    assert torch.equal(resumed.exploration_set, trainer.exploration_set)
    assert resumed.game.restarted.all()
    assert not resumed.game.world.inventory.any()
    assert not resumed.player.state.hidden_SH.any()
    metrics = resumed.train_one_update()
    assert metrics["update"] == 4
    np.testing.assert_array_equal(
        metrics["probabilities"], trainer.train_one_update()["probabilities"]
    )


@pytest.mark.parametrize("recipe", RECIPES)
def test_two_resumes_are_the_same_bit_for_bit(recipe):
    trainer = Trainer(config_of(recipe))
    trainer.train_one_update()
    saved = trainer.state_dict()
    first, second = Trainer(config_of(recipe)), Trainer(config_of(recipe))
    second.train_one_update()  # What it did before does not count.
    losses = []
    for resumed in (first, second):
        resumed.load_state_dict(*saved)
        losses.append([resumed.train_one_update()["losses"] for _ in range(2)])
    assert losses[0] == losses[1]


def test_no_episode_is_played_twice():
    config = config_of(recipes.voxel)
    trainer = Trainer(config)
    trainer.train_one_update()
    before = trainer.game.world.state.blocks.clone()
    episodes = trainer.game.world.state.episode.clone()
    resumed = Trainer(config)
    same = resumed.game.world.state.blocks == before
    assert same.float().mean() > 0.95  # Both began with the same land; some of it was dug away.
    resumed.load_state_dict(*trainer.state_dict())
    assert torch.equal(resumed.game.world.state.episode, episodes + 1)
    another = resumed.game.world.state.blocks != before
    assert (another.flatten(1).float().mean(dim=1) > 0.01).all()


def test_a_state_of_another_kind_is_refused():
    game = Trainer(config_of(probes.two_goals)).game
    kept = without_worlds(game.state_dict())
    del kept["world"]["episode_W"]
    with pytest.raises(ValueError, match=r"saved\['world'\] has \[\], not \['episode_W'\]"):
        begin_anew(game, kept)

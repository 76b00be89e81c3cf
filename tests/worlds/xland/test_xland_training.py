"""Training in JAX's worlds: the recipes play and learn, and a saved run goes on bit for bit."""

import dataclasses

import numpy as np
import pytest

pytest.importorskip("jax", reason="JAX is not installed: pip install 'lapis-rl[xland]'")
pytest.importorskip("xminigrid", reason="not installed: pip install 'lapis-rl[xland]'")

from lapis.recipes import xland
from lapis.train.config import from_dict, to_dict
from lapis.train.loop import Trainer
from lapis.worlds.xland import XLandConfig


def small():
    config = xland()
    world = XLandConfig(chains=1, links=1, size=5, view=3)
    return dataclasses.replace(
        config,
        world=world,
        world_count=16,
        evaluation_attempts=4,
        simonsays=dataclasses.replace(config.simonsays, goals=world.goals, task_ticks=40),
    )


def test_a_saved_run_goes_on_bit_for_bit():
    one = Trainer(small())
    for _ in range(3):
        one.train_one_update()
    saved = one.state_dict()
    other = Trainer(small())
    other.load_state_dict(*saved)
    for _ in range(2):
        left, right = one.train_one_update(), other.train_one_update()
        assert left["losses"] == right["losses"]
        np.testing.assert_array_equal(left["successes"], right["successes"])
    ends = [trainer.evaluate() for trainer in (one, other)]
    np.testing.assert_array_equal(*(end["successes"] for end in ends))


def test_without_worlds_no_episode_is_played_twice():
    config = dataclasses.replace(small(), checkpoint_worlds=False)
    one, other = Trainer(config), Trainer(config)
    one.game.start()
    episodes = np.asarray(one.game.world.rows.episode)
    other.load_state_dict(*one.state_dict())
    np.testing.assert_array_equal(np.asarray(other.game.world.rows.episode), episodes + 1)
    rooms = [trainer.game.observation["objects"] for trainer in (one, other)]
    assert not (rooms[0] == rooms[1]).all()


def test_a_state_that_has_episodes_among_the_rows_can_be_loaded():
    one, other = (Trainer(small()).game.world for _ in range(2))
    one.reset(one.died.logical_not())
    state = one.state_dict()
    state["rows"][".episode"] = state.pop("episode")
    other.load_state_dict(state)
    np.testing.assert_array_equal(np.asarray(other.rows.episode), np.asarray(one.rows.episode))


def test_the_recipe_is_a_config_like_any_other():
    config = xland()
    assert config.simonsays.goals == config.world.goals
    assert to_dict(config)["world"]["kind"] == "xland"
    assert from_dict(type(config), to_dict(config)) == config


@pytest.mark.slow
def test_an_agent_learns_to_pick_up_what_it_is_asked_for():
    config = small()
    world = XLandConfig(chains=2, links=0, size=6, view=5)
    config = dataclasses.replace(
        config,
        world=world,
        world_count=128,
        simonsays=dataclasses.replace(config.simonsays, goals=world.goals, task_ticks=40),
    )
    trainer = Trainer(config)
    for _ in range(40):
        trainer.train_one_update()
    end = trainer.evaluate()
    assert end["successes"].sum() >= 0.7 * end["attempts"].sum()

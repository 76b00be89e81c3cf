"""Minecraft as a Gymnasium environment, over the toy game in processes of its own."""

import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from lapis.simonsays.gym import MINERL_ID

FAKE = "tests.worlds.minerl.fake_env:FakeMineRLWorlds"
SETTINGS = {"python": sys.executable, "frame_size": 16, "goals": ("dirt", "planks")}


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    monkeypatch.setattr("lapis.worlds.minerl.config.FACTORY", FAKE)


def test_gymnasiums_checker_accepts_minecraft():
    env = gymnasium.make(MINERL_ID, render_mode="rgb_array", **SETTINGS)
    check_env(env.unwrapped)
    env.reset(seed=0)
    assert env.render().shape == (16, 16, 3)
    env.close()


def test_games_are_told_in_words():
    env = gymnasium.make(MINERL_ID, render_mode="ansi", **SETTINGS)
    env.reset(seed=0)
    assert "health 20.0/20   food 20/20   in hand: no tool" in env.render()
    env.close()


def test_several_games_are_one_vector():
    envs = gymnasium.make_vec(MINERL_ID, num_envs=3, worlds_per_process=3, **SETTINGS)
    observation, info = envs.reset(seed=1)
    assert observation["frame"].shape == (3, 16, 16, 3)
    rng = np.random.default_rng(0)
    for _ in range(20):
        actions = [
            [rng.choice(np.flatnonzero(part)) for part in np.split(mask, SPLITS)]
            for mask in info["action_mask"]
        ]
        observation, _, _, _, info = envs.step(np.array(actions))
        assert not info["invalid_action"].any()
    envs.close()


SPLITS = np.cumsum([3, 3, 3, 2, 3, 2, 15, 9])

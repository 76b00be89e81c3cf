"""Minetest as an environment of Gymnasium, and in words."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from lapis.cli import main
from lapis.play.minetest import play_minetest
from lapis.simonsays.gym import MINETEST_ID, MINETEST_VOXEL_ID
from tests.test_play import recorded

pytestmark = pytest.mark.usefixtures("engine")


def test_gymnasium_finds_nothing_wrong():
    env = gymnasium.make(MINETEST_ID, servers=1, task_ticks=200, render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)
    env.reset(seed=1)
    assert "Simon says: " in env.unwrapped.render()
    assert "health 20/20" in env.unwrapped.render()
    env.close()


def test_gymnasium_finds_nothing_wrong_with_keys():
    env = gymnasium.make(MINETEST_VOXEL_ID, servers=1, task_ticks=200, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)
    observation, _ = env.reset(seed=1)
    assert np.array_equal(env.unwrapped.render(), observation["frame"])
    env.close()


def test_many_environments_share_the_servers():
    envs = gymnasium.make_vec(MINETEST_ID, num_envs=3, servers=2)
    _, info = envs.reset(seed=0)
    action = np.array([mask.nonzero()[0][0] for mask in info["action_mask"]])
    observation, *_ = envs.step(action)
    assert observation["inventory"].shape == (3, 116)
    envs.close()


def test_the_policy_that_comes_with_lapis_is_filmed(tmp_path):
    film = tmp_path / "film.gif"
    world = ["--world", "minetest_voxel", "--world.servers", "1"]
    assert main(["watch", *world, "--steps", "5", "--goals", "log", "--output", str(film)]) == 0
    assert film.stat().st_size > 1000


def test_a_person_digs_dirt_in_the_terminal():
    result, shown = recorded(play_minetest, "look -90", "dig", goals=("default:dirt",))
    assert result == (1, 1)
    for part in ("Simon says: default:dirt", "looking 90 degrees down", "you hold: 1 dirt"):
        assert part in shown, part

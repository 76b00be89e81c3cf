"""Training from Python: settings or objects of one's own, with and without a run folder."""

import dataclasses
import json

import numpy as np
import pytest

from lapis.curriculum import Uniform, UniformConfig
from lapis.recipes import probes
from lapis.running.options import RunOptions
from lapis.running.train import train
from lapis.train.config import load_config
from lapis.worlds.probe_config import ProbeConfig
from lapis.worlds.probes import Bandit

SMALL = dataclasses.replace(probes.bandit(), world_count=8, updates=2, threads=1)


def test_settings_take_the_place_of_the_recipes():
    trainer = train(SMALL, world=ProbeConfig(name="masked"), curriculum=UniformConfig())
    assert trainer.update == 2
    assert trainer.config.world == ProbeConfig(name="masked")
    assert isinstance(trainer.curriculum, Uniform)


def test_objects_that_are_there_already_are_used():
    world, teacher = Bandit(4, seed=1), Uniform(1)
    trainer = train(SMALL, world=world, curriculum=teacher)
    assert trainer.game.world is world
    assert trainer.curriculum is teacher
    assert trainer.rollout.world_count == 4
    assert world.episode_W.min() > 1


def test_a_run_folder_says_how_everything_is_made(tmp_path):
    options = RunOptions(quiet=True)
    train(SMALL, curriculum=UniformConfig(), run=tmp_path / "run", options=options)
    values = json.loads((tmp_path / "run" / "config.json").read_text())
    assert load_config(values).curriculum == UniformConfig()
    lines = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["update"] for line in lines] == [1, 2]
    for given in ({"world": Bandit(4)}, {"curriculum": Uniform(1)}):
        with pytest.raises(ValueError, match=r"needs settings, not a (Bandit|Uniform)"):
            train(SMALL, run=tmp_path / "other", **given)
    assert not (tmp_path / "other").exists()


def test_a_world_of_settings_is_the_one_that_the_configuration_names():
    by_settings = train(SMALL, world=ProbeConfig(name="bandit"))
    plain = train(SMALL)
    np.testing.assert_array_equal(by_settings.exploration.success_, plain.exploration.success_)

"""Runs that begin with the weights of another one."""

import dataclasses
import shutil

import numpy as np
import pytest
import torch

from lapis.curriculum import ExplorationConfig
from lapis.recipes import probes
from lapis.running.export import export, load_policy
from lapis.running.initial import begin
from lapis.running.options import RunOptions
from lapis.running.run import resume, start
from lapis.running.train import train
from lapis.runs import RunError
from lapis.train.loop import Trainer

SMALL = dataclasses.replace(probes.two_goals(), world_count=8, updates=2, threads=1, seed=3)
QUIET = RunOptions(quiet=True)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A finished run and the file of its policy."""
    folder = tmp_path_factory.mktemp("initial")
    start(folder / "run", config=SMALL, recipe="two-goals", command=["lapis"], options=QUIET)
    export(load_policy(folder / "run"), folder / "policy.safetensors")
    return folder / "run", folder / "policy.safetensors"


def first_weights(config, monkeypatch, begin):
    """What the policy holds when the first rollout is played, and what `begin` returns."""
    seen = {}
    once = Trainer.train_one_update

    def look(self):
        if not seen:
            seen.update({name: each.clone() for name, each in self.policy.state_dict().items()})
        return once(self)

    monkeypatch.setattr(Trainer, "train_one_update", look)
    begin(config)
    return seen


@pytest.mark.parametrize("place", [0, 1])
def test_a_run_begins_with_the_weights_of_a_run_or_of_a_file(trained, place, tmp_path, monkeypatch):
    config = dataclasses.replace(SMALL, seed=8, initial_policy=str(trained[place]))

    def begin(config):
        start(tmp_path / "run", config=config, recipe="r", command=["lapis"], options=QUIET)

    weights = first_weights(config, monkeypatch, begin)
    there = load_policy(trained[place]).policy.state_dict()
    assert weights.keys() == there.keys()
    for name, weight in weights.items():
        assert torch.equal(weight, there[name]), name


def test_training_without_a_folder_begins_with_them_too(trained, monkeypatch):
    config = dataclasses.replace(SMALL, initial_policy=str(trained[0]))
    weights = first_weights(config, monkeypatch, train)
    there = load_policy(trained[0]).policy.state_dict()
    assert all(torch.equal(weight, there[name]) for name, weight in weights.items())


def test_curriculum_and_bonus_go_on_from_the_recorded_averages(trained):
    average = np.array(load_policy(trained[1]).success.average)
    assert average.any()  # Else the averages' own start would pass, too.
    bonus = dataclasses.replace(SMALL.simonsays, bonus="dynamic", bonus_coefficient=0.5)
    of_goals = ExplorationConfig(threshold=float(average.max()), time_scale=5.0)
    config = dataclasses.replace(
        SMALL, initial_policy=str(trained[1]), simonsays=bonus, exploration=of_goals
    )
    trainer = Trainer(config)
    begin(trainer, config)
    np.testing.assert_array_equal(trainer.exploration.success_, average)
    np.testing.assert_array_equal(trainer.curriculum.fast_, average)
    np.testing.assert_array_equal(trainer.curriculum.slow_, average)
    np.testing.assert_array_equal(trainer.game.exploration_set.numpy(), average < average.max())
    np.testing.assert_allclose(trainer.curriculum.probabilities(), 1 / len(average))


def test_a_resumed_run_needs_the_policy_only_before_its_first_checkpoint(trained, tmp_path):
    source = tmp_path / "source.safetensors"
    source.write_bytes(trained[1].read_bytes())
    config = dataclasses.replace(SMALL, initial_policy=str(source))
    path = tmp_path / "run"
    start(path, config=config, recipe="r", command=["lapis"], options=QUIET)
    source.unlink()
    assert resume(path, command=["lapis"], updates=3, options=QUIET) == 0
    for each in (path / "checkpoints").iterdir():
        shutil.rmtree(each)
    with pytest.raises(FileNotFoundError, match=r"source\.safetensors"):
        resume(path, command=["lapis"], from_start=True, options=QUIET)


def test_what_does_not_fit_is_refused_and_no_folder_is_made(trained, tmp_path):
    wider = dataclasses.replace(SMALL.policy, width=SMALL.policy.width * 2)
    for changes, message in (
        ({"policy": wider}, "has a different network from this run"),
        ({"world": probes.bandit().world, "simonsays": probes.bandit().simonsays}, "other goals"),
        ({"initial_policy": str(tmp_path / "none.safetensors")}, "there is no file"),
    ):
        config = dataclasses.replace(SMALL, **{"initial_policy": str(trained[1]), **changes})
        with pytest.raises((RunError, FileNotFoundError), match=message):
            start(tmp_path / "new", config=config, recipe="r", command=["lapis"], options=QUIET)
        assert not (tmp_path / "new").exists()

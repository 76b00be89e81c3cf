"""Runs that ask for more memory than there is are refused in a line that names it."""

import dataclasses

import pytest

from lapis.cli import main
from lapis.recipes import demo
from lapis.train.loop import Trainer


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["--world-count", "2000000000"], "2,000,000,000 worlds take at least"),
        (["--rollout-steps", "1600000000"], "rollouts of 1,600,000,000 steps in 64 worlds and"),
        (["--policy.width", "1000000"], "64 worlds and a policy of width 1,000,000 take at least"),
    ],
)
def test_a_run_that_cannot_fit_is_refused_in_one_line(changes, message, tmp_path, capsys):
    folder = tmp_path / "run"
    assert main(["train", "demo", "--run", str(folder), "--world-count", "64", *changes]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.startswith("error: ")
    assert told.count("\n") == 1
    assert not folder.exists()


def test_a_policy_that_cannot_fit_names_worlds_and_memory():
    config = demo()
    config = dataclasses.replace(config, policy=dataclasses.replace(config.policy, width=10**6))
    with pytest.raises(ValueError, match=r"worlds and a policy of width 1,000,000 take .* GB"):
        Trainer(config)

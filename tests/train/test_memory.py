"""Runs that ask for more memory than there is are refused in a line that names it."""

import dataclasses
import json

import pytest

from lapis.cli import main
from lapis.recipes import demo
from lapis.running.run import RunOptions, start
from lapis.train.loop import Trainer
from tests.running.test_trained import config_of


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


def test_a_strangers_run_that_cannot_fit_is_refused_in_one_line(tmp_path, capsys):
    run = tmp_path / "run"
    options = RunOptions(quiet=True)
    start(run, config=config_of(), recipe="r", command=["c"], options=options)
    config = json.loads((run / "config.json").read_text())
    (run / "config.json").write_text(json.dumps(config | {"world_count": 2**31 - 1}))
    before = {path: path.read_bytes() for path in run.rglob("*.jsonl")}
    capsys.readouterr()
    assert main(["resume", str(run)]) == 1
    told = capsys.readouterr().err
    assert "config.json cannot be used: world_count is 2147483647; it must be" in told
    assert told.count("\n") == 1
    assert {path: path.read_bytes() for path in run.rglob("*.jsonl")} == before

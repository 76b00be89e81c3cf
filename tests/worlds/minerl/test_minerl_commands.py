"""Commands that play in Minecraft: with the policy of the voxel world, over the toy game."""

import dataclasses
import sys

import numpy as np
import pytest

from lapis.cli import UsageError, main
from lapis.cli.worlds import take_world
from lapis.play.scene import SHIPPED
from lapis.running.export import load_policy
from lapis.running.trained import in_world
from lapis.runs import RunError
from lapis.train.evaluation import evaluate
from lapis.worlds.minerl import MineRLConfig
from lapis.worlds.techtree import TechTreeConfig
from lapis.worlds.voxel import VoxelConfig
from tests.worlds.minerl.test_minerl_gym import FAKE


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr("lapis.worlds.minerl.config.FACTORY", FAKE)


def test_a_world_and_its_settings_are_taken_out_of_the_arguments(capsys):
    world, rest = take_world(
        [
            "run",
            "--world",
            "minerl",
            "--world.ports",
            "9000",
            "9001",
            "--world.frame-size=32",
            "--x",
        ],
        "lapis evaluate",
    )
    assert world == MineRLConfig(ports=(9000, 9001), frame_size=32)
    assert rest == ["run", "--x"]
    assert take_world(["--world=voxel", "run"], "p") == (VoxelConfig(), ["run"])
    assert take_world(["run", "--attempts", "3"], "p") == (None, ["run", "--attempts", "3"])
    with pytest.raises(UsageError, match="name it with --world"):
        take_world(["run", "--world.ports", "9000"], "p")
    with pytest.raises(SystemExit):
        take_world(["--world", "minerl", "--world.frame-size", "4"], "p")
    assert "frame_size is 4" in capsys.readouterr().err


def test_a_policy_of_the_voxel_world_plays_in_worlds_of_its_layout_alone():
    trained = load_policy(SHIPPED)
    assert in_world(trained, MineRLConfig()).config.world == MineRLConfig()
    for other in (TechTreeConfig(), MineRLConfig(frame_size=32)):
        with pytest.raises(RunError, match=r"in the world `voxel`; .* has other observations"):
            in_world(trained, other)


def test_the_shipped_policy_is_evaluated_in_minecraft(toy):
    """Half of the worlds at a time, and only two steps for each goal."""
    trained = load_policy(SHIPPED)
    config = in_world(trained, MineRLConfig(python=sys.executable, worlds_per_process=60)).config
    game = dataclasses.replace(config.simonsays, task_ticks=8)
    config = dataclasses.replace(
        config, simonsays=game, evaluation_attempts=1, evaluation_worlds=60
    )
    counts = evaluate(dataclasses.replace(trained, config=config))
    assert np.array(counts["attempts"]).tolist() == [1] * len(game.goals)


@pytest.mark.parametrize("player", [["--random"], []])
def test_players_are_filmed_in_minecraft(toy, player, tmp_path, capsys):
    film = tmp_path / "film.gif"
    world = ["--world", "minerl", "--world.python", sys.executable]
    code = main(["watch", *player, *world, "--steps", "4", "--pixels", "64", "--output", str(film)])
    told = capsys.readouterr()
    assert code == 0, told.err
    assert "5 pictures" in told.out
    assert film.stat().st_size > 1000


@pytest.mark.parametrize("command", [["watch", "--random"], ["watch"], ["evaluate", str(SHIPPED)]])
def test_what_is_missing_is_told_in_a_line(command, capsys):
    """This environment has no MineRL."""
    world = ["--world", "minerl", "--world.python", sys.executable]
    assert main([*command, *world]) == 2
    told = capsys.readouterr().err.strip()
    assert "ModuleNotFoundError: No module named 'minerl'" in told
    assert "\n" not in told

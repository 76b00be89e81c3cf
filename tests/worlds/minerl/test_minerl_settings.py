"""Settings, and what is said where something is missing."""

import pytest

from lapis.registry import WORLDS
from lapis.worlds.minerl import MineRLConfig
from lapis.worlds.minerl.finding import ENVIRONMENT, VARIABLE, found_python, look
from lapis.worlds.voxel import VoxelConfig


def test_it_is_a_world_of_lapis_with_the_voxel_worlds_actions():
    kind = WORLDS.find("minerl")
    assert kind is MineRLConfig
    assert kind().action_prior == VoxelConfig().action_prior
    assert kind().action_items == VoxelConfig().action_items


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ports": (70000,)}, "ports is 70000; it must be numbers between 1 and 65535"),
        ({"worlds_per_process": 0}, "worlds_per_process is 0; it must be a whole number of at le"),
        ({"frame_size": 4}, "frame_size is 4"),
        ({"step_seconds": 0.0}, "step_seconds is 0.0"),
    ],
)
def test_bad_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        MineRLConfig(**settings)


@pytest.fixture
def empty(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    return tmp_path


def build(config, world_count=1):
    return config.build(world_count, seed=0, device="cpu", first_world=0)


def test_without_minerls_environment_the_command_that_makes_it_is_named(empty):
    with pytest.raises(ValueError, match=r"which is not an interpreter.*`make minerl-env`"):
        build(MineRLConfig())
    with pytest.raises(ValueError, match="python is '/no/python'"):
        build(MineRLConfig(python="/no/python"))
    assert look().python == ""


def test_an_environment_without_minerl_is_named(empty, monkeypatch):
    monkeypatch.setenv(VARIABLE, __import__("sys").executable)
    with pytest.raises(ValueError, match=r"cannot be made elsewhere: ModuleNotFoundError.*minerl"):
        build(MineRLConfig())


def test_every_world_needs_a_server_where_servers_are_named(empty, monkeypatch):
    monkeypatch.setenv(VARIABLE, __import__("sys").executable)
    with pytest.raises(ValueError, match="ports names 2 servers for 3 worlds"):
        build(MineRLConfig(ports=(9000, 9001)), 3)


def test_the_environment_is_found_by_setting_variable_or_folder(empty, monkeypatch):
    for name in ("made", "named", "given"):
        folder = empty / (ENVIRONMENT if name == "made" else name) / "bin"
        folder.mkdir(parents=True)
        (folder / "python").write_text("#!/bin/sh\n")
        (folder / "python").chmod(0o755)
    assert found_python() == str(empty / ENVIRONMENT / "bin/python")
    monkeypatch.setenv(VARIABLE, str(empty / "named/bin/python"))
    assert found_python() == str(empty / "named/bin/python")
    assert found_python(str(empty / "given/bin/python")) == str(empty / "given/bin/python")
    assert look().client == ""
    client = empty / "named/lib/python3.11/site-packages/minerl"
    game = client / "Malmo/Minecraft/build/libs/MalmoMod-0.37.0-fat.jar"
    game.parent.mkdir(parents=True)
    assert (look().client, look().game) == (str(client), "")
    game.touch()
    assert look().game == str(game)

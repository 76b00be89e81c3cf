"""What is asked of Minetest before a server runs."""

import subprocess
import sys

import pytest

from lapis.cli import main
from lapis.play.scene import SHIPPED
from lapis.recipes import minetest
from lapis.train.build import ingredients
from lapis.worlds.minetest import server
from lapis.worlds.minetest.actions import actions_of
from lapis.worlds.minetest.config import MinetestConfig
from lapis.worlds.minetest.far import MinetestWorlds


def test_a_missing_server_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr(server, "SERVERS", ("no-such-program",))
    with pytest.raises(FileNotFoundError, match="apt-get install minetest-server"):
        MinetestConfig().build(1, seed=0, device="cpu", first_world=0)


def test_a_missing_game_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr(server, "GAMES", ("/no/such/folder",))
    with pytest.raises(FileNotFoundError, match=r"game is not installed.*minetest-data"):
        server.game_folder()


def test_evaluation_says_that_the_engine_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(server, "SERVERS", ("no-such-program",))
    assert main(["evaluate", str(SHIPPED), "--world", "minetest_voxel", "--attempts", "1"]) == 2
    assert "apt-get install minetest-server" in capsys.readouterr().err


SLOW_SERVER = """
import os, sys, time
questions = os.open(sys.argv[1] + "/questions", os.O_RDONLY)
time.sleep(0.3)
answers = os.open(sys.argv[1] + "/answers", os.O_WRONLY)
while message := os.read(questions, 100):
    os.write(answers, message)
"""


def test_a_server_that_opens_its_pipes_slowly_is_waited_for(monkeypatch):
    def start(folder, seed, more):
        return subprocess.Popen([sys.executable, "-c", SLOW_SERVER, str(folder)])

    monkeypatch.setattr(server, "_start", start)
    slow = server.Server(0)
    assert slow.ask(b"what it is told it repeats") == b"what it is told it repeats"
    slow.close()


def test_a_server_that_ends_at_once_is_no_server(monkeypatch):
    def start(folder, seed, more):
        (folder / "log.txt").write_text("fine\nERROR[Main]: no luck\nmore\n")
        return subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])

    monkeypatch.setattr(server, "_start", start)
    with pytest.raises(RuntimeError, match=r"exit status 3, ERROR\[Main\]: no luck"):
        server.Server(0)


@pytest.mark.parametrize("count", [0, 33])
def test_players_of_a_server_are_limited(count):
    with pytest.raises(ValueError, match=f"not {count}; use more ends"):
        MinetestWorlds(count)


def test_land_that_is_too_shallow_or_deep_is_refused():
    for lowest in (-32, -1501):
        with pytest.raises(ValueError, match="lowest"):
            MinetestConfig(lowest=lowest)


def test_actions_and_what_they_are_about_agree():
    config = MinetestConfig()
    actions = actions_of(config.tree)
    assert len(config.action_prior) == len(config.action_items) == len(actions)
    assert len({each.name for each in actions}) == len(actions)
    assert actions[0].kind == "wait"
    assert ("smelt", "default:steel_ingot") in config.action_items
    assert ("craft", "default:pick_stone") in config.action_items
    assert ("equip", "default:pick_stone") in config.action_items


def test_recipe_asks_for_all_goals_and_knows_their_ingredients():
    config = minetest()
    goals = config.simonsays.goals
    assert goals == config.world.tree.goals
    table = ingredients(goals, config.world.prerequisites)
    steel = table[goals.index("default:steel_ingot")]
    assert steel[goals.index("default:pick_stone")]
    assert not steel[goals.index("default:gold_lump")]
    needs = config.world.prerequisites
    assert int(table.sum()) == sum(len(needs[goal] & set(goals)) for goal in goals)

"""What a step led to, in words."""

from types import SimpleNamespace

import torch

from lapis.simonsays import SimonSays, SimonSaysConfig, words
from tests.simonsays.scripted import ScriptedWorld

FLAGS = ("restarted", "task_over", "task_succeeded", "terminated", "truncated")


def told(*true: str) -> list[str]:
    """The sentences where these flags are set in the second of two worlds."""
    flags = {name: torch.tensor([True, name in true]) for name in FLAGS}
    world = SimpleNamespace(died=torch.tensor([True, "died" in true]))
    return words.told(SimpleNamespace(world=world, **flags), "iron_ore", row=1)  # pyright: ignore


def test_every_outcome_has_its_sentences():
    over = "The episode is over."
    assert told() == []
    assert told("task_over", "task_succeeded") == ["Done: iron ore."]
    assert told("task_over") == ["Failed: no iron ore in time."]
    assert told("task_over", "terminated") == ["Failed: no iron ore in time.", over]
    assert told("task_over", "died", "terminated") == ["You died.", over]
    assert told("task_over", "task_succeeded", "truncated") == ["Done: iron ore.", over]
    assert told("restarted") == ["A new episode begins."]


def test_items_that_come_and_go():
    assert words.change("iron_ore", 2) == "+2 iron ore"
    assert words.change("log", -1) == "-1 log"


def test_the_task_is_told_with_the_time_that_is_left():
    world = ScriptedWorld(torch.zeros(5, 2, 3))
    config = SimonSaysConfig(goals=("a", "b"), bonus="none", task_ticks=400)
    game = SimonSays(world, config)
    game.ask_for(torch.tensor([0, 1]))
    assert words.task(game, 1) == "Simon says: b   20 s left"
    assert (words.asked(game, 0), words.seconds_left(game, 0)) == ("a", 20.0)

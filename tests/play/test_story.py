"""A game of one world, and what is kept of it."""

import pytest
import torch

from lapis.play.story import PersonalGame, Story
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.techtree import ACTION, TechTreeWorld


def action(name: str) -> torch.Tensor:
    return torch.tensor([[ACTION[name]]], dtype=torch.int32)


def test_a_story_counts_tasks_and_rewards_and_keeps_what_came_and_went():
    config = SimonSaysConfig(goals=("dirt",), bonus="none", task_ticks=200)
    story = Story(SimonSays(TechTreeWorld(1, seed=0), config, seed=0))
    assert (story.goal, story.messages, story.changes) == ("dirt", [], [])
    story.take(action("gather dirt"))
    assert (story.messages, story.changes) == (["Done: dirt."], [("dirt", 1)])
    story.take(action("dig down"))  # 85.5 seconds for a task of 10, in which dirt comes too late
    assert (story.reward, story.solved, story.ended) == (1.0, 1, 2)
    assert story.messages == ["Failed: no dirt in time."]
    assert not story.is_over


def test_a_new_episode_brings_and_takes_nothing():
    config = SimonSaysConfig(
        goals=("diamond",), bonus="none", task_ticks=20, failures_to_end=1, inherit_probability=0.0
    )
    story = Story(SimonSays(TechTreeWorld(1, seed=0), config, seed=0))
    story.take(action("gather dirt"))
    assert story.is_over
    story.take(action("move on"))
    assert (story.messages, story.changes) == (["A new episode begins."], [])
    assert not story.game.world.inventory.any()


def test_a_skip_costs_nothing_but_is_refused_when_the_episode_is_over():
    game = PersonalGame(TechTreeWorld(1, seed=0), ("dirt", "sapling"), 0)
    first = game.goal
    game.skip()
    assert game.goal != first
    assert (game.messages, game.solved, game.ended) == ([f"Skipped: {first}."], 0, 0)
    game.game.terminated.fill_(True)
    with pytest.raises(ValueError, match="the episode is over; the next step begins another"):
        game.skip()

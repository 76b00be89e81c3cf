"""The policy that comes with the package fits the world and does what it is asked for."""

import dataclasses

import pytest
import torch

from lapis.play.scene import SHIPPED, policy_actor, run_scene
from lapis.running.export import LARGEST, load_policy
from lapis.train.build import make_game
from lapis.train.evaluation import evaluation_config
from tests.shipped import needs_shipped_policy

pytestmark = needs_shipped_policy


@pytest.fixture(scope="module")
def trained():
    return load_policy(SHIPPED, device="cpu")


def test_it_is_small_and_of_a_run_that_went_past_the_surface(trained):
    assert SHIPPED.stat().st_size <= LARGEST
    assert trained.config.world_name == "voxel"
    assert trained.config.world.view == "frame"
    learned = run_scene(SHIPPED).learned()
    assert len(learned) >= 45
    assert {"log", "cobblestone", "stone_pickaxe", "coal", "iron_ingot"} <= set(learned)


def test_it_plays_in_the_world_as_it_is():
    scene = run_scene(SHIPPED)
    for _ in range(2):
        scene.game.step(scene.actor(scene.game))
    scene.game.world.check()


@pytest.mark.slow
@pytest.mark.parametrize(("goal", "steps"), [("log", 100), ("stone_pickaxe", 300)])
def test_it_does_what_it_is_asked_for_from_empty_hands(goal, steps, trained):
    """Players by habit alone have a log in two worlds of three after 1500 steps."""
    config = dataclasses.replace(evaluation_config(trained.config), world_count=16)
    game = make_game(config)
    game.ask_for(torch.full((16,), game.goals.index(goal)))
    game.observation["exploration_set"].copy_(trained.exploration_set)
    actor = policy_actor(trained.policy)
    succeeded = torch.zeros(16, dtype=torch.bool)
    for _ in range(steps):
        game.step(actor(game))
        succeeded |= game.task_succeeded
    assert int(succeeded.sum()) >= 12

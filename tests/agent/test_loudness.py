"""How loud each observation is at the start, on real observations of the voxel world."""

import dataclasses
import functools

import pytest
import torch

from lapis.agent.config import PolicyConfig
from lapis.agent.encoders import (
    ITEM_LOUDNESS,
    LOUDNESS,
    GoalEncoder,
    LinearEncoder,
    OneHotEncoder,
    build_encoders,
    equalize,
)
from lapis.agent.player import seen
from lapis.minecraft.items import ITEM
from lapis.play.scene import random_actor
from lapis.recipes.voxel import voxel
from lapis.train.build import ingredients, make_game, make_policy

WIDTH = 256


def size(embedding: torch.Tensor) -> torch.Tensor:
    """Root mean square of the entries of each embedding."""
    return embedding.square().mean(dim=-1).sqrt()


@pytest.fixture(scope="module")
def played():
    """A game after some steps of chance, whose worlds hold things, and a policy for it."""
    config = voxel()
    policy = dataclasses.replace(
        config.policy, width=WIDTH, equal_inputs=True, observe_mask=True, compile=False
    )
    config = dataclasses.replace(config, world_count=16, device="cpu", policy=policy)
    game = make_game(config)
    held = torch.zeros_like(game.world.inventory)
    names = ("log", "planks", "stick", "cobblestone", "crafting_table", "wooden_pickaxe")
    for count, name in enumerate(names, start=1):
        held[:, ITEM[name]] = count
    game.world.reset(torch.ones(16, dtype=torch.bool), held)
    actor = random_actor(seed=1)
    for _ in range(30):
        game.step(actor(game))
    return game, make_policy(config, game)


@torch.no_grad()
def test_all_observations_start_about_equally_loud(played):
    game, policy = played
    observation = seen(game)
    sizes = {
        name: float(size(encode(observation[name])).mean())
        for name, encode in policy.encoders.items()
    }
    assert {"goal", "inventory", "exploration_set", "action_mask"} <= sizes.keys()
    for name, value in sizes.items():
        assert LOUDNESS / 2.5 < value < LOUDNESS * 2.5, (name, sizes)


@torch.no_grad()
def test_one_item_more_is_clearly_felt(played):
    """A stone pickaxe out of nowhere moves the sum of all embeddings by a tenth and more."""
    game, policy = played
    observation = seen(game)
    with_pickaxe = {**observation, "inventory": observation["inventory"].clone()}
    with_pickaxe["inventory"][..., ITEM["stone_pickaxe"]] = 1.0 / 6.0
    before, after = (
        functools.reduce(torch.add, policy._embed(each).values())
        for each in (observation, with_pickaxe)
    )
    moved = (after - before).norm(dim=-1) / before.norm(dim=-1)
    assert float(moved.min()) > 0.1
    plain = LinearEncoder(observation["inventory"].shape[-1], WIDTH)
    quiet = plain(with_pickaxe["inventory"]) - plain(observation["inventory"])
    assert float((after - before).norm(dim=-1).min()) > 10 * float(quiet.norm(dim=-1).max())


@torch.no_grad()
def test_the_size_of_each_kind_of_embedding():
    torch.manual_seed(0)
    numbers = LinearEncoder(50, 4096)
    equalize("vitals", numbers, torch.zeros(1, 50))
    half = torch.cat([torch.ones(25), torch.zeros(25)])
    assert float(size(numbers(half))) == pytest.approx(LOUDNESS, rel=0.1)
    one_hot = LinearEncoder(20, 4096)
    equalize("hand", one_hot, torch.zeros(1, 20))
    assert size(one_hot(torch.eye(20))).tolist() == pytest.approx([LOUDNESS] * 20, rel=0.1)
    items = LinearEncoder(20, 4096)
    equalize("inventory", items, torch.zeros(1, 20))
    first = size(items(torch.eye(20) / 6.0))
    assert first.tolist() == pytest.approx([ITEM_LOUDNESS] * 20, rel=0.1)
    goal = OneHotEncoder(9, 4096)
    equalize("goal", goal, torch.zeros(1))
    assert size(goal(torch.arange(9))).tolist() == pytest.approx([LOUDNESS] * 9, rel=0.1)


def test_a_module_without_a_rule_is_refused():
    with pytest.raises(ValueError, match="needs an encoder of 'mine' that ends in"):
        equalize("mine", torch.nn.Linear(2, 3), torch.zeros(1, 2))


def test_a_goal_is_seen_as_itself_and_as_what_it_is_made_from():
    """By hand: goal 2 is made from 0 and 1, whose rows as parts add up with weight 1 / sqrt(2)."""
    parts = torch.tensor([[False] * 3, [False] * 3, [True, True, False]])
    encoder = GoalEncoder(parts, 2)
    with torch.no_grad():
        encoder.weight.copy_(torch.arange(12.0).view(6, 2))
    itself, as_part = encoder.weight[:3], encoder.weight[3:]
    seen_goals = encoder(torch.tensor([[0, 2]]))
    torch.testing.assert_close(seen_goals[0, 0], itself[0])
    torch.testing.assert_close(seen_goals[0, 1], itself[2] + (as_part[0] + as_part[1]) / 2**0.5)


def test_ingredients_are_those_of_the_tech_tree():
    goals = ("log", "planks", "stick", "wooden_pickaxe", "comparator")
    table = ingredients(goals)
    assert table.tolist() == [
        [False] * 5,
        [True, False, False, False, False],
        [True, True, False, False, False],
        [True, True, True, False, False],
        [False] * 5,
    ]


def test_ingredients_are_asked_for_where_they_are_needed():
    observation = {"goal": torch.zeros(2, dtype=torch.int64)}
    config = PolicyConfig(width=4, observe_ingredients=True)
    with pytest.raises(ValueError, match="ingredients has shape None"):
        build_encoders(observation, config, goal_count=3)


def test_the_mask_is_seen_only_where_the_config_says_so():
    observation = {"action_mask": torch.zeros(2, 5, dtype=torch.bool), "vector": torch.zeros(2, 1)}
    plain = build_encoders(observation, PolicyConfig(width=4), goal_count=3)
    assert set(plain) == {"vector"}
    seeing = build_encoders(observation, PolicyConfig(width=4, observe_mask=True), goal_count=3)
    assert set(seeing) == {"vector", "action_mask"}

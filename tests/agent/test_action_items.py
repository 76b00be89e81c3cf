import dataclasses

import pytest
import torch

from lapis.agent.action_items import FEATURES, ActionItems
from lapis.recipes import demo, voxel
from lapis.train.build import make_game, make_policy
from lapis.worlds.probe_config import ProbeConfig

GOALS = ("stick", "sword", "planks")
ITEMS = (None, ("craft", "stick"), ("craft", "sword"), ("place", "planks"), ("place", "sand"))
# A sword is made of a stick and planks, a stick of planks.
INGREDIENTS = torch.tensor([[False, False, True], [True, False, True], [False, False, False]])
HELD = ("sand", "planks", "stick", "sword")


def made(**settings):
    return ActionItems(
        ITEMS,
        goals=GOALS,
        held=HELD,
        inventory="inventory",
        ingredients=INGREDIENTS,
        width=2,
        **settings,
    )


@pytest.fixture
def scores():
    module = made()
    # Kinds in alphabetical order: craft, place. The first unit of the trunk is always 1 here.
    weights = {"goal": (1.0, 2.0), "bonus": (10.0, 20.0), "ingredient": (100.0, 200.0)}
    weights["missing"] = (1000.0, 2000.0)
    with torch.no_grad():
        module.weight[:, 0] = torch.tensor([weights[name] for name in FEATURES]).flatten()
    return module


def seen(goal, *, pays=(), holds=()):
    return {
        "goal": torch.tensor([[GOALS.index(goal)]]),
        "exploration_set": torch.tensor([name in pays for name in GOALS]),
        "inventory": torch.tensor([[[float(name in holds) for name in HELD]]]),
    }


TRUNK = torch.tensor([[[1.0, 7.0]]])


def test_an_item_counts_by_what_it_is_for_the_goal(scores):
    sword = seen("sword", pays=("planks",), holds=("stick",))
    # Craft a stick: an ingredient that is held. Craft a sword: the goal. Place planks: they pay,
    # and are an ingredient that is not held.
    expected = [0.0, 100.0, 1.0, 20.0 + 200.0 + 2000.0, 0.0]
    assert scores(TRUNK, sword).flatten().tolist() == expected
    stick = seen("stick", pays=("sword",), holds=("planks",))
    assert scores(TRUNK, stick).flatten().tolist() == [0.0, 1.0, 10.0, 200.0, 0.0]


def test_weights_depend_on_what_the_policy_makes_of_its_observations(scores):
    half = scores(0.5 * TRUNK, seen("sword"))
    torch.testing.assert_close(half, 0.5 * scores(TRUNK, seen("sword")))


def test_without_the_exploration_set_nothing_is_known_of_it():
    module = made(see_bonus=False)
    torch.nn.init.ones_(module.weight)
    one, other = (module(TRUNK, seen("sword", pays=pays)) for pays in ((), GOALS))
    assert one.any()
    assert torch.equal(one, other)


def small(recipe, **policy):
    config = recipe()
    policy = dataclasses.replace(config.policy, compile=False, **policy)
    return dataclasses.replace(config, world_count=2, device="cpu", policy=policy)


@pytest.mark.parametrize("recipe", [demo, voxel])
def test_every_choice_of_a_world_says_what_it_is_about(recipe):
    config = small(recipe, action_items=True)
    items = config.world.action_items
    game = make_game(config)
    assert len(items) == sum(game.action_sizes)
    kinds = {item[0] for item in items if item}
    assert kinds == {"craft", "smelt", "place", "equip"}
    assert ("craft", "iron_sword") in items
    assert {item[1] for item in items if item} <= set(game.world.items)
    policy = make_policy(config, game)
    plain = make_policy(small(recipe), game)
    observation = {
        name: value if name == "exploration_set" else value.unsqueeze(0)
        for name, value in {**game.observation, "action_mask": game.action_mask}.items()
    }
    first = torch.ones(1, 2, dtype=torch.bool)
    # The weights start at zero, and no other weight is drawn differently for them.
    logits, values, _ = policy(observation, first, policy.initial_state(2))
    assert torch.equal(logits, plain(observation, first, plain.initial_state(2))[0])
    logits.square().sum().backward()
    assert policy.action_items.weight.grad.abs().sum() > 0


def test_a_world_that_says_nothing_of_its_actions_is_refused():
    config = small(demo, action_prior=False, action_items=True)
    with pytest.raises(ValueError, match="action_items is True; it must be False in worlds"):
        dataclasses.replace(config, world=ProbeConfig())

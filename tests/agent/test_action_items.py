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
NEEDED = torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
HELD = ("sand", "planks", "stick", "sword")


def made(**settings):
    return ActionItems(
        ITEMS,
        goals=GOALS,
        held=HELD,
        inventory="inventory",
        needed=NEEDED,
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


def test_less_than_is_needed_is_missing(scores):
    scores._needed_GA *= 2.0
    one = seen("stick", holds=("planks",))
    two = one | {"inventory": 2.0 * one["inventory"]}
    assert scores(TRUNK, one).flatten().tolist() == [0.0, 1.0, 0.0, 2200.0, 0.0]
    assert scores(TRUNK, two).flatten().tolist() == [0.0, 1.0, 0.0, 200.0, 0.0]


def test_blind_to_the_goal_all_actions_of_a_kind_have_a_score_of_their_own():
    module = made(goal_blind=True)
    with torch.no_grad():
        module.bias[-2:] = torch.tensor([-1.0, -2.0])
    assert module(TRUNK, seen("sword")).flatten().tolist() == [0.0, -1.0, -1.0, -2.0, 0.0]


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


def test_a_goal_that_was_never_asked_for_knows_what_to_craft():
    """What is learned about a missing ingredient of one goal holds for another one."""
    config = small(demo, action_items=True, goal_blind_items=True)
    game = make_game(config)
    policy = make_policy(config, game)
    columns = {goal: game.goals.index(goal) for goal in ("iron_pickaxe", "redstone", "dirt")}
    furnace = config.world.action_items.index(("craft", "furnace"))
    observation = {
        name: value if name == "exploration_set" else value[:1].unsqueeze(0)
        for name, value in {**game.observation, "action_mask": game.action_mask}.items()
    }
    first, state = torch.ones(1, 1, dtype=torch.bool), policy.initial_state(1)

    def score(goal):
        asked = observation | {"goal": torch.full_like(observation["goal"], columns[goal])}
        return policy(asked, first, state)[0][0, 0, furnace]

    before = {goal: score(goal).item() for goal in columns}
    (-score("iron_pickaxe")).backward()
    with torch.no_grad():
        for parameter in policy.action_items.parameters():
            parameter -= 0.1 * parameter.grad
    gained = {goal: score(goal).item() - before[goal] for goal in columns}
    assert gained["iron_pickaxe"] > 0.1
    assert gained["redstone"] == pytest.approx(gained["iron_pickaxe"], rel=1e-4)
    assert gained["dirt"] < 0.6 * gained["iron_pickaxe"]  # It needs no furnace.


def test_a_world_that_says_nothing_of_its_actions_is_refused():
    config = small(demo, action_prior=False, action_items=True)
    with pytest.raises(ValueError, match="action_items is True; it must be False in worlds"):
        dataclasses.replace(config, world=ProbeConfig())

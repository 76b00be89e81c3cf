"""Tests on paper: what is asked, and that the game is left as it was."""

import pytest
import torch

from lapis.agent import actions
from lapis.agent.player import act, seen, think
from lapis.inspect.moves import divergence
from lapis.inspect.probe import Probe, Question
from lapis.inspect.reading import read_world
from lapis.minecraft.items import ITEM
from tests.inspect.scenes import GOALS, a_game, same

QUESTION = Question(given="stone_pickaxe", goal="iron_ore", instead="log")


def a_probe(world: str, items=("log", "stone_pickaxe")):
    game, policy = a_game(world)
    probe = Probe(policy, game, read_world(game.world), QUESTION, [ITEM[item] for item in items])
    return game, policy, probe


def play_some(game, policy, steps=40):
    generator = torch.Generator().manual_seed(0)
    memory = policy.initial_state(game.world_count)
    for _ in range(steps):
        move = act(policy, game, memory, generator)
        memory = move.thought.memory
        game.step(move.action_WK.to(torch.int32))
    return memory


@pytest.mark.parametrize("world", ["techtree", "voxel"])
def test_a_probe_leaves_the_game_as_it_was(world):
    game, policy, probe = a_probe(world)
    memory = play_some(game, policy)
    state = {name: value.clone() for name, value in game.world.state.tensors().items()}
    shown = {name: value.clone() for name, value in seen(game).items()}
    probe(memory)
    assert same(state, game.world.state.tensors())
    assert same(shown, seen(game))


def test_an_item_given_on_paper_is_what_the_world_would_show():
    game, policy, probe = a_probe("techtree")
    memory = policy.initial_state(3)
    probe(memory)
    found = probe.comparisons()
    observation = seen(game)
    observation["goal"] = torch.full_like(observation["goal"], GOALS.index("iron_ore"))
    without, value_without, _ = think(policy, game, memory, observation)
    observation["vector"] = observation["vector"].clone()
    observation["vector"][..., ITEM["stone_pickaxe"]] = 1 / 6  # log2(1 + 1) / 6
    given, value_given, _ = think(policy, game, memory, observation)
    torch.testing.assert_close(torch.from_numpy(found["given"].first_N), value_given)
    torch.testing.assert_close(torch.from_numpy(found["given"].second_N), value_without)
    sizes = game.action_sizes
    expected = divergence(
        actions.choices(given, game.action_mask, sizes),
        actions.choices(without, game.action_mask, sizes),
    )
    torch.testing.assert_close(torch.from_numpy(found["given"].divergence_NK), expected)
    assert (value_given != value_without).all()


def test_giving_and_taking_are_told_apart():
    game, policy, probe = a_probe("techtree")
    state = game.world.state_dict()
    state["inventory"][1, ITEM["stone_pickaxe"]] = 2
    game.world.load_state_dict(state)
    probe(policy.initial_state(3))
    found = probe.comparisons()
    assert (
        len(found["given"].first_N),
        len(found["taken"].first_N),
    ) == (2, 1)
    observation = seen(game)
    observation["goal"] = torch.full_like(observation["goal"], GOALS.index("iron_ore"))
    value = think(policy, game, policy.initial_state(3), observation).value_W
    # Each is compared with what it really holds.
    assert found["given"].second_N.tolist() == pytest.approx(value[[0, 2]].tolist())
    assert found["taken"].first_N.tolist() == pytest.approx(value[[1]].tolist())
    assert found["taken"].second_N.tolist() != pytest.approx(value[[1]].tolist(), abs=1e-7)


def test_goals_are_compared_with_what_is_really_held():
    game, policy, probe = a_probe("techtree")
    memory = policy.initial_state(3)
    probe(memory)
    found = probe.comparisons()
    values = []
    for goal in ("iron_ore", "log"):
        observation = seen(game)
        observation["goal"] = torch.full_like(observation["goal"], GOALS.index(goal))
        values.append(think(policy, game, memory, observation).value_W)
    torch.testing.assert_close(torch.from_numpy(found["swapped"].first_N), values[0])
    torch.testing.assert_close(torch.from_numpy(found["swapped"].second_N), values[1])


@torch.no_grad()
def test_loudness_is_the_norm_of_the_embeddings():
    game, policy, probe = a_probe("techtree", items=("stone_pickaxe",))
    probe(policy.initial_state(3))
    goal_norm = policy.encoders["goal"].weight[game.goal].norm(dim=-1).mean()
    assert probe.loudness("norm")["goal"] == pytest.approx(float(goal_norm))
    total = sum(encode(seen(game)[name]) for name, encode in policy.encoders.items())
    mean = float(total.norm(dim=-1).mean())
    assert probe.loudness("norm")["sum"] == pytest.approx(mean, rel=1e-5)
    # The first of an item is 1 / 6 in the vector, whose encoder is linear.
    column = policy.encoders["vector"].weight[:, ITEM["stone_pickaxe"]]
    one_more = probe.loudness("more")["stone_pickaxe"]
    assert one_more == pytest.approx(float(column.norm()) / 6, rel=1e-4)


def test_worlds_whose_episode_is_over_are_not_asked():
    game, policy, probe = a_probe("techtree")
    game.terminated[0] = True
    probe(policy.initial_state(3))
    probe(policy.initial_state(3))
    assert len(probe.comparisons()["given"].first_N) == 4

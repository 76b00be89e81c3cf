"""Actors of films: chance, and a trained policy."""

import torch

from lapis.agent.config import PolicyConfig
from lapis.agent.encoders import build_encoders
from lapis.agent.policy import Policy
from lapis.play.scene import policy_actor, random_actor
from lapis.simonsays import SimonSays, SimonSaysConfig
from tests.simonsays.scripted import ScriptedWorld


def a_game(step_count: int = 40) -> SimonSays:
    """Actions of 2 and 3 choices, of which the last is never allowed."""
    world = ScriptedWorld(torch.zeros(step_count, 1, 3))
    return SimonSays(world, SimonSaysConfig(goals=("a", "b"), bonus="none"), validate_actions=True)


def a_policy(game: SimonSays) -> Policy:
    torch.manual_seed(0)
    encoders = build_encoders(game.observation, PolicyConfig(width=8), goal_count=2)
    return Policy(encoders, game.action_sizes, width=8)


def test_a_random_actor_takes_every_allowed_choice_and_no_other():
    game = a_game()
    actor = random_actor(seed=1)
    actions = []
    for _ in range(30):
        action = actor(game)
        assert (action.dtype, action.shape) == (torch.int32, (1, 2))
        actions.append(tuple(action[0].tolist()))
        game.step(action)
    assert set(actions) == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_the_seed_decides_a_random_actors_choices():
    game = a_game()

    def drawn(seed: int) -> list:
        actor = random_actor(seed)
        return [actor(game).tolist() for _ in range(20)]

    assert drawn(3) == drawn(3)
    assert drawn(3) != drawn(4)


def test_a_policy_plays_what_is_allowed_and_remembers():
    game = a_game()
    policy = a_policy(game)
    seen = []

    def note(_, inputs) -> None:
        observation, first, memory = inputs
        shapes = {name: tuple(value.shape) for name, value in observation.items()}
        seen.append((shapes, bool(first), memory.hidden_SH.clone()))

    policy.register_forward_pre_hook(note)
    actor = policy_actor(policy, seed=1)
    for _ in range(10):
        action = actor(game)
        assert (action.dtype, action.shape) == (torch.int32, (1, 2))
        game.step(action)
    memory = [hidden for _, _, hidden in seen]
    assert (memory[0] == 0).all()
    assert all((memory[step] != memory[step + 1]).any() for step in range(9))
    # The policy clears its memory where it is told that an episode begins.
    assert [first for _, first, _ in seen] == [True] + [False] * 9
    assert all(shapes["goal"] == (1, 1) for shapes, _, _ in seen)
    assert all(shapes["exploration_set"] == (2,) for shapes, _, _ in seen)


def test_a_certain_policy_does_what_it_is_certain_of():
    game = a_game()
    policy = a_policy(game)
    with torch.no_grad():
        policy.action_head.weight.zero_()
        policy.action_head.bias.copy_(torch.tensor([0.0, 1e4, 1e4, 0.0, 2e4]))
    # The choice that it prefers in the second component is not allowed; the next best is.
    assert policy_actor(policy)(game).tolist() == [[1, 0]]

"""CPU = CUDA, and eager = graph, to the last bit."""

import numpy as np
import pytest
import torch

from benchmarks.techtree import capture
from lapis.minecraft.goals import GOALS
from lapis.minecraft.items import ITEM
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.techtree import TechTreeWorld
from lapis.worlds.techtree.expert import Senses, next_action

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"),
]

WORLDS = 64


def random_action(world: TechTreeWorld, rng: np.random.Generator) -> torch.Tensor:
    mask = world.action_mask.cpu().numpy()
    score = rng.random(mask.shape) * mask
    return torch.from_numpy(score.argmax(axis=1, keepdims=True).astype(np.int32))


def expert_action(world: TechTreeWorld, _: np.random.Generator) -> torch.Tensor:
    """World i plays for goal i, then goes on for one more of it; the dead go through the motion."""
    rows = range(world.world_count)
    dead = world.died.tolist()
    chosen = [0 if dead[i] else next_action(Senses(world, i), GOALS[-1 - i]) for i in rows]
    return torch.tensor(chosen, dtype=torch.int32)[:, None]


def suicidal_action(world: TechTreeWorld, rng: np.random.Generator) -> torch.Tensor:
    """Digs down wherever it can: falls, lava and hunger come quickly."""
    action = random_action(world, rng)
    down = world.action_mask[:, 1].cpu()
    action[down] = 1
    return action


def assert_same(one: TechTreeWorld, other: TechTreeWorld, step: int) -> None:
    for name, tensor in {**one.state.tensors(), **one.observation}.items():
        twin = {**other.state.tensors(), **other.observation}[name]
        assert torch.equal(tensor.cpu(), twin.cpu()), f"{name} differs after step {step}"


@pytest.mark.parametrize("policy", [random_action, expert_action, suicidal_action])
def test_cpu_and_cuda_play_the_same(policy):
    worlds = [TechTreeWorld(WORLDS, seed=9, device=device) for device in ("cpu", "cuda")]
    rng = np.random.default_rng(0)
    for step in range(2000):
        action = policy(worlds[0], rng)
        over = worlds[0].died.clone()
        for world in worlds:
            world.step(action.to(world.device))
            world.reset(over.to(world.device), world.inventory.clone())
        if step % 100 == 99:
            assert_same(*worlds, step)
    assert_same(*worlds, 2000)
    worlds[0].check()


def test_simon_says_is_the_same_on_both_devices():
    games = [
        SimonSays(
            TechTreeWorld(WORLDS, seed=9, device=device),
            SimonSaysConfig(goals=GOALS, task_ticks=600, episode_ticks=3000),
            seed=4,
        )
        for device in ("cpu", "cuda")
    ]
    rng = np.random.default_rng(1)
    for step in range(2000):
        action = random_action(games[0].world, rng)
        for game in games:
            game.step(action.to(game.device))
        if step % 100 == 99:
            _assert_same_games(*games, step)
    assert all((a == b).all() for a, b in zip(*(g.take_counts() for g in games), strict=True))


def _assert_same_games(one: SimonSays, other: SimonSays, step: int) -> None:
    assert_same(one.world, other.world, step)
    mine, theirs = one.state_dict()["tensors"], other.state_dict()["tensors"]
    for name, value in mine.items():
        if value.is_floating_point():
            # Powers of one half and their sums: devices may order a sum differently.
            torch.testing.assert_close(value, theirs[name], rtol=1e-6, atol=1e-7)
        else:
            assert torch.equal(value, theirs[name]), f"{name} differs after step {step}"


def test_a_captured_graph_plays_what_single_calls_play():
    def new_game() -> SimonSays:
        world = TechTreeWorld(WORLDS, seed=2, device="cuda")
        return SimonSays(world, SimonSaysConfig(goals=GOALS, task_ticks=600), seed=2)

    eager, graphed = new_game(), new_game()
    action = torch.zeros((WORLDS, 1), dtype=torch.int32, device="cuda")
    graph = capture(lambda: graphed.step(action))
    for _ in range(3):  # what capturing played to warm up
        eager.step(torch.zeros_like(action))
    rng = np.random.default_rng(3)
    for step in range(1000):
        chosen = random_action(eager.world, rng).cuda()
        eager.step(chosen)
        action.copy_(chosen)
        graph.replay()
        if step % 100 == 99:
            torch.cuda.synchronize()
            _assert_same_games(eager, graphed, step)
    assert int(eager.world.inventory[:, ITEM["dirt"]].max()) > 0
    eager.world.check()
    graphed.world.check()

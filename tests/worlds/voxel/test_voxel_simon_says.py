"""Simon Says in the voxel world: the same play alone and in a batch, again, and after loading."""

import io
from collections.abc import Iterator

import numpy as np
import pytest
import torch

from lapis.minecraft.goals import GOALS
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.voxel import VoxelConfig, VoxelWorld
from tests.contract import allowed_action
from tests.worlds.voxel import voxel_ledger

FAN = VoxelConfig(size=16, height=80, view="fan", channel_ticks=60)
FRAME = VoxelConfig(size=16, height=80, view="frame", frame_size=16, channel_ticks=60)
# Short tasks, so that episodes end both by failures and by time, begin and inherit often.
SHORT = SimonSaysConfig(
    goals=GOALS,
    task_ticks=80,
    episode_ticks=166,
    inherit_probability=0.5,
    bonus="fixed",
)


def new_game(
    world_count: int, *, config: VoxelConfig = FAN, seed: int = 3, first_world: int = 0
) -> SimonSays:
    world = VoxelWorld(world_count, seed=seed, config=config, first_world=first_world)
    return SimonSays(world, SHORT, seed=seed, first_world=first_world)


def tensors(game: SimonSays) -> Iterator[tuple[str, torch.Tensor]]:
    """All that a game holds and shows for each world."""
    world = game.world
    assert isinstance(world, VoxelWorld)
    yield from ((f"state {name}", value) for name, value in world.state.tensors().items())
    yield from (pair for pair in game.observation.items() if pair[0] != "exploration_set")
    for name in ("reward", "bonus", "terminated", "truncated", "restarted", "task_succeeded"):
        yield name, getattr(game, name)


def assert_same_games(one: SimonSays, other: SimonSays, when: str) -> None:
    for (name, value), (_, twin) in zip(tensors(one), tensors(other), strict=True):
        assert torch.equal(value, twin), f"{name} differs {when}"


def test_a_world_plays_the_same_at_each_of_64_places_of_a_batch_and_alone():
    batch = new_game(64)
    alone = [new_game(1, first_world=place) for place in range(64)]
    rng = np.random.default_rng(0)
    restarts = torch.zeros(64, dtype=torch.int64)
    for step in range(1, 61):
        action = allowed_action(batch.world, rng)
        batch.step(action)
        restarts += batch.restarted
        for place, game in enumerate(alone):
            game.step(action[place : place + 1])
        if step % 20 == 0:
            for place, game in enumerate(alone):
                for (name, value), (_, own) in zip(tensors(batch), tensors(game), strict=True):
                    message = f"{name} of world {place} differs after step {step}"
                    assert torch.equal(value[place : place + 1], own), message
    assert (restarts > 0).float().mean() > 0.9, "episodes are too long for this test"
    batch.world.check()


@pytest.mark.parametrize("config", [FAN, FRAME], ids=lambda config: config.view)
def test_the_same_seed_plays_the_same_and_another_one_does_not(config):
    one, twin, other = (new_game(12, config=config, seed=seed) for seed in (3, 3, 4))
    rng = np.random.default_rng(1)
    for step in range(80):
        action = allowed_action(one.world, rng)
        one.step(action)
        twin.step(action.clone())
        assert_same_games(one, twin, f"after step {step}")
    land = [game.world.state_dict()["blocks"] for game in (one, other)]
    assert (land[0] != land[1]).flatten(1).any(dim=1).all(), "two seeds gave the same land"


@pytest.mark.parametrize("config", [FAN, FRAME], ids=lambda config: config.view)
def test_a_game_saved_in_the_middle_of_an_episode_goes_on_the_same(config):
    game = new_game(12, config=config)
    rng = np.random.default_rng(2)
    for _ in range(25):
        game.step(allowed_action(game.world, rng))
    assert (game.world.state_dict()["step"] > 0).any()
    file = io.BytesIO()
    torch.save(game.state_dict(), file)
    file.seek(0)
    loaded = new_game(12, config=config)
    loaded.load_state_dict(torch.load(file, weights_only=True))
    assert_same_games(game, loaded, "right after loading")
    restarts = 0
    for step in range(60):
        action = allowed_action(game.world, rng)
        game.step(action)
        loaded.step(action.clone())
        restarts += int(game.restarted.sum())
        assert_same_games(game, loaded, f"{step} steps after loading")
    assert restarts > 0, "no episode began after loading"
    counts = zip(game.take_counts(), loaded.take_counts(), strict=True)
    assert all(np.array_equal(one, other) for one, other in counts)


def test_worlds_stay_sound_under_simon_says():
    """Episodes end by failures and by time, inherit, and go on: nothing is broken by it."""
    game = new_game(128)
    world = game.world
    assert isinstance(world, VoxelWorld)
    rng = np.random.default_rng(3)
    ends = {"terminated": 0, "truncated": 0}
    for step in range(250):
        game.step(allowed_action(world, rng))
        voxel_ledger.assert_sound(world)
        assert torch.equal(game.restarted, world.ticks == 0), "only a reset takes no time"
        for name in ends:
            ends[name] += int(getattr(game, name).sum())
        if step % 50 == 0:
            voxel_ledger.assert_summed_up(world)
    assert min(ends.values()) > 0, ends
    successes, attempts = game.take_counts()
    assert 0 < successes.sum() < attempts.sum()

"""The recording is what was played."""

import dataclasses

import numpy as np
import pytest
import torch

from lapis.inspect.probe import Probe, Question
from lapis.inspect.reading import read_world
from lapis.inspect.recording import record
from lapis.minecraft.items import ITEM
from tests.inspect.scenes import a_game

QUESTION = Question(given="stone_pickaxe", goal="iron_ore", instead="log")


class Watched:
    """Notes what a game is asked to do, and what comes of it."""

    def __init__(self, game):
        self.rows = []
        self._step, self._game = game.step, game
        game.step = self.step

    def step(self, action):
        game = self._game
        before = game.world.inventory.clone(), game.goal.clone()
        self._step(action)
        after = (game.reward, game.ticks, game.restarted, game.terminated, game.task_over)
        self.rows.append([action, *before, *(each.clone() for each in after)])


@pytest.mark.parametrize("world", ["techtree", "voxel"])
def test_what_is_recorded_is_what_happened(world):
    game, policy = a_game(world)
    watched = Watched(game)
    recording = record(policy, game, read_world(game.world), step_count=60, seed=1)
    columns = [torch.stack(each).numpy() for each in zip(*watched.rows, strict=True)]
    names = ["action_TWK", "inventory_MWI", "goal_TW", "reward_TW", "ticks_TW"]
    names += ["restarted_TW", "terminated_TW", "task_over_TW"]
    for name, column in zip(names, columns, strict=True):
        found = getattr(recording, name)
        np.testing.assert_array_equal(found[:60] if "M" in name else found, column, err_msg=name)
    np.testing.assert_array_equal(recording.inventory_MWI[60], game.world.inventory.numpy())
    assert recording.restarted_TW.any()
    assert not recording.restarted_TW[0].any()
    assert recording.task_over_TW.any()
    assert recording.value_MW.shape == (61, 3)
    assert (recording.entropy_TWK >= 0).all()
    # A policy that has learned nothing is close to its prior.
    assert 0 <= recording.divergence_TWK.mean() < 0.01


@pytest.mark.parametrize("world", ["techtree", "voxel"])
def test_a_probe_does_not_change_the_play(world):
    recordings, counts = [], []
    for probes in (False, True):
        game, policy = a_game(world)
        reading = read_world(game.world)
        probe = Probe(policy, game, reading, QUESTION, [ITEM["log"]])
        recordings.append(
            record(
                policy,
                game,
                reading,
                step_count=40,
                seed=3,
                probe=probe if probes else None,
                probe_steps=7,
            )
        )
        counts.append(len(probe._answers))
    assert counts == [0, 5]
    first, second = map(dataclasses.asdict, recordings)
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name], err_msg=name)


def test_the_seed_decides_the_moves():
    moves = []
    for seed in (3, 4, 3):
        game, policy = a_game("techtree")
        recording = record(policy, game, read_world(game.world), step_count=20, seed=seed)
        moves.append(recording.action_TWK)
    np.testing.assert_array_equal(moves[0], moves[2])
    assert (moves[0] != moves[1]).any()

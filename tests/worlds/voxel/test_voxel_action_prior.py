import math

import torch

from lapis.agent import actions
from lapis.minecraft.items import ITEM
from lapis.worlds.voxel import VoxelConfig, VoxelWorld
from lapis.worlds.voxel.action_prior import ACTION_PRIOR
from lapis.worlds.voxel.actions import (
    ACTION_SIZES,
    CAMERA_ANGLES,
    FIRST_CHOICE,
    SPECIAL,
    Component,
)


def weights(component):
    first = FIRST_CHOICE[component]
    return [math.exp(score) for score in ACTION_PRIOR[first : first + ACTION_SIZES[component]]]


def test_there_is_a_score_for_every_choice():
    assert len(ACTION_PRIOR) == sum(ACTION_SIZES)
    assert all(math.isfinite(score) for score in ACTION_PRIOR)


def test_players_walk_ahead_and_turn_to_either_side_alike():
    assert [round(weight, 9) for weight in weights(Component.WALK)] == [1.0, 8.0, 1.0]
    for component in (Component.YAW, Component.PITCH):
        none, *turns = weights(component)[: len(CAMERA_ANGLES)]
        assert turns[0::2] == turns[1::2]
        assert none > sum(turns) / 2


def test_players_seldom_look_straight_up_or_down():
    levels = weights(Component.PITCH)[len(CAMERA_ANGLES) :]
    assert [round(weight, 9) for weight in levels] == [0.05, 0.5, 0.5, 0.5, 0.5, 0.05]


def test_the_prior_favours_no_item():
    special = weights(Component.SPECIAL)
    assert len(set(special[1:])) == 1
    assert math.isclose(special[SPECIAL["none"]], 100 * special[1])


def logs_found(scores, world_count=64, steps=300):
    world = VoxelWorld(world_count, seed=8, config=VoxelConfig(view="fan", size=32))
    dice = torch.Generator().manual_seed(0)
    logits = torch.tensor(scores).expand(world_count, -1).contiguous()
    found = torch.zeros(world_count, dtype=torch.bool)
    for _ in range(steps):
        uniform = actions.uniform(logits, dice)
        action, _ = actions.choose(logits, world.action_mask, uniform, ACTION_SIZES)
        world.step(action.to(torch.int32))
        found |= world.inventory[:, ITEM["log"]] > 0
    return int(found.sum())


def test_the_prior_finds_trees_sooner_than_chance_does():
    by_habit, by_chance = logs_found(ACTION_PRIOR), logs_found([0.0] * len(ACTION_PRIOR))
    assert by_habit > 1.5 * by_chance

"""Multiply-adds of policies, counted by hand."""

import pytest
import torch

from lapis.agent.config import ImpalaConfig, PolicyConfig
from lapis.agent.cost import Cost, policy_cost
from lapis.agent.encoders import build_encoders
from lapis.agent.policy import Policy

WIDTH = 6
# LSTM: four gates from input and memory; the layer after it; seven choices and a value.
INNER = 4 * WIDTH * (WIDTH + WIDTH) + WIDTH * WIDTH + WIDTH * (7 + 1)


def policy_of(observation, width=WIDTH, **settings):
    encoders = build_encoders(observation, PolicyConfig(width=width, **settings), goal_count=3)
    return Policy(encoders, (4, 3), width=width)


def observation_of(**others):
    return {"goal": torch.zeros(2, dtype=torch.int64), **others}


def test_what_is_looked_up_costs_nothing():
    observation = observation_of(fan_class=torch.zeros(2, 3, dtype=torch.uint8))
    assert policy_cost(policy_of(observation), observation) == Cost(INNER, 3 * INNER)


def test_a_linear_embedding_of_an_observation_needs_no_gradient_of_its_input():
    observation = observation_of(vector=torch.zeros(2, 11))
    expected = Cost(INNER + 11 * WIDTH, 3 * INNER + 2 * 11 * WIDTH)
    assert policy_cost(policy_of(observation), observation) == expected


def test_the_exploration_set_is_embedded_once_for_all_worlds():
    observation = observation_of(exploration_set=torch.zeros(3, dtype=torch.bool))
    share = 3 * WIDTH / 2
    expected = Cost(INNER + share, 3 * INNER + 2 * share)
    assert policy_cost(policy_of(observation), observation) == expected


def test_a_tiny_network_for_frames():
    # 4 x 4 pixels, 3 to 2 channels; halved to 2 x 2, four convolutions of 2 to 2; 8 to the width.
    first, inner, layer = 16 * 9 * 3 * 2, 4 * 9 * 2 * 2, 8 * WIDTH
    observation = observation_of(frame=torch.zeros(2, 4, 4, 3, dtype=torch.uint8))
    policy = policy_of(observation, frames=ImpalaConfig(filters=(2,)))
    rest = 4 * inner + layer + INNER
    assert policy_cost(policy, observation) == Cost(first + rest, 2 * first + 3 * rest)
    assert policy.training
    assert all(parameter.grad is None for parameter in policy.parameters())


def test_the_papers_network_for_frames_takes_half_a_billion():
    observation = observation_of(frame=torch.zeros(2, 64, 64, 3, dtype=torch.uint8))
    cost = policy_cost(
        policy_of(observation, 512, frames=ImpalaConfig(filters=(64, 128, 128))), observation
    )
    full, half, quarter, eighth = 64**2 * 9, 32**2 * 9, 16**2 * 9, 8**2 * 9
    stages = [
        full * 3 * 64 + 4 * half * 64 * 64,
        half * 64 * 128 + 4 * quarter * 128 * 128,
        quarter * 128 * 128 + 4 * eighth * 128 * 128,
    ]
    inner = 4 * 512 * (512 + 512) + 512 * 512 + 512 * (7 + 1)
    assert cost.forward == sum(stages) + 8192 * 512 + inner
    assert cost.forward == pytest.approx(0.45e9, rel=0.1)

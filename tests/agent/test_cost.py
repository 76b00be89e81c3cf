"""Counted multiply-adds, by hand and by PyTorch's own counter."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from lapis.agent.config import ImpalaConfig, PolicyConfig
from lapis.agent.cost import Cost, encoder_cost, frame_cost, policy_cost
from lapis.agent.encoders import build_encoders
from lapis.agent.frames import ClassEncoder, FrameEncoder
from lapis.agent.policy import Policy


def test_a_tiny_network_by_hand():
    # 4 x 4 pixels, 3 to 2 channels; halved to 2 x 2, four convolutions of 2 to 2; 8 to 5.
    first, inner, layer = 16 * 9 * 3 * 2, 4 * 9 * 2 * 2, 8 * 5
    forward = first + 4 * inner + layer
    cost = frame_cost(FrameEncoder(4, (2,), 5), side=4)
    assert cost == Cost(forward, 2 * first + 3 * (4 * inner + layer))


def test_the_papers_network_takes_half_a_billion():
    cost = frame_cost(FrameEncoder(64, (64, 128, 128), 512), side=64)
    full, half, quarter, eighth = 64**2 * 9, 32**2 * 9, 16**2 * 9, 8**2 * 9
    stages = [
        full * 3 * 64 + 4 * half * 64 * 64,
        half * 64 * 128 + 4 * quarter * 128 * 128,
        quarter * 128 * 128 + 4 * eighth * 128 * 128,
    ]
    assert cost.forward == sum(stages) + 8192 * 512
    assert 0.4e9 < cost.forward < 0.5e9


@pytest.mark.parametrize(("side", "filters"), [(16, (4, 6)), (9, (2, 3, 3))])
def test_frames_agree_with_pytorchs_counter(side, filters):
    encoder = FrameEncoder(side, filters, 7)
    frame = torch.zeros(5, side, side, 3, dtype=torch.uint8)
    with FlopCounterMode(display=False) as counter:
        embedding = encoder(frame)
    cost = frame_cost(encoder, side=side)
    assert counter.get_total_flops() == 2 * 5 * cost.forward
    with FlopCounterMode(display=False) as counter:
        embedding.sum().backward()
    assert counter.get_total_flops() == 2 * 5 * (cost.training - cost.forward)


def test_what_is_looked_up_costs_nothing():
    assert encoder_cost(ClassEncoder(3, 4, 5), torch.zeros(2, 3)) == Cost(0, 0)


def test_a_policy_by_hand():
    observation = {
        "vector": torch.zeros(2, 11),
        "goal": torch.zeros(2, dtype=torch.int64),
        "exploration_set": torch.zeros(3, dtype=torch.bool),
        "frame": torch.zeros(2, 8, 8, 3, dtype=torch.uint8),
    }
    width = 6
    encoders = build_encoders(
        observation, PolicyConfig(width=width, frames=ImpalaConfig(filters=(2,))), goal_count=3
    )
    policy = Policy(encoders, (4, 3), width=width)
    frame = frame_cost(policy.encoders["frame"], side=8)
    # LSTM: four gates from input and memory; the layer after it; seven choices and a value.
    inner = 4 * width * (width + width) + width * width + width * (7 + 1)
    assert policy_cost(policy, observation) == Cost(
        frame.forward + 11 * width + inner, frame.training + 2 * 11 * width + 3 * inner
    )

import pytest
import torch

from benchmarks.ranks import Network, extra_seconds, small_sums
from lapis.agent.config import PPOConfig
from lapis.agent.rollout import Rollout

NETWORK = Network(latency=1.0, bandwidth=2.0, host_latency=5.0)


def test_a_sum_takes_a_latency_and_twice_the_bytes_but_one_part():
    # 1 + 2 * 3/4 * 8 / 2
    assert NETWORK.seconds(8, 4) == 7.0
    assert NETWORK.seconds(8, 1) == 1.0


def test_an_update_sums_gradients_means_and_counts():
    # Two gradients of 1 + 2 * 1/2 * 40 / 2 = 21, ten small sums of 1 + 8 / 2 = 5, three of 5.
    extra = extra_seconds(NETWORK, 2, gradients=2, size=40, normalizes_values=True)
    assert extra == 2 * 21 + 10 * 5 + 3 * 5
    assert small_sums(normalizes_values=False) == 8


@pytest.mark.parametrize("normalizes_values", [False, True])
def test_small_sums_are_those_that_a_rollout_makes(normalizes_values):
    rollout = Rollout(
        step_count=2,
        sequence_steps=2,
        world_count=1,
        observation={},
        action_sizes=(2,),
        width=1,
        device=torch.device("cpu"),
    )
    calls = []
    config = PPOConfig(normalize_values=normalizes_values)
    rollout.finish(config, lambda sums: calls.append(sums) or sums)
    assert len(calls) == small_sums(normalizes_values=normalizes_values)

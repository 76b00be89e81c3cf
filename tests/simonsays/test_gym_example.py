"""The example trains, and plays nothing that the masks do not allow."""

import torch

from examples.maskable_ppo import train


def test_maskable_ppo_trains_on_the_single_view():
    model, record = train(512, env_count=4, rollout_steps=64)
    untrained, _ = train(1, env_count=4, rollout_steps=1)
    assert model.num_timesteps == 512
    assert record.invalid_actions == 0
    assert record.tasks > 0
    before = torch.cat([p.flatten() for p in untrained.policy.parameters()])
    after = torch.cat([p.flatten() for p in model.policy.parameters()])
    assert (before - after).abs().max() > 1e-4, "training left the policy as it was"

"""How many frames a run's gradient needs before it is more than noise.

The checkpoint of a run plays some rollouts without learning. Each gives a gradient of the policy's
loss, of the values' and of the entropy term. Their scatter over the length of their mean is the
noise scale (McCandlish et al. 2018): the number of frames whose gradient is as much signal as
noise. Far smaller batches learn only if small steps average over many of them.

    python -m benchmarks.gradient_noise runs/RUN --rollouts 40
"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

import torch
from torch import Tensor

from lapis.agent import ppo
from lapis.running.run import restore
from lapis.train.loop import Trainer

TERMS = ("policy", "value", "entropy")


def noise_scale(gradients: list[Tensor], frames: int) -> tuple[float, float, float]:
    """Length of the mean gradient, scatter of one, and the noise scale in frames.

    Args:
        gradients: Of as many independent batches.
        frames: In one batch.
    """
    rows = torch.stack(gradients)
    mean = rows.mean(dim=0)
    variance = float((rows - mean).square().sum()) / (len(rows) - 1)
    # The mean of n noisy gradients is longer than the true one by the variance over n.
    signal = max(float(mean.square().sum()) - variance / len(rows), 0.0)
    scale = frames * variance / signal if signal > 0.0 else float("inf")
    return signal**0.5, variance**0.5, scale


def gradient_of(term: str, trainer: Trainer, batch: ppo.Batch) -> Tensor:
    """The gradient of one term of the loss."""
    settings = dataclasses.replace(trainer.config.ppo, normalize_values=False)
    if term != "policy":
        batch = dataclasses.replace(batch, advantage_LS=torch.zeros_like(batch.advantage_LS))
    if term != "value":
        settings = dataclasses.replace(settings, value_coefficient=0.0)
    entropy = settings.entropy_coefficient_at(trainer.update) if term == "entropy" else 0.0
    policy = trainer.policy
    policy.zero_grad()
    loss, _ = ppo.batch_loss(policy, batch, settings, entropy)
    loss.backward()
    return torch.cat(
        [
            (torch.zeros_like(each) if each.grad is None else each.grad).flatten()
            for each in policy.parameters()
        ]
    )


def main() -> None:
    """Prints a line per term of the loss."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--rollouts", type=int, default=40)
    arguments = parser.parse_args()
    if arguments.rollouts < 2:
        parser.error(f"--rollouts is {arguments.rollouts}; a scatter needs 2 at least")
    trainer = restore(arguments.run)
    settings = dataclasses.replace(trainer.config.ppo, normalize_values=False)
    gradients: dict[str, list[Tensor]] = {term: [] for term in TERMS}
    for _ in range(arguments.rollouts):
        trainer.player.collect(trainer.rollout)
        trainer.rollout.finish(settings)
        sequences = torch.arange(trainer.rollout.sequence_count, device=trainer.game.device)
        batch = trainer.rollout.batch(sequences)
        for term in TERMS:
            gradients[term].append(gradient_of(term, trainer, batch))
    frames = trainer.config.frames_per_update
    print(f"{arguments.run}, update {trainer.update}: {arguments.rollouts} rollouts of {frames:,}")
    print(f"{'term':8} {'mean':>10} {'scatter':>10} {'noise scale [frames]':>22}")
    for term in TERMS:
        signal, noise, scale = noise_scale(gradients[term], frames)
        print(f"{term:8} {signal:10.4f} {noise:10.4f} {scale:22,.0f}")


if __name__ == "__main__":
    main()

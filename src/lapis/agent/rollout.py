"""The memory of one rollout: what the update needs of each step, allocated once."""

# T = steps, W = worlds, A = choices of all action components, K = action components,
# L = steps of a sequence, C = sequences in a row of T steps, S = sequences of a minibatch
from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from lapis.agent.config import PPOConfig
from lapis.agent.lstm import LSTMState
from lapis.agent.ppo import (
    Add,
    Batch,
    explained_variance,
    gae,
    normalize,
    variance,
    weighted_mean,
)

SHARED = ("exploration_set",)
"""Observations that are the same for all worlds and all steps of a rollout."""

ROLLOUT_METRICS = ("value_fit", "reward_per_step")
"""What `Rollout.finish` tells."""


class Rollout:
    """T steps of W worlds, cut into sequences of L steps with the memory at each one's start.

    `collect` fills it; `finish` turns rewards and values into advantages and returns; `batch`
    gathers whole sequences. Sequence s holds the steps from (s // W) * L on of world s % W.
    """

    def __init__(
        self,
        *,
        step_count: int,
        sequence_steps: int,
        world_count: int,
        observation: Mapping[str, Tensor],
        action_sizes: tuple[int, ...],
        width: int,
        device: torch.device,
    ) -> None:
        if step_count % sequence_steps:
            raise ValueError(
                f"step_count is {step_count}; it must be a multiple of sequence_steps, "
                f"which is {sequence_steps}"
            )
        self.step_count = step_count
        self.sequence_steps = sequence_steps
        self.world_count = world_count

        def per_step(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(step_count, world_count, *shape, dtype=dtype, device=device)

        self.observation_TW = {
            name: per_step(*example.shape[1:], dtype=example.dtype)
            for name, example in observation.items()
            if name not in SHARED
        }
        self.shared = {
            name: torch.zeros_like(observation[name]) for name in SHARED if name in observation
        }
        self.first_TW = per_step(dtype=torch.bool)
        self.mask_TWA = per_step(sum(action_sizes), dtype=torch.bool)
        self.action_TWK = per_step(len(action_sizes), dtype=torch.int64)
        self.log_probability_TW = per_step()
        self.value_TW = per_step()
        self.reward_TW = per_step()
        self.ticks_TW = per_step(dtype=torch.int32)
        self.terminated_TW = per_step(dtype=torch.bool)
        self.restarted_TW = per_step(dtype=torch.bool)
        self.weight_TW = per_step()
        self.advantage_TW = per_step()
        self.return_TW = per_step()
        self.next_value_W = torch.zeros(world_count, device=device)
        self.value_scale = torch.ones((), device=device)
        chunk_count = step_count // sequence_steps
        self.sequence_count = chunk_count * world_count
        start_shape = (chunk_count, world_count, width)
        self.start_hidden_CWH = torch.zeros(start_shape, device=device)
        self.start_cell_CWH = torch.zeros(start_shape, device=device)

    def finish(self, config: PPOConfig, add: Add | None = None) -> Tensor:
        """Fills in weights, normalized advantages and returns; gives the `ROLLOUT_METRICS`.

        With `add`, means and variances are those of the rollouts of all processes together.
        """
        advantage_TW = gae(
            self.reward_TW,
            self.value_TW,
            self.next_value_W,
            torch.pow(config.discount, self.ticks_TW / config.discount_ticks),
            self.terminated_TW,
            self.restarted_TW,
            trace_decay=config.trace_decay,
        )
        torch.logical_not(self.restarted_TW, out=self.weight_TW)
        torch.add(advantage_TW, self.value_TW, out=self.return_TW)
        weight_TW = self.weight_TW
        self.advantage_TW.copy_(normalize(advantage_TW, weight_TW, add))
        if config.normalize_values:
            spread = variance(self.return_TW, weight_TW, add)
            self.value_scale.copy_(1.0 / spread.clamp(min=1e-4))
        fit = explained_variance(self.value_TW, self.return_TW, weight_TW, add)
        return torch.stack([fit, weighted_mean(self.reward_TW, weight_TW, add)])

    def batch(self, sequence_S: Tensor) -> Batch:
        """Gathers whole sequences by their indices."""
        chunk_S, world_S = sequence_S // self.world_count, sequence_S % self.world_count
        step_LS = (
            torch.arange(self.sequence_steps, device=sequence_S.device).unsqueeze(1)
            + chunk_S * self.sequence_steps
        )
        row_N = (step_LS * self.world_count + world_S).flatten()

        def gather(tensor_TW: Tensor) -> Tensor:
            return take_rows(tensor_TW.flatten(0, 1), row_N).unflatten(0, step_LS.shape)

        mask_LSA = gather(self.mask_TWA)
        return Batch(
            observation={
                **{name: gather(each) for name, each in self.observation_TW.items()},
                **self.shared,
                "action_mask": mask_LSA,
            },
            first_LS=gather(self.first_TW),
            state=LSTMState(
                self.start_hidden_CWH.flatten(0, 1).index_select(0, sequence_S),
                self.start_cell_CWH.flatten(0, 1).index_select(0, sequence_S),
            ),
            mask_LSA=mask_LSA,
            action_LSK=gather(self.action_TWK),
            log_probability_LS=gather(self.log_probability_TW),
            advantage_LS=gather(self.advantage_TW),
            return_LS=gather(self.return_TW),
            value_scale=self.value_scale,
            weight_LS=gather(self.weight_TW),
        )


def take_rows(table: Tensor, row_N: Tensor) -> Tensor:
    """`table[row_N]`; rows of bytes move eight at a time where they can, and not one by one."""
    shape = table.shape[1:]
    if table.element_size() > 1 or shape.numel() % 8:
        return table.index_select(0, row_N)
    words = table.flatten(1).view(torch.int64).index_select(0, row_N)
    return words.view(table.dtype).unflatten(1, shape)

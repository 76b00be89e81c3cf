"""PPO with GAE: pure functions of tensors, then the update that calls them (paper P22)."""

# T = steps of a rollout, W = worlds, L = steps of a sequence, S = sequences, K = action components
from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from lapis.agent import actions
from lapis.agent.compiling import compiled_once
from lapis.agent.config import PPOConfig
from lapis.agent.lstm import LSTMState
from lapis.agent.policy import Policy

Add = Callable[[Tensor], Tensor]
"""Adds up a tensor over all processes that train together. Where one is asked for, None stands for
a process on its own."""


def gae(
    reward_TW: Tensor,
    value_TW: Tensor,
    next_value_W: Tensor,
    discount_TW: Tensor,
    terminated_TW: Tensor,
    restarted_TW: Tensor,
    *,
    trace_decay: float,
) -> Tensor:
    """Generalized advantage estimates, shape (step, world).

    Episodes restart in a separate step: after the step that ended an episode, the next one shows
    its final observation, ignores the action and resets. So

    - termination cuts: nothing of what follows a terminated step counts;
    - truncation bootstraps: the value that follows a truncated step is that of the final
      observation, and the sum ends there because the restarted step has advantage zero;
    - a new task inside an episode appears nowhere here: it cuts nothing.

    Args:
        reward_TW: Reward of each step.
        value_TW: Value of the observation that each step started from.
        next_value_W: Value of the observation after the last step.
        discount_TW: Gamma of each step, which depends on how long the step took.
        terminated_TW: Whether the episode terminated in the step (bool).
        restarted_TW: Whether the step only reset the world (bool).
        trace_decay: Lambda.
    """
    continues_TW = discount_TW * (~terminated_TW).to(value_TW.dtype)
    following_TW = torch.cat([value_TW[1:], next_value_W.unsqueeze(0)])
    counts_TW = (~restarted_TW).to(value_TW.dtype)
    delta_TW = (reward_TW + continues_TW * following_TW - value_TW) * counts_TW
    decay_TW = trace_decay * continues_TW * counts_TW
    advantage_TW = torch.empty_like(delta_TW)
    advantage_W = torch.zeros_like(next_value_W)
    for step in reversed(range(len(delta_TW))):
        advantage_W = torch.addcmul(delta_TW[step], decay_TW[step], advantage_W)
        advantage_TW[step] = advantage_W
    return advantage_TW


def weighted_mean(value: Tensor, weight: Tensor, add: Add | None = None) -> Tensor:
    """Mean of `value` under weights of the same shape; zero where all weights are zero."""
    total, weight_total = (value * weight).sum(), weight.sum()
    if add is not None:
        total, weight_total = add(torch.stack([total, weight_total]))
    return total / weight_total.clamp(min=1.0)


def weight_sum(weight: Tensor) -> Tensor:
    """What a weighted mean is divided by: one step at least, so that no steps have mean zero."""
    return weight.sum().clamp(min=1.0)


def variance(value: Tensor, weight: Tensor, add: Add | None = None) -> Tensor:
    """Weighted mean of the squared distance from the weighted mean."""
    return weighted_mean((value - weighted_mean(value, weight, add)).square(), weight, add)


def normalize(advantage_TW: Tensor, weight_TW: Tensor, add: Add | None = None) -> Tensor:
    """Advantages with weighted mean 0 and variance 1; steps of weight zero stay out of both."""
    centered_TW = advantage_TW - weighted_mean(advantage_TW, weight_TW, add)
    return centered_TW / (variance(advantage_TW, weight_TW, add).sqrt() + 1e-8)


def explained_variance(
    prediction: Tensor, target: Tensor, weight: Tensor, add: Add | None = None
) -> Tensor:
    """Share of the target's variance that the prediction explains: 1 perfect, 0 like a constant.

    Zero where the target does not vary.
    """
    of_error = variance(target - prediction, weight, add)
    of_target = variance(target, weight, add)
    return torch.where(of_target > 0, 1 - of_error / of_target, torch.zeros_like(of_target))


def policy_loss(
    log_probability: Tensor,
    old_log_probability: Tensor,
    advantage: Tensor,
    weight: Tensor,
    *,
    clip: float,
) -> Tensor:
    """PPO's clipped surrogate: - mean of min(ratio A, clamp(ratio, 1 - clip, 1 + clip) A)."""
    ratio = (log_probability - old_log_probability).exp()
    clipped = ratio.clamp(1 - clip, 1 + clip)
    return -weighted_mean(torch.minimum(ratio * advantage, clipped * advantage), weight)


def value_loss(value: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Half the mean square error of the values."""
    return 0.5 * weighted_mean((value - target).square(), weight)


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Whole sequences of a rollout, time first."""

    observation: Mapping[str, Tensor]
    """Per name (L, S, ...), or without these axes where one value holds for all."""
    first_LS: Tensor
    """Whether an observation is the first of its episode, bool."""
    state: LSTMState
    """The memory with which the rollout entered each sequence."""
    mask_LSA: Tensor
    action_LSK: Tensor
    log_probability_LS: Tensor
    """Of the action, under the policy that took it."""
    advantage_LS: Tensor
    return_LS: Tensor
    value_scale: Tensor
    """What the value loss is multiplied with, one number."""
    weight_LS: Tensor
    """1, or 0 for steps that only reset the world, float."""

    def split(self, size: int) -> Iterator[Batch]:
        """Parts of at most `size` whole sequences, whose numbers differ by at most one."""
        step_count, sequence_count = self.first_LS.shape
        part_count = -(-sequence_count // size)
        bounds = [sequence_count * part // part_count for part in range(part_count + 1)]
        for start, end in itertools.pairwise(bounds):
            rows = slice(start, end)
            own = {name: each for name, each in vars(self).items() if "_LS" in name}
            yield replace(
                self,
                observation={
                    name: each[:, rows] if each.shape[:2] == (step_count, sequence_count) else each
                    for name, each in self.observation.items()
                },
                state=LSTMState(self.state.hidden_SH[rows], self.state.cell_SH[rows]),
                **{name: each[:, rows] for name, each in own.items()},
            )


def sequence_order(count: int, reuse: float, generator: torch.Generator) -> Tensor:
    """Indices of `count` sequences in random order, each used `reuse` times on average.

    Whole passes over all sequences in fresh orders, and for the fraction that is left a pass over
    as many sequences, drawn without replacement: with 1.9 every sequence is used once and a random
    nine tenths of them twice. Shape (round(reuse * count),), at least one.
    """
    total = max(1, round(reuse * count))
    pass_count = -(-total // count)
    device = generator.device
    orders = [torch.randperm(count, generator=generator, device=device) for _ in range(pass_count)]
    return torch.cat(orders)[:total]


def minibatches(order: Tensor, size: int, total: int | None = None) -> tuple[Tensor, ...]:
    """Splits an order into parts of about `size` that differ by at most one sequence.

    With a `total`, the order is one process's share of that many sequences, and `size` counts those
    of all processes, so that every process has the same number of parts.
    """
    count = len(order) if total is None else total
    return torch.tensor_split(order, max(1, round(count / size)))


PARTS = ("policy", "value", "entropy", "kl", "clip_share")
"""What `losses` tells beside the loss itself."""
STEP_METRICS = ("total", *PARTS, "gradient_norm")
"""What `update` tells of each gradient step."""


def update(
    policy: Policy,
    optimizer: torch.optim.Optimizer,
    batches: Iterable[Batch],
    config: PPOConfig,
    entropy_coefficient: Tensor | float,
    add: Add | None = None,
) -> Tensor:
    """Takes one gradient step per batch; returns what to log, shape (minibatch, STEP_METRICS).

    If a loss or gradient is not finite, that step and all later ones change neither weights nor
    moments. `check_finite` reports it; nothing is read back to the host here.

    Args:
        policy: Changed in place.
        optimizer: A fused Adam, changed in place.
        batches: Minibatches of whole sequences.
        config: Coefficients.
        entropy_coefficient: As a tensor it can change between replays of a graph.
        add: Adds up over processes that learn together, each from its part of every batch. All of
            them take, or leave out, the same steps.
    """
    rows: list[Tensor] = []
    failed = torch.zeros((), device=next(policy.parameters()).device)
    for batch in batches:
        optimizer.zero_grad(set_to_none=True)
        row = add_gradient(policy, batch, config, entropy_coefficient)
        if add is not None:
            row = join_gradients(policy, row, batch.weight_LS, add)
        norm = nn.utils.clip_grad_norm_(policy.parameters(), config.gradient_limit)
        row["gradient_norm"] = norm
        rows.append(torch.stack([row[name] for name in STEP_METRICS]))
        failed = torch.maximum(failed, (~torch.isfinite(row["total"] + norm)).to(failed.dtype))
        # Fused optimizers skip a step on the device where this is 1; made for gradient scalers.
        optimizer.found_inf = failed  # pyright: ignore[reportAttributeAccessIssue]
        optimizer.step()
    return torch.stack(rows)


def add_gradient(
    policy: Policy, batch: Batch, config: PPOConfig, entropy_coefficient: Tensor | float
) -> dict[str, Tensor]:
    """Adds the gradient of a minibatch's loss to the weights'; returns the loss and its parts.

    A loss is a weighted mean. So are those of the microbatches, and each counts by its share of
    the minibatch's weight: sums of losses and gradients are those of the whole minibatch.
    """
    size = config.microbatch_sequences
    if size == 0 or batch.first_LS.shape[1] <= size:
        loss, parts = batch_loss(policy, batch, config, entropy_coefficient)
        loss.backward()
        return {"total": loss.detach(), **parts}
    sums: dict[str, Tensor] = {}
    for microbatch in batch.split(size):
        share = weight_sum(microbatch.weight_LS) / weight_sum(batch.weight_LS)
        loss, parts = batch_loss(policy, microbatch, config, entropy_coefficient)
        (share * loss).backward()
        for name, value in {"total": loss.detach(), **parts}.items():
            sums[name] = sums[name] + share * value if name in sums else share * value
    return sums


def join_gradients(
    policy: Policy, row: dict[str, Tensor], weight_LS: Tensor, add: Add
) -> dict[str, Tensor]:
    """Gradient and losses of a part of a minibatch become those of the parts of all processes.

    Both are weighted means; times the weight they are sums, and sums add up. Everything travels in
    one tensor, because each call costs time whatever its size.
    """
    gradients = [each.grad for each in policy.parameters() if each.grad is not None]
    divisor = weight_sum(weight_LS)
    losses_and_weight = torch.stack([*row.values(), weight_LS.sum() / divisor])
    sums = add(torch.cat([*(each.flatten() for each in gradients), losses_and_weight]) * divisor)
    means = sums[:-1] / sums[-1].clamp(min=1.0)
    *parts, losses_R = means.split([*(each.numel() for each in gradients), len(row)])
    for gradient, part in zip(gradients, parts, strict=True):
        gradient.copy_(part.view_as(gradient))
    return dict(zip(row, losses_R.unbind(), strict=True))


def check_finite(rows: Sequence[Sequence[float]], *, number: int) -> None:
    """Raises FloatingPointError if `update` left out a step, judging by what it returned."""
    for index, row in enumerate(rows):
        values = dict(zip(STEP_METRICS, row, strict=True))
        if not math.isfinite(values["total"] + values["gradient_norm"]):
            listed = ", ".join(f"{name} {value:g}" for name, value in values.items())
            raise FloatingPointError(
                f"update {number}, minibatch {index}: loss or gradient is not finite ({listed}); "
                "the weights are those before this minibatch. A lower learning rate may help."
            )


def batch_loss(
    policy: Policy, batch: Batch, config: PPOConfig, entropy_coefficient: Tensor | float
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of one minibatch and, detached, what it is made of."""
    logits_LSA, value_LS, _ = policy(batch.observation, batch.first_LS, batch.state)
    loss_of = compiled_once(losses) if policy.is_compiled else losses
    loss, parts = loss_of(
        logits_LSA,
        value_LS,
        batch.mask_LSA,
        batch.action_LSK,
        batch.log_probability_LS,
        batch.advantage_LS,
        batch.return_LS,
        batch.value_scale,
        batch.weight_LS,
        entropy_coefficient,
        policy.prior_A,
        sizes=policy.action_sizes,
        clip=config.clip,
        value_coefficient=config.value_coefficient,
    )
    return loss, dict(zip(PARTS, parts.unbind(), strict=True))


def losses(
    logits_LSA: Tensor,
    value_LS: Tensor,
    mask_LSA: Tensor,
    action_LSK: Tensor,
    old_log_probability_LS: Tensor,
    advantage_LS: Tensor,
    return_LS: Tensor,
    value_scale: Tensor,
    weight_LS: Tensor,
    entropy_coefficient: Tensor | float,
    prior_A: Tensor | None,
    *,
    sizes: tuple[int, ...],
    clip: float,
    value_coefficient: float,
) -> tuple[Tensor, Tensor]:
    """The loss of what the policy makes of a minibatch and, detached, its `PARTS`.

    `Batch`, `Policy` and `PPOConfig` explain the arguments. The entropy draws the policy to the
    uniform choice or, with a prior over actions, to that.
    """
    components = actions.choices(logits_LSA, mask_LSA, sizes)
    log_probability_LS = actions.log_probability(components, action_LSK)
    surrogate = policy_loss(
        log_probability_LS, old_log_probability_LS, advantage_LS, weight_LS, clip=clip
    )
    value_error = value_scale * value_loss(value_LS, return_LS, weight_LS)
    entropy = weighted_mean(actions.entropy(components), weight_LS)
    closeness = entropy  # To the uniform choice, or to the prior.
    if prior_A is not None:
        # Minus the divergence from the prior, a constant aside: sum of p (log prior - log p).
        closeness = entropy + weighted_mean(actions.expected(components, prior_A), weight_LS)
    loss = surrogate + value_coefficient * value_error - entropy_coefficient * closeness
    log_ratio_LS = (log_probability_LS - old_log_probability_LS).detach()
    ratio_LS = log_ratio_LS.exp()
    # Unbiased, never negative and of low variance: E[(r - 1) - log r].
    kl = weighted_mean(ratio_LS - 1 - log_ratio_LS, weight_LS)
    is_clipped_LS = ((ratio_LS - 1).abs() > clip).to(weight_LS.dtype)
    clip_share = weighted_mean(is_clipped_LS, weight_LS)
    return loss, torch.stack([surrogate, value_error, entropy, kl, clip_share]).detach()

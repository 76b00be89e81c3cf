"""A trained policy and what it needs to play.

It is not tied to a device, so runs from a GPU can be watched and evaluated anywhere.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lapis.agent.policy import Policy
from lapis.registry import WORLDS, WorldSettings
from lapis.running import checkpoint
from lapis.runs import RunError, RunFolder
from lapis.runs.reading import reading
from lapis.train.build import make_game, make_policy
from lapis.train.config import TrainConfig, load_config
from lapis.train.device import check_device, device_or_cpu

__all__ = ["Success", "TrainedPolicy", "assemble", "load_run"]

WEIGHTS = "policy/"
EXPLORATION_SET = "game/tensors/exploration_set"
"""Names in a checkpoint of `lapis.train.loop.Trainer`."""


@dataclass(frozen=True, kw_only=True)
class Success:
    """What a run logged about each goal, in the order of its goals."""

    average: tuple[float, ...]
    """The success average after the last update in the log (paper P1)."""
    update: int | None = None
    """Updates before the last evaluation, or None where there was none."""
    successes: tuple[int, ...] = ()
    attempts: tuple[int, ...] = ()
    """Both of that evaluation."""


@dataclass(frozen=True, kw_only=True)
class TrainedPolicy:
    """A policy for playing only, with what an evaluation needs."""

    config: TrainConfig
    """The run that it comes from, on the device where the policy is now."""
    policy: Policy
    update: int
    frames: int
    exploration_set: Tensor
    success: Success
    groups: tuple[str, ...]
    """The group of each goal, or nothing."""
    world_version: int
    """Version of the world that it plays in."""


def load_run(path: Path, *, device: str | None = None) -> TrainedPolicy:
    """The policy of a run's newest complete checkpoint; only reads the folder.

    Args:
        path: The run folder.
        device: Where to play, whatever the run was trained on; None uses the same device, or the
            CPU if there is no GPU.

    Raises:
        RunError: There is no such run, or it has no checkpoint yet.
    """
    run = RunFolder.open(path)
    newest = checkpoint.latest(run.checkpoints)
    if newest is None:
        raise RunError(f"{path} has no checkpoint yet")
    update, tensors = checkpoint.load_part(
        newest, lambda name: name.startswith(WEIGHTS) or name == EXPLORATION_SET
    )
    if EXPLORATION_SET not in tensors:
        raise RunError(f"{newest} has no {EXPLORATION_SET}; restore it from a copy")
    _, groups = run.read_goals()
    return assemble(
        run.read_config(),
        {name.removeprefix(WEIGHTS): tensors[name] for name in tensors if name != EXPLORATION_SET},
        tensors[EXPLORATION_SET],
        update=update,
        success=_recorded_success(run),
        groups=groups,
        device=device,
    )


def in_world(trained: TrainedPolicy, world: WorldSettings) -> TrainedPolicy:
    """The policy in another world than it was trained in.

    Raises:
        RunError: Observations or actions differ there.
    """
    config = trained.config
    if type(world) is not type(config.world) and (
        world.layout is None or world.layout != config.world.layout
    ):
        name = WORLDS.name_of(type(world))
        raise RunError(
            f"the policy was trained in the world `{config.world_name}`; with these settings "
            f"`{name}` has other observations or actions"
        )
    return dataclasses.replace(trained, config=dataclasses.replace(config, world=world))


def assemble(
    settings: dict[str, Any],
    weights: Mapping[str, Tensor],
    exploration_set: Tensor,
    *,
    update: int,
    success: Success,
    groups: tuple[str, ...],
    device: str | None,
    world_version: int | None = None,
) -> TrainedPolicy:
    """A policy of named weights for the worlds of a configuration; `device` as for `load_run`.

    `world_version` is that of the world that it was trained in, where that is known.

    Raises:
        RunError: The world has changed since, or the weights do not fit the network.
    """
    for name, tensor in {**weights, "exploration_set": exploration_set}.items():
        _check_tensor(name, tensor, is_weight=name in weights)
    config = load_config(settings)
    goal_count = len(config.simonsays.goals)
    by_goal = {"exploration_set": exploration_set, "average": success.average}
    by_goal |= {"groups": groups or success.average}
    if success.update is not None:
        by_goal |= {"successes": success.successes, "attempts": success.attempts}
    for name, values in by_goal.items():
        if len(values) != goal_count:
            raise RunError(f"{name} has {len(values)} values for {goal_count} goals")
    if not all(isinstance(group, str) for group in groups):
        raise RunError(f"groups is {groups!r:.60}; they must be names")
    place = device_or_cpu(config.device) if device is None else device
    check_device(place)
    # Compiled code is for batches of one size, and those who play have many.
    config = dataclasses.replace(
        config, device=place, policy=dataclasses.replace(config.policy, compile=False)
    )
    now, world = config.world.version, config.world_name
    if world_version not in (None, now):
        raise RunError(
            f"the policy was trained in version {world_version} of the world `{world}`, and this "
            f"Lapis has version {now}. Train a new one, or use the Lapis that trained it"
        )
    try:
        # One world, for the names and shapes of what is seen.
        game = make_game(dataclasses.replace(config, world_count=1))
        policy = make_policy(config, game)
    except ValueError as error:
        raise RunError(f"the configuration cannot be used: {error}") from error
    try:
        policy.load_state_dict({name: weight.float() for name, weight in weights.items()})
    except RuntimeError as error:
        raise RunError(
            f"the policy does not fit version {now} of the world `{world}`, which has other "
            "observations or actions. Train a new one, or use the version of Lapis that trained it "
            f"({error})"
        ) from error
    return TrainedPolicy(
        config=config,
        policy=policy,
        update=update,
        frames=update * config.frames_per_update,
        exploration_set=exploration_set.to(game.device),
        success=success,
        groups=groups,
        world_version=now,
    )


def _check_tensor(name: str, tensor: Tensor, *, is_weight: bool) -> None:
    if not is_weight:
        if tensor.dtype != torch.bool or tensor.dim() != 1:
            kind = f"{tensor.dtype} of shape {tuple(tensor.shape)}"
            raise RunError(f"{name} is {kind}; it must be booleans, one for each goal")
        return
    if not tensor.is_floating_point():
        raise RunError(f"the weights {name} are {tensor.dtype}; they must be floating-point")
    values = tensor.float()  # Not all types of eight bits know what is finite.
    wrong = values[~torch.isfinite(values)]
    if wrong.numel():
        raise RunError(
            f"the weights {name} hold {wrong[0].item()} ({wrong.numel()} of {tensor.numel()} are "
            "not finite); train or export the policy again"
        )


def _recorded_success(run: RunFolder) -> Success:
    with reading(run.path / "metrics.jsonl"):
        average = tuple(float(value) for value in run.read_metrics()["success"][-1])
    evaluations = run.read_evaluations()
    if not evaluations:
        return Success(average=average)
    with reading(run.path / "evaluation.jsonl"):
        return Success(
            average=average,
            update=int(evaluations["update"][-1]),
            successes=tuple(int(count) for count in evaluations["successes"][-1]),
            attempts=tuple(int(count) for count in evaluations["attempts"][-1]),
        )

"""Making what a config names: the curriculum, the worlds and the policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

from lapis.agent.encoders import build_encoders
from lapis.agent.policy import Policy
from lapis.curriculum import (
    HalfWindow,
    Learnability,
    LearningProgress,
    RankStaleness,
    RegressionSlope,
    SuccessBand,
    Teacher,
    Uniform,
)
from lapis.minecraft.goals import ALL_PREREQUISITES
from lapis.simonsays import SimonSays
from lapis.train.config import CurriculumConfig, TrainConfig
from lapis.worlds.habits import HABITS_OF_WORLD
from lapis.worlds.probes import PROBES
from lapis.worlds.techtree import TechTreeWorld
from lapis.worlds.voxel.world import VoxelWorld
from lapis.worlds.world import World


def make_curriculum(config: CurriculumConfig, goal_count: int) -> Teacher:
    """The curriculum over `goal_count` goals.

    Rivals have the time scale and the floor of the config and otherwise the defaults of
    `lapis.curriculum`, which are their authors'.
    """
    time_scale, floor = config.time_scale, config.floor
    match config.kind:
        case "uniform":
            return Uniform(goal_count)
        case "learning_progress":
            return LearningProgress(
                goal_count,
                direction=config.direction,
                time_scale=time_scale,
                reweight_threshold=config.reweight_threshold,
                weighting=config.weighting,
                floor=floor,
                noise_shrinkage=config.noise_shrinkage,
            )
        case "success_band":
            return SuccessBand(goal_count, time_scale=time_scale, floor=floor)
        case "learnability":
            return Learnability(goal_count, time_scale=time_scale, floor=floor)
        case "regression_slope":
            return RegressionSlope(goal_count, window=window_length(time_scale), floor=floor)
        case "rank_staleness":
            return RankStaleness(goal_count, time_scale=time_scale, floor=floor)
        case "half_window":
            half = window_length(time_scale) // 2
            return HalfWindow(goal_count, half_window=half, floor=floor)


def window_length(time_scale: float) -> int:
    """Scores in a window that looks back as far as averages of this time scale: 4 time scales.

    The difference of the fast and the slow average weighs the change of success of k updates ago
    with (k / time_scale) exp(-k / time_scale), so what it measures happened 2 time scales ago on
    average. What two halves of a window, or a line through it, measure happened half a window ago
    on average. With 4 time scales both are equally late; their noise as an estimate of the change
    per update is then alike too (variances 1/4 : 1/4 : 3/16 of p (1 - p) / (n time_scale^3)).
    """
    return 2 * round(2.0 * time_scale)


def make_game(config: TrainConfig, *, first_world: int = 0) -> SimonSays:
    """Simon Says over the worlds that `config` names, the first of which has this number."""
    world = make_world(config, first_world=first_world)
    return SimonSays(world, config.simonsays, seed=config.seed, first_world=first_world)


def make_world(config: TrainConfig, *, first_world: int = 0) -> World:
    """The worlds alone.

    Raises:
        ValueError: `first_world` is not 0, and the worlds are probes, which have no numbers.
    """
    count, seed, device = config.world_count, config.seed, config.device
    if config.world == "techtree":
        return TechTreeWorld(
            count, seed=seed, device=device, config=config.techtree, first_world=first_world
        )
    if config.world == "voxel":
        return VoxelWorld(
            count, seed=seed, device=device, config=config.voxel, first_world=first_world
        )
    if first_world:
        raise ValueError(f"first_world is {first_world}; worlds of {config.world!r} start at 0")
    return PROBES[config.world](count, seed=seed, device=device)


def world_version(config: TrainConfig) -> int:
    """The version of the worlds that `config` names; probes never change."""
    versions = {"techtree": TechTreeWorld.version, "voxel": VoxelWorld.version}
    return versions.get(config.world, 1)


class Seen(Protocol):
    """What a policy is made for; a game, usually."""

    observation: dict[str, Tensor]
    goals: tuple[str, ...]
    action_sizes: tuple[int, ...]
    device: torch.device

    @property
    def action_mask(self) -> Tensor:
        """What is allowed now, bool (world, sum of action_sizes)."""
        ...


def ingredients(goals: Sequence[str]) -> Tensor:
    """Which goals (columns) each goal (row) is made from, directly or not, bool (goal, goal).

    Stations and tools count. Goals that cannot be obtained, and those of other games, have none.
    """
    return torch.tensor(
        [[part in ALL_PREREQUISITES.get(goal, ()) for part in goals] for goal in goals]
    )


def make_policy(config: TrainConfig, game: Seen) -> Policy:
    """A policy for the game's observations, the same for the same seed on every device."""
    settings = config.policy
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        encoders = build_encoders(
            {**game.observation, "action_mask": game.action_mask},
            settings,
            goal_count=len(game.goals),
            ingredients=ingredients(game.goals) if settings.observe_ingredients else None,
        )
        policy = Policy(
            encoders,
            game.action_sizes,
            width=settings.width,
            compile=settings.compile,
            habits=HABITS_OF_WORLD[config.world] if settings.habits else None,
        )
        return policy.to(game.device)

"""Making what a config names: the curriculum and the worlds."""

from __future__ import annotations

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
from lapis.simonsays import SimonSays
from lapis.train.config import CurriculumConfig, TrainConfig
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


def make_game(config: TrainConfig) -> SimonSays:
    """Simon Says over the worlds that `config` names."""
    return SimonSays(make_world(config), config.simonsays, seed=config.seed)


def make_world(config: TrainConfig) -> World:
    """The worlds alone."""
    if config.world == "techtree":
        return TechTreeWorld(
            config.world_count, seed=config.seed, device=config.device, config=config.techtree
        )
    if config.world == "voxel":
        return VoxelWorld(
            config.world_count, seed=config.seed, device=config.device, config=config.voxel
        )
    return PROBES[config.world](config.world_count, seed=config.seed, device=config.device)

"""Making what a config names: the curriculum and the worlds."""

from __future__ import annotations

from lapis.curriculum import LearningProgress, Teacher, Uniform
from lapis.simonsays import SimonSays
from lapis.train.config import CurriculumConfig, TrainConfig
from lapis.worlds.probes import PROBES
from lapis.worlds.techtree import TechTreeWorld
from lapis.worlds.world import World


def make_curriculum(config: CurriculumConfig, goal_count: int) -> Teacher:
    """The curriculum over `goal_count` goals."""
    if config.kind == "uniform":
        return Uniform(goal_count)
    return LearningProgress(
        goal_count,
        direction=config.direction,
        time_scale=config.time_scale,
        reweight_threshold=config.reweight_threshold,
        floor=config.floor,
        noise_shrinkage=config.noise_shrinkage,
    )


def make_game(config: TrainConfig) -> SimonSays:
    """Simon Says over the worlds that `config` names."""
    return SimonSays(make_world(config), config.simonsays, seed=config.seed)


def make_world(config: TrainConfig) -> World:
    """The worlds alone."""
    if config.world != "techtree":
        return PROBES[config.world](config.world_count, seed=config.seed, device=config.device)
    return TechTreeWorld(
        config.world_count, seed=config.seed, device=config.device, config=config.techtree
    )

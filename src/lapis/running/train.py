"""Training from Python, with worlds and teachers of your own."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

from lapis.curriculum import Teacher
from lapis.registry import TeacherSettings, WorldSettings
from lapis.running.options import RunOptions
from lapis.running.run import start
from lapis.train.config import TrainConfig
from lapis.train.given import GivenTeacher, GivenWorld
from lapis.train.loop import Trainer
from lapis.worlds.world import World

__all__ = ["train"]


def train(
    config: TrainConfig,
    *,
    world: WorldSettings | World | None = None,
    curriculum: TeacherSettings | Teacher | None = None,
    run: str | Path | None = None,
    options: RunOptions | None = None,
) -> Trainer:
    """Trains to the last update, or until a signal stops the run.

    Args:
        config: The whole run.
        world: Other worlds than those of `config`: settings, or a batch that is there already.
        curriculum: Another teacher than that of `config`: settings, or one that is there already.
        run: A new run folder with metrics and checkpoints; None leaves nothing behind. A run can be
            resumed and evaluated if its world and its teacher are given as settings.
        options: How the run is kept and shown.

    Returns:
        The trainer, with the policy as it is now.

    Raises:
        ValueError: Evaluations are asked for in a batch of worlds that is there already: they need
            worlds of their own.
    """
    given_world, given_teacher = None, None
    if isinstance(world, WorldSettings):
        config = dataclasses.replace(config, world=world)
    elif world is not None:
        given_world, place = world, _place(world)
        if config.evaluation_updates:
            raise ValueError(
                f"evaluation_updates is {config.evaluation_updates}; with a world that is there "
                "already it must be 0. Give the world's settings instead"
            )
        settings = GivenWorld(place=place)
        config = dataclasses.replace(config, world=settings, world_count=world.world_count)
    if isinstance(curriculum, TeacherSettings):
        config = dataclasses.replace(config, curriculum=curriculum)
    elif curriculum is not None:
        given_teacher = curriculum
        config = dataclasses.replace(config, curriculum=GivenTeacher(place=_place(curriculum)))
    trainer = Trainer(config, world=given_world, curriculum=given_teacher)
    if run is None:
        for _ in range(config.updates):
            trainer.train_one_update()
        return trainer
    start(
        Path(run),
        config=config,
        build=lambda config: trainer,
        recipe="python",
        command=sys.argv,
        device=config.device,
        options=options,
    )
    return trainer


def _place(thing: object) -> str:
    return f"{type(thing).__module__}:{type(thing).__qualname__}"

"""Training from Python, with worlds and teachers of your own."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

from lapis.curriculum import Teacher
from lapis.registry import TeacherSettings, WorldSettings
from lapis.running.initial import begin
from lapis.running.options import RunOptions
from lapis.running.run import start
from lapis.train.config import TrainConfig
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
    """Trains to the last update, or until a signal stops the run; returns the trainer.

    Args:
        config: The whole run.
        world: Worlds to use instead of those of `config`: settings, or an existing batch.
        curriculum: Teacher to use instead of that of `config`: settings, or an existing one.
        run: A new run folder with metrics and checkpoints; None leaves nothing behind.
        options: How the run is kept and shown.

    Raises:
        ValueError: `run` is given together with an existing world or teacher: a run folder must say
            how everything in it is made, so that it can be resumed and evaluated.
    """
    if isinstance(world, WorldSettings):
        config, world = dataclasses.replace(config, world=world), None
    if isinstance(curriculum, TeacherSettings):
        config, curriculum = dataclasses.replace(config, curriculum=curriculum), None
    if run is not None and (world or curriculum) is not None:
        thing = type(world or curriculum).__name__
        raise ValueError(f"run is {str(run)!r}, but a run folder needs settings, not a {thing}")
    trainer = Trainer(config, world=world, curriculum=curriculum)
    if run is None:
        begin(trainer, config)
        for _ in range(config.updates):
            trainer.train_one_update()
    else:
        start(
            Path(run),
            config=config,
            make_trainer=lambda config: trainer,
            recipe="python",
            command=sys.argv,
            options=options,
        )
    return trainer

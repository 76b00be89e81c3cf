"""Runs that begin with the weights of another run."""

from __future__ import annotations

from pathlib import Path

from lapis.running.export import load_policy
from lapis.running.trained import in_world
from lapis.runs import RunError
from lapis.train.config import TrainConfig
from lapis.train.loop import Trainer

__all__ = ["begin"]


def begin(trainer: Trainer, config: TrainConfig) -> None:
    """Gives a new trainer what `config.initial_policy` learned, if there is one.

    These are the weights and, if it was trained in the same world, the success average of each
    goal, so that neither curriculum nor bonus treats mastered goals as new. The optimizer starts
    from scratch.

    Raises:
        FileNotFoundError: There is no such file or run.
        RunError: It was trained in another world, on other goals or with another network.
    """
    if not config.initial_policy:
        return
    path = Path(config.initial_policy)
    loaded = load_policy(path, device="cpu")
    source = in_world(loaded, config.world)
    if source.config.simonsays.goals != config.simonsays.goals:
        raise RunError(f"the policy in {path} has other goals than this run")
    try:
        trainer.policy.load_state_dict(source.policy.state_dict())
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        raise RunError(f"{path} has a different network from this run: {reason:.300}") from error
    if type(loaded.config.world) is type(config.world):
        trainer.start_at(source.success.average)

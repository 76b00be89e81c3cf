"""A run that begins with the weights of another one."""

from __future__ import annotations

from pathlib import Path

from lapis.running.export import load_policy
from lapis.running.trained import in_world
from lapis.runs import RunError
from lapis.train.config import TrainConfig
from lapis.train.loop import Trainer

__all__ = ["begin"]


def begin(trainer: Trainer, config: TrainConfig) -> None:
    """Gives a new trainer the weights of `config.initial_policy`, if there is one.

    Optimizer, curriculum and success averages start afresh.

    Raises:
        FileNotFoundError: There is no such file or run.
        RunError: It was trained in another world, on other goals or with another network.
    """
    if not config.initial_policy:
        return
    path = Path(config.initial_policy)
    source = in_world(load_policy(path, device="cpu"), config.world)
    if source.config.simonsays.goals != config.simonsays.goals:
        raise RunError(f"the policy in {path} knows other goals than this run asks for")
    try:
        trainer.policy.load_state_dict(source.policy.state_dict())
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        raise RunError(f"{path} has another network than this run: {reason:.300}") from error

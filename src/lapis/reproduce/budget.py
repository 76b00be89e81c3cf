"""What all runs of a reproduction share, remembered in `FOLDER/plan.json`."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from lapis.bounds import COUNT, NOT_NEGATIVE, POSITIVE, WHOLE, Checked
from lapis.reproduce.request import Request
from lapis.runs import RunError
from lapis.runs.durable import replace_durably
from lapis.train.config import TrainConfig

__all__ = ["Budget", "Speed", "agree_on_budget", "load_budget", "save_budget"]

LAPTOP_FRAMES = 6_000_000
"""Policy steps of one run of the recipe `techtree` where nothing else is asked for: five treatments
with three seeds take well under two hours on two cores."""
EVALUATION_COUNT = 8
"""Evaluations of one run where nothing else is asked for."""
PLAN_FORMAT = 3


@dataclass(frozen=True, kw_only=True)
class Speed(Checked):
    """What a calibration measured."""

    frames_per_second: Annotated[float, POSITIVE]
    """Policy steps per second of one job among `jobs`."""
    evaluation_seconds: Annotated[float, NOT_NEGATIVE]
    """Time of one evaluation."""
    jobs: Annotated[int, COUNT]
    """Jobs that ran side by side."""
    checkpoint_bytes: Annotated[int, WHOLE]
    """Size of one checkpoint."""


@dataclass(frozen=True, kw_only=True)
class Budget(Checked):
    """What all runs of a folder share, because they are there to be compared."""

    recipe: str
    device: str
    threads: Annotated[int, COUNT]
    """PyTorch threads of one run."""
    frames: Annotated[int, COUNT]
    """Policy steps of one run, before they are rounded to whole updates."""
    minutes: Annotated[float, POSITIVE] | None
    """The time from which `frames` was made; None where it was not."""
    speed: Speed | None
    """What was measured for it."""
    evaluations: Annotated[int, COUNT] = EVALUATION_COUNT
    """Evaluations of one run, evenly spread whatever its length."""

    def apply(self, config: TrainConfig) -> TrainConfig:
        """The same treatment with this budget and evaluations."""
        updates = max(1, round(self.frames / config.frames_per_update))
        return dataclasses.replace(
            config,
            updates=updates,
            evaluation_updates=math.ceil(updates / self.evaluations),
            device=self.device,
            threads=self.threads,
        )


def agree_on_budget(
    request: Request, recorded: Budget | None, measure: Callable[[TrainConfig], Speed]
) -> Budget:
    """The folder's recorded budget or, in a new folder, that of the request.

    `measure` gives the speed of a configuration here, for a new budget in minutes alone.

    Raises:
        RunError: The request asks for another budget than the folder's.
    """
    if recorded is None:
        return _new_budget(request, measure)
    for name in ("recipe", "device", "threads", "frames", "minutes", "evaluations"):
        asked, known = getattr(request, name), getattr(recorded, name)
        if asked not in (None, known):
            made = f"{known:,}" if isinstance(known, int) else known
            # A request always has a recipe.
            way = f"give --recipe {known}" if name == "recipe" else f"leave out --{name}"
            raise RunError(
                f"{request.folder / 'plan.json'} has {name} {made}, not {asked}. All runs of a "
                f"reproduction have the same budget: {way} to keep the plan's, or "
                "start in another folder with --folder"
            )
    return recorded


def save_budget(folder: Path, budget: Budget) -> None:
    """Writes plan.json to the folder, flushed to the disk."""
    values = {"format": PLAN_FORMAT, **dataclasses.asdict(budget)}
    replace_durably(folder / "plan.json", (json.dumps(values, indent=2) + "\n").encode())


def load_budget(folder: Path) -> Budget | None:
    """The budget in the folder's plan.json; None where there is none.

    Raises:
        RunError: The file is damaged or of another version of Lapis.
    """
    path = folder / "plan.json"
    if not path.is_file():
        return None
    try:
        values = json.loads(path.read_bytes())
        version = values.pop("format")
        if version == 1:  # It had all settings of each treatment; run folders have them anyway.
            config = next(iter(values.pop("treatments").values()))["config"]
            values |= {"device": config["device"], "threads": config["threads"]}
        elif version not in (2, PLAN_FORMAT):
            raise ValueError(f"format {version}, not {PLAN_FORMAT}")
        if version < PLAN_FORMAT:  # Each world had one recipe, of the same name.
            values["recipe"] = values.pop("world")
        speed = values.pop("speed")
        return Budget(**values, speed=None if speed is None else Speed(**speed))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RunError(
            f"{path} cannot be read ({error}): it is damaged or was made by another version of "
            "Lapis; start in another folder with --folder"
        ) from error


def _new_budget(request: Request, measure: Callable[[TrainConfig], Speed]) -> Budget:
    first = next(iter(request.configs().values()))
    budget = Budget(
        recipe=request.recipe,
        device=request.device or first.device,
        threads=request.threads or 1,  # Single-threaded runs side by side use cores best.
        frames=request.frames
        or (LAPTOP_FRAMES if request.recipe == "techtree" else first.frame_total),
        minutes=request.minutes,
        speed=None,
        evaluations=request.evaluations or EVALUATION_COUNT,
    )
    if request.minutes is None:
        return budget
    speed = measure(budget.apply(first))
    step = first.frames_per_update
    updates = max(1, round(request.minutes * 60 * speed.frames_per_second / step))
    return dataclasses.replace(budget, frames=updates * step, speed=speed)

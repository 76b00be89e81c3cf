"""What a reproduction runs, and the file that remembers it: `FOLDER/plan.json`."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lapis.runs import RunError
from lapis.runs.durable import explain_full_disk, sync_directory, write_durably
from lapis.train.config import TrainConfig, from_dict, to_dict

__all__ = [
    "EVALUATION_COUNT",
    "LAPTOP_FRAMES",
    "Plan",
    "PlanError",
    "PlannedRun",
    "Speed",
    "load_plan",
    "save_plan",
    "with_budget",
]

LAPTOP_FRAMES = 6_000_000
"""Policy steps of one run where nothing else is asked for: five treatments with three seeds take
well under two hours on two cores."""

EVALUATION_COUNT = 8
"""Evaluations of one run, evenly spread whatever its length."""

PLAN_FORMAT = 1


class PlanError(RunError):
    """The request does not fit the folder's plan; the message says what to do."""


@dataclass(frozen=True, kw_only=True)
class Speed:
    """What a calibration measured."""

    frames_per_second: float
    """Policy steps per second of one job among `jobs`."""
    evaluation_seconds: float
    """Time of one evaluation."""
    jobs: int
    """Jobs that ran side by side."""
    checkpoint_bytes: int
    """Size of one checkpoint."""


@dataclass(frozen=True, kw_only=True)
class PlannedRun:
    """One run of the plan."""

    name: str
    """The treatment."""
    config: TrainConfig
    """All settings, the seed included."""

    @property
    def seed(self) -> int:
        """Its seed."""
        return self.config.seed

    @property
    def frames(self) -> int:
        """Policy steps of the whole run."""
        return self.config.updates * self.config.frames_per_update

    def path(self, folder: Path) -> Path:
        """The run folder in the reproduction's folder."""
        return folder / self.name / f"seed-{self.seed}"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything that was ever requested in one folder."""

    world: str
    frames: int
    """Budget of one run [policy steps], before it is rounded to whole updates."""
    minutes: float | None
    """The time from which `frames` was made, None where it was not."""
    speed: Speed | None
    """What was measured for it."""
    configs: Mapping[str, TrainConfig]
    """All settings of each treatment; the seed in them is ignored."""
    seeds: Mapping[str, tuple[int, ...]]
    """Per treatment the seeds, rising."""

    def runs(self) -> list[PlannedRun]:
        """All runs, seed by seed over the treatments, so that an early stop is balanced."""
        every_seed = sorted({seed for seeds in self.seeds.values() for seed in seeds})
        return [
            PlannedRun(name=name, config=dataclasses.replace(config, seed=seed))
            for seed in every_seed
            for name, config in self.configs.items()
            if seed in self.seeds[name]
        ]


def with_budget(
    config: TrainConfig, *, frames: int, device: str | None, threads: int
) -> TrainConfig:
    """The same treatment with so many policy steps, rounded to whole updates, and evaluations."""
    updates = max(1, round(frames / config.frames_per_update))
    return dataclasses.replace(
        config,
        seed=0,
        updates=updates,
        evaluation_updates=math.ceil(updates / EVALUATION_COUNT),
        device=device or config.device,
        threads=threads,
    )


def save_plan(folder: Path, plan: Plan) -> None:
    """Writes the plan to the folder in place of an older one, flushed to the disk."""
    values = {
        "format": PLAN_FORMAT,
        "world": plan.world,
        "frames": plan.frames,
        "minutes": plan.minutes,
        "speed": None if plan.speed is None else dataclasses.asdict(plan.speed),
        "treatments": {
            name: {"seeds": list(plan.seeds[name]), "config": to_dict(config)}
            for name, config in plan.configs.items()
        },
    }
    draft = folder / ".plan.json"
    with explain_full_disk("the plan", folder):
        write_durably(draft, (json.dumps(values, indent=2) + "\n").encode())
    draft.rename(folder / "plan.json")
    sync_directory(folder)


def load_plan(folder: Path) -> Plan | None:
    """The folder's plan, or None where it has none.

    Raises:
        PlanError: The file is damaged or of another version of Lapis.
    """
    path = folder / "plan.json"
    if not path.is_file():
        return None
    try:
        return _parse(json.loads(path.read_bytes()))
    except (ValueError, KeyError, TypeError) as error:
        raise PlanError(
            f"{path} cannot be read ({error}): it is damaged or was made by another version of "
            "Lapis; start in another folder with --folder"
        ) from error


def _parse(values: dict[str, Any]) -> Plan:
    if values["format"] != PLAN_FORMAT:
        raise ValueError(f"format {values['format']}, not {PLAN_FORMAT}")
    treatments = values["treatments"]
    return Plan(
        world=values["world"],
        frames=values["frames"],
        minutes=values["minutes"],
        speed=None if values["speed"] is None else Speed(**values["speed"]),
        configs={name: from_dict(TrainConfig, each["config"]) for name, each in treatments.items()},
        seeds={name: tuple(each["seeds"]) for name, each in treatments.items()},
    )


def differing_settings(old: TrainConfig, new: TrainConfig) -> list[str]:
    """Per setting that differs a phrase with both values."""
    olds, news = dict(_flat(to_dict(old))), dict(_flat(to_dict(new)))
    return [
        f"{name} {olds.get(name)} in the plan, {news.get(name)} now"
        for name in dict.fromkeys([*olds, *news])
        if olds.get(name) != news.get(name)
    ]


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value

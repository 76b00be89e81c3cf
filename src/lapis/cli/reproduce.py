"""`lapis reproduce`: the paper's treatments over several seeds, side by side, with a report."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Literal

import tyro

from lapis.cli import UsageError
from lapis.reproduce.command import Session, dry_run, reproduce
from lapis.reproduce.request import Request
from lapis.reproduce.treatments import configs
from lapis.running.options import RunOptions
from lapis.treatments import TREATMENTS


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReproduceArguments:
    """Runs treatments with several seeds at equal budgets and reports on them.

    Stopped or killed at any time, it goes on where it was when it is started again.
    """

    world: Literal["techtree"] = "techtree"
    """Where to train."""
    seeds: int = 3
    """Runs of each treatment."""
    first_seed: int = 0
    """Seed of the first of them."""
    frames: int | None = None
    """Policy steps of one run; without it those of the plan, or a budget for laptops."""
    minutes: float | None = None
    """Budget of one run as time instead, turned into policy steps by the speed measured here."""
    treatments: str = ",".join(name for name, each in TREATMENTS.items() if each.family == "paper")
    """Names with commas between them; may be empty where there are variants."""
    variants: str = ""
    """More of them: `rivals`, `ablations`, or names of single ones, with commas between them."""
    jobs: int | None = None
    """Runs at a time; without it one per core, with CUDA four per GPU."""
    threads: int | None = None
    """PyTorch threads of one run; without it one."""
    device: Literal["cpu", "cuda"] | None = None
    """Where to compute; without it on the CPU. With CUDA runs go round all GPUs."""
    folder: Path = Path("runs/reproduce")
    """Folder of the plan, the runs and the report."""
    dry_run: bool = False
    """Prints what would be run and how long it would take, and creates nothing."""
    checkpoint_updates: int = RunOptions.checkpoint_updates
    """Updates between checkpoints."""
    checkpoint_seconds: float = RunOptions.checkpoint_seconds
    """A checkpoint is also made when the last one is older than this."""


def main(arguments: list[str]) -> int:
    """Runs, or goes on with, the reproduction that the arguments ask for."""
    try:
        parsed = tyro.cli(
            ReproduceArguments,
            args=arguments,
            prog="lapis reproduce",
        )
        request = Request(
            world=parsed.world,
            configs=configs(parsed.world, _names(parsed.treatments, parsed.variants)),
            seeds=tuple(range(parsed.first_seed, parsed.first_seed + parsed.seeds)),
            frames=parsed.frames,
            minutes=parsed.minutes,
            device=parsed.device,
            threads=parsed.threads,
        )
        session = Session(
            folder=parsed.folder,
            jobs=parsed.jobs,
            options=RunOptions(
                checkpoint_updates=parsed.checkpoint_updates,
                checkpoint_seconds=parsed.checkpoint_seconds,
            ),
            command=["lapis", "reproduce", *arguments],
        )
    except ValueError as error:
        raise UsageError(str(error)) from error
    return dry_run(request, session) if parsed.dry_run else reproduce(request, session)


def _names(*lists: str) -> list[str]:
    return [name for text in lists for name in text.split(",") if name.strip()]

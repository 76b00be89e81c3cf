"""`lapis sweep RECIPE`: one recipe under many settings, side by side, with a report."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import tyro

from lapis.bounds import COUNT, WHOLE, Checked
from lapis.cli import UsageError
from lapis.cli.train import Start, parse, recipe_start
from lapis.reproduce.command import run_and_report, scheduler
from lapis.reproduce.jobs import Job, make_job, require_same_settings
from lapis.reproduce.lock import hold_folder
from lapis.reproduce.machine import job_environments
from lapis.reproduce.request import check_place
from lapis.reproduce.sweep import BelowMedian, Choice, choices, folder_name
from lapis.running.options import RunOptions
from lapis.train.config import TrainConfig


@dataclasses.dataclass(frozen=True, kw_only=True)
class SweepArguments(Checked):
    """Trains a recipe with all combinations of some settings, or with randomly drawn ones.

    Settings have the names of `lapis train RECIPE --help`: `--vary ppo.learning-rate=1e-4,4e-4
    curriculum.floor=0.1,0.25`. You can stop or kill it at any time: the same command continues.
    """

    recipe: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="RECIPE")]
    """Recipe whose settings are used for everything that is not varied."""
    vary: Annotated[tuple[str, ...], tyro.conf.arg(metavar="SETTING=VALUES ...")]
    """One or several SETTING=VALUE,VALUE,... or, with --samples, SETTING=LOW..HIGH."""
    set: Annotated[tuple[str, ...], tyro.conf.arg(metavar="SETTING=VALUE ...")] = ()
    """SETTING=VALUE for all runs, such as updates=500."""
    samples: Annotated[int, COUNT] | None = None
    """Number of combinations to draw at random. Default: all combinations are run."""
    sample_seed: Annotated[int, WHOLE] = 0
    """Seed of this draw."""
    seeds: Annotated[int, COUNT] = 1
    """Runs of each combination."""
    first_seed: Annotated[int, WHOLE] = 0
    """Seed of the first run."""
    drop_below_median: bool = False
    """Stops runs that have found fewer goals than the median of the others at a quarter, half or
    three quarters of their length."""
    jobs: Annotated[int, COUNT] | None = None
    """Runs at a time. Default: one per core, with CUDA four per GPU."""
    threads: Annotated[int, COUNT] = 1
    """PyTorch threads per run."""
    on: str = "here"
    """Where to run them: here, ray or ray:ADDRESS, as for `lapis reproduce`."""
    folder: Path = Path("runs/sweep")
    """Folder of the runs and the report."""
    dry_run: bool = False
    """Lists the runs and creates nothing."""
    keep: Annotated[RunOptions, tyro.conf.arg(name="")] = dataclasses.field(
        default_factory=RunOptions
    )
    """How each run is kept."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_place(self.on)


def main(arguments: list[str]) -> int:
    """Runs, or continues, the sweep that the arguments ask for."""
    parsed = tyro.cli(SweepArguments, args=arguments, prog="lapis sweep")
    try:
        varied = dict(_pair(each) for each in parsed.vary)
        tried = choices(varied, samples=parsed.samples, seed=parsed.sample_seed)
    except ValueError as error:
        raise UsageError(str(error)) from error
    jobs = _jobs(parsed, tried, ["lapis", "sweep", *arguments])
    print(f"folder   {parsed.folder}\nruns     {len(jobs)}: {len(tried)} settings", flush=True)
    for name in dict.fromkeys(job.name for job in jobs):
        print(f"         {name}", flush=True)
    if parsed.dry_run:
        print("nothing was created")
        return 0
    environments = []
    if parsed.on == "here":
        environments = job_environments(jobs[0].config, jobs=parsed.jobs)
    parsed.folder.mkdir(parents=True, exist_ok=True)
    with hold_folder(parsed.folder) as shared:
        run = scheduler(parsed.on, environments, shared, job_count=parsed.jobs)
        if parsed.drop_below_median:
            run = functools.partial(run, is_dropped=BelowMedian(jobs))
        return run_and_report(jobs, parsed.folder, run, title=f"lapis sweep  {parsed.folder}")


def _jobs(parsed: SweepArguments, tried: Sequence[Choice], command: list[str]) -> list[Job]:
    """Seed by seed, so that an early stop is balanced."""
    start = recipe_start(parsed.recipe)
    fixed = dict(_pair(each) for each in parsed.set)
    fixed |= {"threads": str(parsed.threads)}
    options = dataclasses.asdict(parsed.keep)
    task = {"command": command, "options": options, "recipe": start.name}
    configs = {folder_name(choice): _config(start, {**fixed, **choice}) for choice in tried}
    for name, config in configs.items():
        require_same_settings(parsed.folder / name, config)
    return [
        make_job(
            parsed.folder / name / f"seed-{seed}", dataclasses.replace(config, seed=seed), task
        )
        for seed in range(parsed.first_seed, parsed.first_seed + parsed.seeds)
        for name, config in configs.items()
    ]


def _config(start: Start, settings: Choice) -> TrainConfig:
    flags = [part for name, value in settings.items() for part in (f"--{name}", value)]
    return parse(start, flags, f"lapis sweep {start.name}").config


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.removeprefix("--").partition("=")
    if not (name and equals and value):
        raise UsageError(f"{text!r} is not a setting with values; write SETTING=VALUE,VALUE")
    return name, value

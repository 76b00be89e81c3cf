"""What one call of `lapis reproduce` asks for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from lapis.bounds import COUNT, POSITIVE, WHOLE, Checked
from lapis.recipes import craftax, demo, techtree, voxel, xland
from lapis.registry import nearest
from lapis.running.options import RunOptions
from lapis.train.config import TrainConfig, with_settings, with_treatment
from lapis.treatments import TREATMENTS

__all__ = ["BASES", "Request", "check_place"]

BASES: dict[str, Callable[[], TrainConfig]] = {
    "techtree": techtree,
    "demo": demo,
    "voxel": voxel,
    "craftax": craftax,
    "xland": xland,
}
"""The recipes that all treatments may start from."""

FAMILIES = {"paper": "paper", "rivals": "rival", "ablations": "ablation", "floors": "floor"}
"""Words that stand for a whole family."""


@dataclass(frozen=True, kw_only=True)
class Request(Checked):
    """Runs treatments with several seeds at equal budgets and writes a report.

    You can stop or kill it at any time: the same command continues where it was.
    """

    recipe: Literal["techtree", "demo", "voxel", "craftax", "xland"] = "techtree"
    """What all treatments start from; `demo` takes minutes per run, `voxel` is from pixels and
    needs a GPU."""
    seeds: Annotated[int, COUNT] = 3
    """Runs of each treatment."""
    first_seed: Annotated[int, WHOLE] = 0
    """Seed of the first run."""
    frames: Annotated[int, COUNT] | None = None
    """Policy steps per run. Default: as in the folder's plan, else as many as the recipe has, or
    six million of the recipe `techtree`."""
    minutes: Annotated[float, POSITIVE] | None = None
    """Budget per run as training time instead, turned into policy steps by the speed measured at
    the start."""
    evaluations: Annotated[int, COUNT] | None = None
    """Evaluations per run, evenly spread. Default: as in the folder's plan, else eight."""
    treatments: str = "paper"
    """Names, separated by commas. `paper`, `rivals`, `ablations` or `floors` stand for a whole
    family."""
    settings: Path | None = None
    """JSON file with settings that differ from the recipe: for each treatment's name, and for `*`
    (all treatments), an object of dotted names and values."""
    jobs: Annotated[int, COUNT] | None = None
    """Runs at a time. Default: one per core, with CUDA four per GPU, from pixels one."""
    threads: Annotated[int, COUNT] | None = None
    """PyTorch threads per run. Default: one."""
    device: Literal["cpu", "cuda"] | None = None
    """Where to compute. Default: on the CPU, from pixels with CUDA. With CUDA the runs are spread
    over all GPUs."""
    on: str = "here"
    """Where to run them: `here`, in processes on this machine; `ray`, with Ray on this machine or
    on the cluster that RAY_ADDRESS names; or `ray:ADDRESS`, such as `ray:auto` or
    `ray:ray://head:10001`."""
    folder: Path = Path("runs/reproduce")
    """Folder of the plan, the runs and the report."""
    dry_run: bool = False
    """Prints what would run and how long it would take, and creates nothing."""
    checkpoint_updates: Annotated[int, COUNT] = RunOptions.checkpoint_updates
    """Updates between checkpoints."""
    checkpoint_seconds: Annotated[float, POSITIVE] = RunOptions.checkpoint_seconds
    """A checkpoint is also made when the last one is older than this."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.frames is not None and self.minutes is not None:
            raise ValueError("frames and minutes are both given; choose one of them")
        check_place(self.on)
        if self.on != "here" and self.minutes is not None:
            raise ValueError("minutes are measured on this machine; give frames to run on Ray")
        self.configs()  # Refuses names that it does not know.

    @property
    def seed_range(self) -> range:
        """The seeds of each treatment."""
        return range(self.first_seed, self.first_seed + self.seeds)

    def options(self) -> RunOptions:
        """How each run is kept."""
        return RunOptions(
            checkpoint_updates=self.checkpoint_updates, checkpoint_seconds=self.checkpoint_seconds
        )

    def configs(self) -> dict[str, TrainConfig]:
        """The configuration of each treatment before the budget, in the order asked for.

        Raises:
            ValueError: A name or a setting is unknown (the message names the nearest), or there is
                no treatment.
        """
        words = self.treatments.split(",")
        changes = {} if self.settings is None else _read_settings(self.settings)
        chosen: dict[str, TrainConfig] = {}
        for name in (word.strip().replace("-", "_") for word in words if word.strip()):
            family = [key for key, each in TREATMENTS.items() if each.family == FAMILIES.get(name)]
            for member in family or [name]:
                own = {**changes.get("*", {}), **changes.get(member, {})}
                config = with_treatment(BASES[self.recipe](), member)
                chosen.setdefault(member, with_settings(config, own) if own else config)
        if not chosen:
            raise ValueError(f"treatments is empty; there are: {', '.join(TREATMENTS)}")
        return chosen


def check_place(on: str) -> None:
    """Refuses a wrong place for runs.

    Raises:
        ValueError: It is neither `here` nor Ray's.
    """
    if on != "here" and on.partition(":")[0] != "ray":
        raise ValueError(f"on is {on!r}; it must be here, ray or ray:ADDRESS")


def _read_settings(path: Path) -> dict[str, dict[str, Any]]:
    try:
        values = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ValueError(f"settings cannot be read from {path}: {error}") from error
    if not isinstance(values, dict) or not all(isinstance(each, dict) for each in values.values()):
        raise ValueError(f"settings in {path} must be a JSON object of objects, one per treatment")
    for name in values:
        if name not in ("*", *TREATMENTS):
            raise ValueError(f"settings in {path} are for {name!r}{nearest(name, TREATMENTS)}")
    return values

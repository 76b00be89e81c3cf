"""What one call of `lapis reproduce` asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from lapis.bounds import COUNT, POSITIVE, WHOLE, Checked
from lapis.recipes import techtree
from lapis.running.options import RunOptions
from lapis.train.config import TrainConfig, with_treatment
from lapis.treatments import TREATMENTS

__all__ = ["BASES", "Request"]

BASES: dict[str, Callable[[], TrainConfig]] = {"techtree": techtree}
"""The recipe of each world that all treatments start from."""

FAMILIES = {"paper": "paper", "rivals": "rival", "ablations": "ablation", "floors": "floor"}
"""Words that stand for a whole family."""


@dataclass(frozen=True, kw_only=True)
class Request(Checked):
    """Runs treatments with several seeds at equal budgets and reports on them.

    Stop it or kill it at any time: the same command goes on where it was.
    """

    world: Literal["techtree"] = "techtree"
    """Where to train."""
    seeds: Annotated[int, COUNT] = 3
    """Runs of each treatment."""
    first_seed: Annotated[int, WHOLE] = 0
    """Seed of the first of them."""
    frames: Annotated[int, COUNT] | None = None
    """Policy steps of one run; by default those of the folder's plan, or a budget for laptops."""
    minutes: Annotated[float, POSITIVE] | None = None
    """Budget of one run as time instead, turned into policy steps by the speed measured here."""
    treatments: str = "paper"
    """Names with commas between them; `paper`, `rivals`, `ablations` or `floors` stand for a whole
    family."""
    jobs: Annotated[int, COUNT] | None = None
    """Runs at a time; by default one per core, with CUDA four per GPU."""
    threads: Annotated[int, COUNT] | None = None
    """PyTorch threads of one run; by default one."""
    device: Literal["cpu", "cuda"] | None = None
    """Where to compute; by default on the CPU. With CUDA the runs are spread over all GPUs."""
    folder: Path = Path("runs/reproduce")
    """Folder of the plan, the runs and the report."""
    dry_run: bool = False
    """Prints what would be run and how long it would take, and creates nothing."""
    checkpoint_updates: Annotated[int, COUNT] = RunOptions.checkpoint_updates
    """Updates between checkpoints."""
    checkpoint_seconds: Annotated[float, POSITIVE] = RunOptions.checkpoint_seconds
    """A checkpoint is also made when the last one is older than this."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.frames is not None and self.minutes is not None:
            raise ValueError("frames and minutes are both given; choose one of them")
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
            ValueError: A name is unknown (the message names the nearest), or there is none.
        """
        words = self.treatments.split(",")
        chosen: dict[str, TrainConfig] = {}
        for name in (word.strip().replace("-", "_") for word in words if word.strip()):
            family = [key for key, each in TREATMENTS.items() if each.family == FAMILIES.get(name)]
            for member in family or [name]:
                chosen.setdefault(member, with_treatment(BASES[self.world](), member))
        if not chosen:
            raise ValueError(f"treatments is empty; there are: {', '.join(TREATMENTS)}")
        return chosen

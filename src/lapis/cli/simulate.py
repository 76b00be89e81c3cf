"""`lapis simulate`: compares curricula in a minute or two, without an agent."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import tyro

from lapis.simulate import run_simulation


@dataclasses.dataclass(frozen=True, kw_only=True)
class SimulateArguments:
    """Runs the simulated learner on the tech tree under three teachers and draws figures."""

    output: Path = Path("figures")
    """Folder for the figures."""
    seeds: int = 3
    """Runs of each teacher."""
    first_seed: int = 0
    """Seed of the first run."""
    updates: int = 50_000
    """Updates per run; the paper's runs have 50,000 (paper P23)."""


def main(arguments: list[str]) -> int:
    """Runs the simulation, prints its table and names the figures."""
    parsed = tyro.cli(SimulateArguments, args=arguments, prog="lapis simulate")
    seeds = range(parsed.first_seed, parsed.first_seed + parsed.seeds)
    run_simulation(parsed.output, seeds=seeds, update_count=parsed.updates)
    return 0

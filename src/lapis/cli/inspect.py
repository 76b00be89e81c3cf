"""`lapis inspect RUN`: how a policy spends its time."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import tyro

from lapis.cli import UsageError, check_known
from lapis.cli.checks import check_least, check_seed
from lapis.runs.durable import replace_durably
from lapis.runs.reading import reading

if TYPE_CHECKING:
    from lapis.inspect.recording import Setup
    from lapis.running.trained import TrainedPolicy

FUNNEL_GOALS = ("stone_pickaxe", "iron_ore", "iron_pickaxe", "diamond")
"""What is asked for first where nothing else is said."""
WORLDS = ("techtree", "voxel")


@dataclasses.dataclass(frozen=True, kw_only=True)
class InspectArguments:
    """Lets a policy play as in training, and shows how it spends its time.

    Shows how far it gets toward some goals from empty hands; its time by depth, tool and goal; how
    certain its moves are; how good its values are; how it uses the inventory and the goal; and what
    it wastes. docs/inspect.md explains each number. The worlds are not those of its training, but
    the rules are, including exploration bonus and inheritance.
    """

    run: tyro.conf.Positional[Path]
    """Folder of a run in the tech-tree or voxel world, or a file written by `lapis export`."""
    worlds: int = 48
    """Worlds that are played side by side."""
    steps: int = 1600
    """Policy steps in each world. With too few, no return is known well enough to fit."""
    seed: int = 0
    """Seed of the worlds and of the policy's choices."""
    goals: tuple[str, ...] = ()
    """Only these items are asked for. Default: first a few fixed ones; later tasks are drawn as at
    the end of the run, or from what an exported policy has learned."""
    given: str = "stone_pickaxe"
    """Item that is hypothetically given and taken away."""
    goal: str = "iron_ore"
    """Goal in these hypothetical cases."""
    instead: str = "log"
    """Goal that `--goal` is compared with."""
    device: str | None = None
    """Where to play: cpu, cuda or cuda:N. Default: where the run was trained, or the CPU if there
    is no GPU."""
    json: Path | None = None
    """Also writes all numbers to this file."""
    html: Path | None = None
    """Also writes the tables to this file, as a page."""


def main(arguments: list[str]) -> int:
    """Plays, prints the tables, and writes the files that were asked for."""
    parsed = tyro.cli(InspectArguments, args=arguments, prog="lapis inspect")
    check_seed(parsed.seed)
    check_least(parsed, "worlds", "steps")
    for path in (parsed.json, parsed.html):
        if path is not None and not path.parent.is_dir():
            raise UsageError(f"there is no folder {path.parent} for {path.name}")
        if path is not None and path.is_dir():
            raise UsageError(f"{path} is a folder; name a file")
    # Imported here: a wrong flag is answered before kernels are compiled.
    import torch
    from rich.console import Console
    from rich.progress import track

    from lapis.inspect.measure import inspect_policy
    from lapis.inspect.page import inspection_page
    from lapis.inspect.probe import Question
    from lapis.inspect.tables import headline, tables
    from lapis.inspect.terminal import print_tables
    from lapis.running.export import load_policy

    trained = load_policy(parsed.run, device=parsed.device)
    if trained.config.threads:
        torch.set_num_threads(trained.config.threads)
    setup = make_setup(parsed, trained)
    errors = Console(stderr=True)
    result = inspect_policy(
        trained,
        setup,
        Question(given=parsed.given, goal=parsed.goal, instead=parsed.instead),
        show=lambda steps: track(
            steps, "playing", console=errors, transient=True, disable=not errors.is_terminal
        ),
    )
    console = Console()
    console.print(headline(result), highlight=False)
    print_tables(console, tables(result))
    if parsed.json is not None:
        replace_durably(parsed.json, (json.dumps(result, indent=1) + "\n").encode())
        console.print(f"\nnumbers: {parsed.json}", highlight=False)
    if parsed.html is not None:
        replace_durably(parsed.html, inspection_page(result, name=str(parsed.run)).encode())
        console.print(f"\npage: {parsed.html}", highlight=False)
    return 0


def make_setup(parsed: InspectArguments, trained: TrainedPolicy) -> Setup:
    """What is played; refuses another kind of world, and goals and items that are not there."""
    from lapis.inspect.recording import Setup
    from lapis.minecraft.items import ITEMS

    if trained.config.world_name not in WORLDS:
        raise UsageError(
            f"{parsed.run} was trained in the world `{trained.config.world_name}`; inspect knows "
            f"{' and '.join(f'`{world}`' for world in WORLDS)}"
        )
    if trained.config.simonsays.pairs:
        raise UsageError(
            f"{parsed.run} was trained on pairs of goals; inspect supports only single goals"
        )
    goals = trained.config.simonsays.goals
    for goal in (*parsed.goals, parsed.goal, parsed.instead):
        check_known(goal, goals, "goal")
    check_known(parsed.given, ITEMS, "item")
    first = parsed.goals or tuple(goal for goal in FUNNEL_GOALS if goal in goals) or goals[:1]
    later_G, words = _later(parsed, trained)
    return Setup(
        goals=tuple(dict.fromkeys(first)),
        later_G=later_G,
        later=words,
        world_count=parsed.worlds,
        step_count=parsed.steps,
        seed=parsed.seed,
    )


def _later(parsed: InspectArguments, trained: TrainedPolicy) -> tuple[np.ndarray, str]:
    """How later tasks are drawn: the probability of each goal, and in words."""
    from lapis.running.export import is_exported
    from lapis.runs import RunFolder
    from lapis.terminal.progress import DISCOVERED_AT

    goals = trained.config.simonsays.goals
    if parsed.goals:
        chosen = np.array([goal in parsed.goals for goal in goals], float)
        return chosen / chosen.sum(), "the same"
    if not is_exported(parsed.run):
        with reading(parsed.run / "metrics.jsonl"):
            last = RunFolder.open(parsed.run).read_metrics()["probabilities"][-1].astype(float)
            if last.shape != (len(goals),) or not last.min() >= 0 or not 0 < last.sum() < np.inf:
                raise ValueError(f"its last probabilities are {last!r:.60}")
        return last / last.sum(), "drawn as in the run's last update"
    learned = np.array(trained.success.average) > DISCOVERED_AT
    if not learned.any():
        return np.full(len(goals), 1 / len(goals)), "all goals equally often"
    return learned / learned.sum(), f"the {learned.sum()} goals that it has learned, equally often"

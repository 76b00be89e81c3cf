"""`lapis evaluate RUN`: what a run's policy reaches, every goal alike, from empty inventories."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import tyro

from lapis.cli import UsageError
from lapis.runs import RunFolder
from lapis.train.config import TrainConfig, from_dict
from lapis.train.evaluation import evaluate
from lapis.train.loop import Trainer
from lapis.train.progress import DISCOVERED_AT, UNOBTAINABLE
from lapis.train.run import restore

MASTERED_AT = 0.5


@dataclasses.dataclass(frozen=True, kw_only=True)
class EvaluateArguments:
    """Plays every goal with the policy of a run's newest whole checkpoint.

    Each attempt has a world of its own with an empty inventory. Nothing is written; with the
    attempts of the run's configuration, the counts are those that the run itself would log.
    """

    run: tyro.conf.Positional[Path]
    """Folder of the run."""
    attempts: int | None = None
    """Attempts per goal; without it those of the run's configuration."""
    per_goal: bool = False
    """Also lists the successes of each goal."""


def main(arguments: list[str]) -> int:
    """Evaluates the run that the arguments name and prints a table."""
    parsed = tyro.cli(EvaluateArguments, args=arguments, prog="lapis evaluate")
    if parsed.attempts is not None and parsed.attempts < 1:
        raise UsageError(f"--attempts is {parsed.attempts}; it must be at least 1")
    goals, groups = RunFolder.open(parsed.run).read_goals()
    trainer = restore(
        parsed.run, load_config=lambda settings: from_dict(TrainConfig, settings), build=Trainer
    )
    counts = evaluate(trainer, attempts=parsed.attempts)
    successes, attempts = counts["successes"], counts["attempts"]
    print(f"{parsed.run} after update {counts['update']:,}, {attempts[0]} attempts per goal")
    print()
    print(group_table(successes / attempts, groups))
    if parsed.per_goal:
        width = max(map(len, goals))
        print()
        for goal, won, tried in zip(goals, successes, attempts, strict=True):
            print(f"{goal:{width}}  {won:>4} / {tried}")
    return 0


def group_table(share: np.ndarray, groups: tuple[str, ...]) -> str:
    """Goals over 5 % and over 50 %, per group and in all; goals that are impossible are left out.

    Args:
        share: Share of successes of each goal, shape (goal,).
        groups: The group of each goal, or nothing.
    """
    group = np.array(groups or ("all",) * len(share))
    names = [name for name in dict.fromkeys(group.tolist()) if name != UNOBTAINABLE]
    chosen = {name: group == name for name in names} | {"all": group != UNOBTAINABLE}
    width = max(5, *map(len, chosen))
    lines = [f"{'group':{width}}  goals  over 5 %  over 50 %"]
    for name, which in chosen.items():
        discovered, mastered = (
            np.count_nonzero(share[which] > threshold) for threshold in (DISCOVERED_AT, MASTERED_AT)
        )
        lines.append(f"{name:{width}}  {which.sum():>5}  {discovered:>8}  {mastered:>9}")
    return "\n".join(lines)

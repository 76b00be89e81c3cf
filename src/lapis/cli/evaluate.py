"""`lapis evaluate RUN`: what a policy reaches, every goal alike, from empty inventories."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import tyro

from lapis.cli import UsageError
from lapis.terminal.progress import DISCOVERED_AT, UNOBTAINABLE

if TYPE_CHECKING:
    from lapis.running.trained import Success

MASTERED_AT = 0.5


@dataclasses.dataclass(frozen=True, kw_only=True)
class EvaluateArguments:
    """Plays every goal with the policy of a run's newest whole checkpoint.

    Each attempt has a world of its own with an empty inventory. Nothing is written; with the
    attempts of the run's configuration, on its device, the counts are those that the run itself
    would log. A run on a GPU can be evaluated on a machine without one.
    """

    run: tyro.conf.Positional[Path]
    """Folder of the run, or a file of `lapis export`."""
    attempts: int | None = None
    """Attempts per goal; without it those of the run's configuration."""
    per_goal: bool = False
    """Also lists the successes of each goal."""
    device: str | None = None
    """Where to play: cpu, cuda or cuda:N; without it where the run was trained, or on the CPU
    where there is no GPU."""


def main(arguments: list[str]) -> int:
    """Evaluates the run that the arguments name and prints a table."""
    parsed = tyro.cli(EvaluateArguments, args=arguments, prog="lapis evaluate")
    if parsed.attempts is not None and parsed.attempts < 1:
        raise UsageError(f"--attempts is {parsed.attempts}; it must be at least 1")
    # Imported here: a wrong command line is answered before PyTorch is loaded.
    import torch

    from lapis.running.export import load_policy
    from lapis.train.evaluation import evaluate

    trained = load_policy(parsed.run, device=parsed.device)
    if trained.config.threads:
        torch.set_num_threads(trained.config.threads)
    counts = evaluate(trained, attempts=parsed.attempts)
    goals = trained.config.simonsays.goals
    successes, attempts = counts["successes"], counts["attempts"]
    place = trained.config.device
    print(
        f"{parsed.run} after update {counts['update']:,}, {attempts[0]} attempts per goal, "
        f"on {place}"
    )
    print()
    print(group_table(successes / attempts, trained.groups))
    print(f"\n{_mean_line('mean success here', successes, attempts)}")
    if trained.success.update is not None:
        print(_recorded(trained.success))
    if parsed.per_goal:
        width = max(map(len, goals))
        print()
        for goal, won, tried in zip(goals, successes, attempts, strict=True):
            print(f"{goal:{width}}  {won:>4} / {tried}")
    return 0


def _recorded(success: Success) -> str:
    name = f"recorded after update {success.update:,}"
    return _mean_line(name, np.array(success.successes), np.array(success.attempts))


def _mean_line(name: str, successes: np.ndarray, attempts: np.ndarray) -> str:
    """The share of all attempts that succeeded, with the standard error of what chance decides.

    Args:
        name: What it is.
        successes: Per goal.
        attempts: Per goal.
    """
    share = successes / attempts
    variance = (share * (1 - share) / attempts).sum() / len(share) ** 2
    return f"{name}: {share.mean():.3f} +- {variance**0.5:.3f}"


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

"""`lapis evaluate RUN`: which goals a policy reaches from empty inventories."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import tyro

from lapis.cli.checks import check_least
from lapis.cli.worlds import refusals_told, take_world
from lapis.runs.compact import DISCOVERED_AT, MASTERED_AT
from lapis.terminal.progress import UNOBTAINABLE


@dataclasses.dataclass(frozen=True, kw_only=True)
class EvaluateArguments:
    """Plays every goal with the policy of a run's newest complete checkpoint.

    Each attempt has its own world and an empty inventory. Nothing is written. With the run's own
    number of attempts and device, the counts are those that the run itself would log. A run from a
    GPU can be evaluated on a machine without one.

    `--world NAME`, with `--world.SETTING VALUE`, plays in another world with the same layout.
    """

    run: tyro.conf.Positional[Path]
    """Folder of the run, or a file written by `lapis export`."""
    attempts: int | None = None
    """Attempts per goal. Default: as in the run's configuration."""
    worlds: int | None = None
    """Worlds that are played side by side. Default: as in the run's configuration."""
    per_goal: bool = False
    """Also lists the successes of each goal."""
    device: str | None = None
    """Where to play: cpu, cuda or cuda:N. Default: where the run was trained, or the CPU if there
    is no GPU."""


def main(arguments: list[str]) -> int:
    """Evaluates the run that the arguments name and prints a table."""
    world, arguments = take_world(arguments, "lapis evaluate")
    parsed = tyro.cli(EvaluateArguments, args=arguments, prog="lapis evaluate")
    check_least(parsed, "attempts", "worlds")
    # Imported here: a wrong command line is answered before PyTorch is loaded.
    import torch

    from lapis.running.export import load_policy
    from lapis.running.trained import in_world
    from lapis.running.writers import pair_coverage
    from lapis.train.evaluation import evaluate

    trained = load_policy(parsed.run, device=parsed.device)
    if world is not None:
        trained = in_world(trained, world)
    if parsed.worlds is not None:
        config = dataclasses.replace(trained.config, evaluation_worlds=parsed.worlds)
        trained = dataclasses.replace(trained, config=config)
    if trained.config.threads:
        torch.set_num_threads(trained.config.threads)
    with refusals_told(world):
        counts = evaluate(trained, attempts=parsed.attempts)
    goals = trained.config.simonsays.goals
    successes, attempts = counts["successes"], counts["attempts"]
    head = f"{parsed.run} after update {counts['update']:,}, {attempts[0]} attempts per goal"
    where = "" if world is None else f" in the world `{trained.config.world_name}`"
    print(f"{head}{where}, on {trained.config.device}")
    print()
    print(group_table(successes / attempts, trained.groups))
    print(f"\nmean success here: {mean_success(successes, attempts, trained.groups)}")
    if "pairs" in counts:
        share, pair_count = pair_coverage(counts), len(counts["pairs"])
        print(f"pairs of goals over 5 %: {share:.1%} of the {pair_count} that were played")
    recorded = trained.success
    if recorded.update is not None:
        won, tried = np.array(recorded.successes), np.array(recorded.attempts)
        mean = mean_success(won, tried, trained.groups)
        print(f"recorded after update {recorded.update:,}: {mean}")
    if parsed.per_goal:
        width = max(map(len, goals))
        print()
        for goal, won, tried in zip(goals, successes, attempts, strict=True):
            print(f"{goal:{width}}  {won:>4} / {tried}")
    return 0


def mean_success(successes: np.ndarray, attempts: np.ndarray, groups: tuple[str, ...]) -> str:
    """Mean share of successes of the possible goals, with its standard error.

    All are by goal; `groups` may be empty.
    """
    possible = _group_of(groups, len(attempts)) != UNOBTAINABLE
    if not possible.any():
        return "none of the goals can be obtained"
    tried = attempts[possible]
    share = successes[possible] / tried
    error = np.sqrt((share * (1 - share) / tried).sum()) / len(share)
    return f"{share.mean():.3f} +- {error:.3f}, of the {len(share)} goals that can be obtained"


def group_table(share: np.ndarray, groups: tuple[str, ...]) -> str:
    """Goals over 5 % and over 50 %, per group and in all; goals that are impossible are left out.

    `share` has the successes of each goal; `groups` may be empty.
    """
    group = _group_of(groups, len(share))
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


def _group_of(groups: tuple[str, ...], goal_count: int) -> np.ndarray:
    return np.array(groups or ("all",) * goal_count)

"""Which runs belong together, and what to call them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from lapis.report.series import PAPER, Group, Run
from lapis.runs import RunError
from lapis.runs.metrics import flat_items
from lapis.treatments import TREATMENTS

__all__ = ["group_runs", "reference_group", "split_groups"]

SEPARATE = ("seed", "updates", "device", "threads")
"""Settings in which the runs of a group may differ."""


def group_runs(runs: Sequence[Run]) -> tuple[Group, ...]:
    """Groups runs that differ only by chance, the paper's treatments first.

    A group is named after the treatment in its configuration. Groups of the same treatment are
    told apart by the settings in which they differ.

    Raises:
        RunError: There is no run, one is given twice, or their goals differ.
    """
    if not runs:
        raise RunError("there is no run to report")
    for index, run in enumerate(runs):
        if run.path.resolve() in [other.path.resolve() for other in runs[:index]]:
            raise RunError(f"{run.path} is given twice")
        if run.goals != runs[0].goals:
            raise RunError(
                f"{run.path} and {runs[0].path} have different goals; report them separately"
            )
    families: dict[str, dict[str, list[Run]]] = {}
    for run in runs:
        groups = families.setdefault(_label(run.config), {})
        groups.setdefault(repr(sorted(_shared(run).items())), []).append(run)
    found = [group for label, each in families.items() for group in _groups(label, each.values())]
    paper_order = [*PAPER, None]  # Groups that follow none of the five come last.
    return tuple(sorted(found, key=lambda group: paper_order.index(group.treatment)))


def split_groups(groups: Sequence[Group]) -> tuple[list[Group], list[Group]]:
    """The treatments, which figures show, and the rivals and ablations of the second table.

    Without any of the paper's treatments all groups count as treatments.
    """
    treatments = [group for group in groups if group.treatment is not None]
    if not treatments:
        return list(groups), []
    return treatments, [group for group in groups if group.treatment is None]


def reference_group(groups: Sequence[Group]) -> Group:
    """The bidirectional group, or else the first: what others are compared with (paper P25)."""
    return next((group for group in groups if group.treatment is PAPER[-1]), groups[0])


def _label(config: Mapping[str, Any]) -> str:
    """The label of the run's treatment; otherwise its curriculum and bonus."""
    if config.get("treatment") in TREATMENTS:
        return TREATMENTS[config["treatment"]].label
    curriculum, game = config.get("curriculum", {}), config.get("simonsays", {})
    kind, bonus = curriculum.get("kind", "unknown"), game.get("bonus", "unknown")
    arrow = f" ({curriculum['direction']})" if "direction" in curriculum else ""
    weight = f" {game['bonus_coefficient']:g}" if game.get("bonus_coefficient") else ""
    return f"{kind.replace('_', ' ')}{arrow}, {bonus} bonus{weight}"


def _shared(run: Run) -> dict[str, Any]:
    """All settings that runs of a group have in common, by their dotted names."""
    return {name: value for name, value in flat_items(run.config) if name not in SEPARATE}


def _groups(label: str, family: Collection[Sequence[Run]]) -> Iterator[Group]:
    """The groups of one label, told apart by the settings that not all of them have."""
    settings = [_shared(members[0]) for members in family]
    names = dict.fromkeys(name for each in settings for name in each)
    differing = [name for name in names if len({repr(each.get(name)) for each in settings}) > 1]
    for members, own in zip(family, settings, strict=True):
        differences = [f"{key.rpartition('.')[2]} {_short(own.get(key))}" for key in differing]
        treatment = next((each for each in PAPER if each.label == label), None)
        known = TREATMENTS.get(members[0].config.get("treatment", ""))
        full = ", ".join([label, *differences])
        in_file = re.sub(r"[^a-z0-9.]+", "_", full.lower()).strip("_")
        yield Group(
            label=full,
            name=known.name if known and not differences else in_file,
            treatment=treatment,
            runs=tuple(members),
        )


def _short(value: object) -> str:
    """A setting in a label; a long list by its length."""
    return f"({len(value)} entries)" if isinstance(value, list) and len(value) > 3 else str(value)

"""Which runs belong together, and what to call them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lapis import treatments
from lapis.report.series import TREATMENTS, Group, Run
from lapis.runs import RunError
from lapis.treatments import CUSTOM, Treatment

__all__ = ["group_runs", "reference_group", "split_groups"]

SEPARATE = ("seed", "updates", "device", "threads")
"""Settings in which the runs of a group may differ."""


def group_runs(runs: Sequence[Run]) -> tuple[Group, ...]:
    """Runs with the same settings but for chance together, the paper's treatments first.

    A configuration names its treatment. Of several groups that follow the same one, that with the
    most usual settings is the treatment, and the others are ablations named by what they change;
    where none is more usual than another all are treatments, told apart by the settings in which
    they differ.

    Raises:
        RunError: There is no run, one is given twice, or their goals differ.
    """
    if not runs:
        raise RunError("there is no run to report")
    for index, run in enumerate(runs):
        if run.path.resolve() in [other.path.resolve() for other in runs[:index]]:
            raise RunError(f"{run.path} is given twice")
        if run.goals != runs[0].goals:
            raise RunError(f"{run.path} and {runs[0].path} have different goals; report them apart")
    together: dict[str, list[Run]] = {}
    for run in runs:
        together.setdefault(repr(sorted(_shared(run.config).items())), []).append(run)
    families: dict[str, list[list[Run]]] = {}
    for members in together.values():
        families.setdefault(_family_label(members[0].config), []).append(members)
    usual = _usual_settings([_shared(members[0].config) for members in together.values()])
    groups = [group for label, each in families.items() for group in _groups(label, each, usual)]
    paper_order = [*TREATMENTS, None]  # Groups that follow none of the five come last.
    return tuple(sorted(groups, key=lambda group: paper_order.index(group.treatment)))


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
    return next((group for group in groups if group.treatment is TREATMENTS[-1]), groups[0])


def _groups(
    label: str, family: Sequence[Sequence[Run]], usual: Mapping[str, str | None]
) -> Iterator[Group]:
    """The groups of one family: of the same treatment, or of the same name."""
    treatment = _treatment(family[0][0].config)
    settings = [_shared(members[0].config) for members in family]
    unusual = [
        sum(usual[key] not in (None, repr(value)) for key, value in each.items())
        for each in settings
    ]
    least = [index for index, count in enumerate(unusual) if count == min(unusual)]
    base = least[0] if treatment is not None and len(least) == 1 else None
    for index, members in enumerate(family):
        others = settings if base is None else [settings[base], settings[index]]
        own = ", ".join([label, *_differences(settings[index], others)])
        is_treatment = treatment is not None and base in (None, index)
        yield Group(
            label=own,
            name=treatment.name if treatment and own == treatment.label else _file_name(own),
            treatment=treatment if is_treatment else None,
            runs=tuple(members),
        )


def _usual_settings(settings: Sequence[Mapping[str, Any]]) -> dict[str, str | None]:
    """The value that more groups have than any other, per setting; None where two are equal."""
    usual: dict[str, str | None] = {}
    for key in {key for each in settings for key in each}:
        votes = Counter(repr(each.get(key)) for each in settings).most_common(2)
        is_tied = len(votes) == 2 and votes[0][1] == votes[1][1]
        usual[key] = None if is_tied else votes[0][0]
    return usual


def _treatment(config: Mapping[str, Any]) -> Treatment | None:
    return next((each for each in TREATMENTS if each.name == config.get("treatment")), None)


def _family_label(config: Mapping[str, Any]) -> str:
    name = config.get("treatment", CUSTOM)
    if name != CUSTOM:
        known = treatments.TREATMENTS.get(name)
        return name.replace("_", " ") if known is None else known.label
    curriculum, game = config.get("curriculum", {}), config.get("simonsays", {})
    kind, bonus = curriculum.get("kind", "unknown"), game.get("bonus", "unknown")
    arrow = f" ({curriculum['direction']})" if "direction" in curriculum else ""
    coefficient = float(game.get("bonus_coefficient", 0.0))
    weight = f" {coefficient:g}" if coefficient else ""
    return f"{kind.replace('_', ' ')}{arrow}, {bonus} bonus{weight}"


def _shared(config: Mapping[str, Any]) -> dict[str, Any]:
    """All settings that runs of a group have in common, by their dotted names."""
    return {name: value for name, value in _flat(config) if name not in SEPARATE}


def _flat(config: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in config.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _differences(own: Mapping[str, Any], settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The group's settings that not all of `settings` have."""
    names = list(dict.fromkeys(key for each in settings for key in each))
    return [
        f"{key.rpartition('.')[2]} {_short(own.get(key))}"
        for key in names
        if len({repr(each.get(key)) for each in settings}) > 1
    ]


def _short(value: object) -> str:
    """A setting in a label; a long list by its length."""
    return f"({len(value)} entries)" if isinstance(value, list) and len(value) > 3 else str(value)


def _file_name(label: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "_", label.lower()).strip("_")

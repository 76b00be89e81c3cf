"""Which configurations a reproduction trains: the paper's five, rivals and ablations."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Sequence

from lapis.recipes import techtree
from lapis.train.config import TrainConfig, with_treatment
from lapis.treatments import TREATMENTS

__all__ = ["BASES", "FAMILIES", "configs"]

BASES: dict[str, Callable[[], TrainConfig]] = {"techtree": techtree}
"""The recipe of each world that all treatments start from."""

FAMILIES = {"treatments": "paper", "rivals": "rival", "ablations": "ablation"}
"""Words that stand for all treatments of a family."""


def configs(world: str, names: Sequence[str]) -> dict[str, TrainConfig]:
    """The configuration of each treatment, in the order asked for.

    Args:
        world: One of `BASES`.
        names: Of `lapis.treatments.TREATMENTS` or `FAMILIES`; a dash stands for an
            underscore, and a name given twice counts once.

    Raises:
        ValueError: A name is unknown (the message names the nearest), or there is none.
    """
    _require_known("world", world, BASES)
    if not names:
        raise ValueError(f"treatments is empty; there are: {', '.join(TREATMENTS)}")
    chosen: dict[str, TrainConfig] = {}
    for name in (name.strip().replace("-", "_") for name in names):
        _require_known("treatment", name, [*FAMILIES, *TREATMENTS])
        for each in TREATMENTS.values():
            if name == each.name or FAMILIES.get(name) == each.family:
                chosen.setdefault(each.name, with_treatment(BASES[world](), each.name))
    return chosen


def _require_known(kind: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        close = difflib.get_close_matches(name, list(known), n=1)
        advice = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(known)}"
        raise ValueError(f"unknown {kind} {name!r}; {advice}")

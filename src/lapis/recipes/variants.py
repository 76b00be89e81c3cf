"""All that a run can be compared with: the paper's treatments, rivals and ablations.

from lapis.recipes.variants import VARIANTS, techtree_variant

config = techtree_variant("learnability")
config = VARIANTS["learnability"].apply(any_other_recipe())
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from lapis.recipes.techtree import techtree_bidirectional
from lapis.train import variants
from lapis.train.config import TREATMENTS, TrainConfig, with_treatment, with_variant

__all__ = ["VARIANTS", "Variant", "techtree_variant"]

Family = Literal["treatment", "rival", "ablation"]


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One row of a comparison."""

    name: str
    """Also the `treatment` of the configurations that it makes."""
    family: Family
    """One of the paper's five, another curriculum, or the paper's without one of its parts."""
    description: str
    """What it is, in a line."""
    apply: Callable[[TrainConfig], TrainConfig]
    """The same run under this variant; takes any run that is not a rival or ablation yet."""


def techtree_variant(name: str) -> TrainConfig:
    """The tech-tree recipe under the variant of this name."""
    if name not in VARIANTS:
        raise ValueError(f"name is {name!r}; it must be one of {', '.join(VARIANTS)}")
    return VARIANTS[name].apply(techtree_bidirectional())


_TREATMENT_DESCRIPTIONS = {
    "uniform": "all goals equally often, no bonus",
    "uniform_fixed": "all goals equally often, every goal item pays a little",
    "uniform_dynamic": "all goals equally often, goal items that are not mastered pay",
    "unidirectional": "goals that are improving, dynamic bonus",
    "bidirectional": "goals that are improving or being forgotten, dynamic bonus",
}

VARIANTS: dict[str, Variant] = {
    name: Variant(
        name=name,
        family="treatment",
        description=_TREATMENT_DESCRIPTIONS[name],
        apply=functools.partial(with_treatment, name=name),
    )
    for name in TREATMENTS
} | {
    name: Variant(
        name=name,
        family=change.family,
        description=change.description,
        apply=functools.partial(with_variant, name=name),
    )
    for name, change in variants.CHANGES.items()
}
"""By name: the paper's treatments (paper P23), then the rivals, then the ablations."""

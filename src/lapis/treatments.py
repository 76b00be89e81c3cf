"""What we compare: the paper's treatments, rivals and ablations of its curriculum.

This is one table without dependencies. `lapis.train.config.with_treatment` applies an entry to any
run, and reports take names, labels and order from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["CUSTOM", "TREATMENTS", "Family", "Treatment", "label_of"]

Family = Literal["paper", "rival", "ablation", "floor"]
CUSTOM = "custom"
"""The name of runs that follow no treatment."""

_DYNAMIC = {"simonsays.bonus": "dynamic", "simonsays.bonus_coefficient": 0.5}
_BOTH_WAYS = {**_DYNAMIC, "curriculum.direction": "both"}
_NO_FLOOR = {"curriculum.floor": 0.0}
_ALL_UPDATES = {"curriculum.averaging": "all_updates"}


@dataclass(frozen=True, kw_only=True)
class Treatment:
    """One row of a comparison."""

    name: str
    """On the command line, in config.json and in names of files."""
    family: Family
    """One of the paper's five, another curriculum, the paper's without one of its parts, or one
    without the floor."""
    description: str
    """What it is, in a line."""
    label: str
    """In figures and tables."""
    curriculum: str = "learning_progress"
    """Name of the teacher in `lapis.registry.TEACHERS`."""
    settings: Mapping[str, object]
    """All values that make it, by the dotted names of settings."""
    factors: Mapping[str, float] = field(default_factory=dict)
    """Numbers that multiply settings of the run it is applied to, by their dotted names."""
    paper_discovered: int | None = None
    """Goals that the paper's run discovered, of 107, after 50,000 updates (paper P23)."""


def label_of(config: Mapping[str, Any], given: str = CUSTOM) -> str:
    """The name of the treatment that a run follows, judging by its settings as in config.json.

    It is `given` if the settings agree with it, else the paper's treatment or the rival with which
    they agree, else 'custom'.
    """

    def has(name: str, wanted: object) -> bool:
        value: Any = config
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value == wanted

    def agrees(treatment: Treatment) -> bool:  # Factors cannot be checked.
        wanted = {"curriculum.kind": treatment.curriculum, **treatment.settings}
        return all(has(*each) for each in wanted.items())

    # Settings tell the paper's treatments apart, and curricula of other kinds.
    known = [
        each
        for each in TREATMENTS.values()
        if each.name == given or each.family == "paper" or each.curriculum != "learning_progress"
    ]
    known.sort(key=lambda each: each.name != given)
    return next((each.name for each in known if agrees(each)), CUSTOM)


def _treatment(
    name: str, description: str, family: Family = "ablation", **fields: Any
) -> Treatment:
    """An entry. Its label is its name unless it has one; `changes` join the usual settings."""
    usual = {
        "label": name.replace("_", " "),
        "settings": {**_BOTH_WAYS, **fields.pop("changes", {})},
    }
    return Treatment(name=name, family=family, description=description, **{**usual, **fields})


def _paper(name: str, discovered: int, description: str, **fields: Any) -> Treatment:
    return _treatment(name, description, "paper", paper_discovered=discovered, **fields)


def _rival(name: str, description: str) -> Treatment:
    return _treatment(name, description, "rival", curriculum=name, settings=_DYNAMIC)


def _without_floor(name: str, description: str, changes: Mapping[str, object]) -> Treatment:
    return _treatment(name, description, "floor", changes={**changes, **_NO_FLOOR})


def _time_scales(factor: float) -> dict[str, float]:
    return {"curriculum.time_scale": factor, "exploration.time_scale": factor}


_ALL = (
    _paper(
        "uniform",
        17,
        "all goals equally often, no bonus",
        curriculum="uniform",
        settings={"simonsays.bonus": "none", "simonsays.bonus_coefficient": 0.0},
    ),
    _paper(
        "uniform_fixed",
        43,
        "all goals equally often, every goal item pays a small bonus",
        label="uniform + fixed bonus",
        curriculum="uniform",
        settings={"simonsays.bonus": "fixed", "simonsays.bonus_coefficient": 0.05},
    ),
    _paper(
        "uniform_dynamic",
        70,
        "all goals equally often, goal items that are not mastered pay a bonus",
        label="uniform + dynamic bonus",
        curriculum="uniform",
        settings=_DYNAMIC,
    ),
    _paper(
        "unidirectional",
        79,
        "goals that are improving, dynamic bonus",
        changes={"curriculum.direction": "up"},
    ),
    _paper("bidirectional", 82, "goals that are improving or being forgotten, dynamic bonus"),
    _rival("success_band", "goals with a success between 0.1 and 0.9 (POET's criterion)"),
    _rival("learnability", "the tenth of the goals with the largest p (1 - p) (SFL)"),
    _rival("regression_slope", "the goal with the steepest line through its recent scores (TSCL)"),
    _rival(
        "rank_staleness", "goals ranked by prediction error, and goals not tried for long (PLR)"
    ),
    _rival("half_window", "goals by the difference between two halves of a window (SAGG-RIAC)"),
    _treatment(
        "noise_aware",
        "progress within one standard deviation of its sampling noise counts as zero",
        "rival",
        changes={"curriculum.noise_shrinkage": 1.0},
    ),
    _treatment(
        "no_reweighting",
        "progress of plain success probabilities (without paper P3)",
        changes={"curriculum.reweight_threshold": 0.5},
    ),
    _treatment(
        "no_saturation",
        "sampling in proportion to progress, no sigmoid (without paper P4)",
        changes={"curriculum.weighting": "proportional"},
    ),
    _treatment(
        "time_scale_short",
        "success averages four times as fast (paper P1)",
        factors=_time_scales(0.25),
    ),
    _treatment(
        "time_scale_long",
        "success averages four times as slow (paper P1)",
        factors=_time_scales(4.0),
    ),
    _treatment(
        "exploration_threshold_low",
        "goals pay a bonus up to a success of 0.03, not 0.1 (paper P8)",
        changes={"exploration.threshold": 0.03},
    ),
    _treatment(
        "exploration_threshold_high",
        "goals pay a bonus up to a success of 0.3, not 0.1 (paper P8)",
        changes={"exploration.threshold": 0.3},
    ),
    _treatment(
        "no_inheritance",
        "every episode starts with an empty inventory (without paper P12)",
        changes={"simonsays.inherit_probability": 0.0},
    ),
    _treatment(
        "hidden_exploration_set",
        "the policy does not see which goals pay a bonus (without part of paper P14)",
        changes={"policy.observe_exploration_set": False},
    ),
    _treatment(
        "no_floor",
        "no goals are drawn uniformly, as in the paper",
        changes=_NO_FLOOR,
    ),
    _treatment(
        "all_updates",
        "attempts weighted by their age in updates, so every goal has the stated time scale",
        "floor",
        changes=_ALL_UPDATES,
    ),
    _without_floor(
        "unidirectional_no_floor",
        "goals that are improving, none drawn uniformly, as in the paper",
        {"curriculum.direction": "up"},
    ),
    _without_floor(
        "noise_aware_no_floor",
        "as noise_aware, without the floor",
        {"curriculum.noise_shrinkage": 1.0},
    ),
    _without_floor("all_updates_no_floor", "as all_updates, without the floor", _ALL_UPDATES),
    _without_floor(
        "optimism_no_floor",
        "as all_updates_no_floor, and goals that were not tried lately count as more promising",
        {**_ALL_UPDATES, "curriculum.optimism": 1.0},
    ),
    _without_floor(
        "more_optimism_no_floor",
        "as optimism_no_floor, three times as optimistic",
        {**_ALL_UPDATES, "curriculum.optimism": 3.0},
    ),
)
TREATMENTS: dict[str, Treatment] = {each.name: each for each in _ALL}
"""By name: the paper's five from fewest to most goals discovered there (paper P23), then the
rivals, the ablations, and what could replace the floor. Figures color them in this order."""

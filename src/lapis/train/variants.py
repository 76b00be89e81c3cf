"""Rivals and ablations of the paper's curriculum: each changes a few settings of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Family = Literal["rival", "ablation"]
VariantName = Literal[
    "success_band",
    "learnability",
    "regression_slope",
    "rank_staleness",
    "half_window",
    "noise_aware",
    "no_reweighting",
    "no_saturation",
    "time_scale_short",
    "time_scale_long",
    "exploration_threshold_low",
    "exploration_threshold_high",
    "no_inheritance",
    "hidden_exploration_set",
    "no_floor",
]


@dataclass(frozen=True, kw_only=True)
class Change:
    """How a variant differs from the same run under the bidirectional treatment."""

    family: Family
    """Another curriculum, or the paper's without one of its parts."""
    description: str
    """What is different, in a line."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """New values by the dotted names of settings."""
    factors: Mapping[str, float] = field(default_factory=dict)
    """Numbers that multiply settings, by their dotted names."""


CHANGES: dict[str, Change] = {
    "success_band": Change(
        family="rival",
        description="goals with a success between 0.1 and 0.9 (POET's criterion)",
        settings={"curriculum.kind": "success_band"},
    ),
    "learnability": Change(
        family="rival",
        description="the tenth of the goals with the greatest p (1 - p) (SFL)",
        settings={"curriculum.kind": "learnability"},
    ),
    "regression_slope": Change(
        family="rival",
        description="the goal with the steepest line through its recent scores (TSCL)",
        settings={"curriculum.kind": "regression_slope"},
    ),
    "rank_staleness": Change(
        family="rival",
        description="goals by the rank of their prediction error, and stale ones (PLR)",
        settings={"curriculum.kind": "rank_staleness"},
    ),
    "half_window": Change(
        family="rival",
        description="goals by the difference between two halves of a window (SAGG-RIAC)",
        settings={"curriculum.kind": "half_window"},
    ),
    "noise_aware": Change(
        family="rival",
        description="progress within one standard deviation of its sampling noise counts as zero",
        settings={"curriculum.noise_shrinkage": 1.0},
    ),
    "no_reweighting": Change(
        family="ablation",
        description="progress of plain success probabilities (without paper P3)",
        settings={"curriculum.reweight_threshold": 0.5},
    ),
    "no_saturation": Change(
        family="ablation",
        description="sampling in proportion to progress, no sigmoid (without paper P4)",
        settings={"curriculum.weighting": "proportional"},
    ),
    "time_scale_short": Change(
        family="ablation",
        description="success averages four times as fast (paper P1)",
        factors={"curriculum.time_scale": 0.25},
    ),
    "time_scale_long": Change(
        family="ablation",
        description="success averages four times as slow (paper P1)",
        factors={"curriculum.time_scale": 4.0},
    ),
    "exploration_threshold_low": Change(
        family="ablation",
        description="goals pay a bonus up to a success of 0.03, not 0.1 (paper P8)",
        settings={"curriculum.exploration_threshold": 0.03},
    ),
    "exploration_threshold_high": Change(
        family="ablation",
        description="goals pay a bonus up to a success of 0.3, not 0.1 (paper P8)",
        settings={"curriculum.exploration_threshold": 0.3},
    ),
    "no_inheritance": Change(
        family="ablation",
        description="every episode starts with an empty inventory (without paper P12)",
        settings={"simonsays.inherit_probability": 0.0},
    ),
    "hidden_exploration_set": Change(
        family="ablation",
        description="the policy does not see which goals pay a bonus (without part of paper P14)",
        settings={"policy.observe_exploration_set": False},
    ),
    "no_floor": Change(
        family="ablation",
        description="no goals are drawn uniformly, as in the paper",
        settings={"curriculum.floor": 0.0},
    ),
}
"""By `VariantName`, in the order in which they are listed."""

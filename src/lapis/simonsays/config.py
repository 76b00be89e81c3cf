"""The settings of Simon Says; the defaults are the paper's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from lapis.minecraft.goals import IMPOSSIBLE

BonusKind = Literal["none", "fixed", "dynamic"]

_TICKS_MAX = 2**30  # clocks are int32 and run past their limit by one step at most


@dataclass(frozen=True, kw_only=True)
class SimonSaysConfig:
    """What is asked for, how long it may take, and what pays besides the goal."""

    goals: tuple[str, ...]
    """Items that can be asked for, each a column of the world's inventory (paper P9)."""

    task_ticks: int = 6000
    """Time to obtain the goal [ticks of 50 ms]: 5 minutes, 1500 steps of 4 ticks (paper P10)."""

    episode_ticks: int = 36000
    """Longest episode [ticks of 50 ms]: 30 minutes, 9000 steps of 4 ticks (paper P11)."""

    failures_to_end: int = 2
    """Failed tasks in a row that end the episode (paper P11)."""

    inherit_probability: float = 0.5
    """Chance that an episode starts with the inventory the last one ended with (paper P12)."""

    bonus: BonusKind = "dynamic"
    """Which items pay besides the goal: none, all `bonus_goals` ("fixed", paper P7), or those of
    them that are in the exploration set ("dynamic", paper P8)."""

    bonus_coefficient: float = 0.5
    """Weight of the bonus in the reward: 0.5 with the dynamic bonus (paper P8), 0.05 with the
    fixed one (paper P7)."""

    bonus_decay: float = 0.5
    """The N-th unit of an item pays `bonus_decay ** N`, N = 1, 2, ... (paper P7)."""

    bonus_goals: tuple[str, ...] | None = None
    """The goals that can pay a bonus (paper P7); None stands for all of `goals` but those that
    nobody can obtain in Minecraft (`lapis.minecraft.goals.IMPOSSIBLE`)."""

    def __post_init__(self) -> None:
        _check_names("goals", self.goals)
        if self.bonus_goals is not None:
            _check_names("bonus_goals", self.bonus_goals)
            unknown = sorted(set(self.bonus_goals) - set(self.goals))
            if unknown:
                raise ValueError(f"bonus_goals must be among goals; these are not: {unknown}")
        for name in ("task_ticks", "episode_ticks", "failures_to_end"):
            value = getattr(self, name)
            if not 1 <= value <= _TICKS_MAX:
                raise ValueError(f"{name} must be between 1 and {_TICKS_MAX}, not {value}")
        if not 0.0 <= self.inherit_probability <= 1.0:
            raise ValueError(
                f"inherit_probability must be between 0 and 1, not {self.inherit_probability}"
            )
        if self.bonus not in get_args(BonusKind):
            raise ValueError(f"bonus must be one of {get_args(BonusKind)}, not {self.bonus!r}")
        if not (math.isfinite(self.bonus_coefficient) and self.bonus_coefficient >= 0.0):
            raise ValueError(
                f"bonus_coefficient must be finite and not negative, not {self.bonus_coefficient}"
            )
        if not 0.0 < self.bonus_decay < 1.0:
            raise ValueError(f"bonus_decay must be above 0 and below 1, not {self.bonus_decay}")

    @property
    def paying_goals(self) -> frozenset[str]:
        """The goals that can pay a bonus at all; empty without a bonus."""
        if self.bonus == "none":
            return frozenset()
        if self.bonus_goals is not None:
            return frozenset(self.bonus_goals)
        return frozenset(self.goals) - frozenset(IMPOSSIBLE)


def _check_names(argument: str, names: tuple[str, ...]) -> None:
    if isinstance(names, str) or not names:
        raise ValueError(f"{argument} must be a tuple of at least one item name, not {names!r}")
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"{argument} must not repeat a name; these are repeated: {repeated}")

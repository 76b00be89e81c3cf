"""The settings of Simon Says; the defaults are the paper's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from lapis.bounds import FRACTION, SHARE, Bound, Checked, shown
from lapis.minecraft.goals import IMPOSSIBLE

BonusKind = Literal["none", "fixed", "dynamic"]

TICKS = Bound(least=1, most=2**30, whole=True)
"""Clocks are int32 and run past their limit by one step at most."""


@dataclass(frozen=True, kw_only=True)
class SimonSaysConfig(Checked):
    """What a task asks for, how long it may take, and what pays in addition to the goal."""

    goals: tuple[str, ...]
    """Items that can be asked for, each a column of the world's inventory (paper P9)."""

    pairs: bool = False
    """Whether every pair of goals is a task too, in which both must be reached, in addition to each
    single goal."""

    task_ticks: Annotated[int, TICKS] = 6000
    """Time to obtain the goal [ticks of 50 ms]: 5 minutes, 1500 steps of 4 ticks (paper P10)."""

    episode_ticks: Annotated[int, TICKS] = 36000
    """Longest episode [ticks of 50 ms]: 30 minutes, 9000 steps of 4 ticks (paper P11)."""

    failures_to_end: Annotated[int, TICKS] = 2
    """Failed tasks in a row that end the episode (paper P11)."""

    inherit_probability: Annotated[float, SHARE] = 0.5
    """Chance that an episode starts with the inventory the last one ended with (paper P12)."""

    bonus: BonusKind = "dynamic"
    """Which items pay in addition to the goal: none, all `bonus_goals` ("fixed", paper P7), or
    those of them that are in the exploration set ("dynamic", paper P8)."""

    bonus_coefficient: Annotated[float, Bound(least=0, most=1e6)] = 0.5
    """Weight of the bonus in the reward: 0.5 with the dynamic bonus (paper P8), 0.05 with the
    fixed one (paper P7)."""

    bonus_decay: Annotated[float, FRACTION] = 0.5
    """The N-th unit of an item pays `bonus_decay ** N`, N = 1, 2, ... (paper P7)."""

    bonus_goals: tuple[str, ...] | None = None
    """The goals that can pay a bonus (paper P7); None: all of `goals` except those that are
    impossible in Minecraft (`lapis.minecraft.goals.IMPOSSIBLE`)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_names("goals", self.goals)
        if self.bonus_goals is not None:
            _check_names("bonus_goals", self.bonus_goals)
            unknown = sorted(set(self.bonus_goals) - set(self.goals))
            if unknown:
                raise ValueError(f"bonus_goals must be among goals; these are not: {unknown}")

    @property
    def paying_goals(self) -> frozenset[str]:
        """The goals that can pay a bonus at all; empty without a bonus."""
        if self.bonus == "none":
            return frozenset()
        if self.bonus_goals is not None:
            return frozenset(self.bonus_goals)
        return frozenset(self.goals) - frozenset(IMPOSSIBLE)


def _check_names(argument: str, names: tuple[str, ...]) -> None:
    is_tuple = isinstance(names, tuple) and len(names) > 0
    if not is_tuple or not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"{argument} must be a tuple of at least one item name, not {shown(names)}"
        )
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"{argument} must not repeat a name; these are repeated: {repeated}")

"""What a setting may be, stated once, next to it: `floor: Annotated[float, SHARE] = 0.0`.

A dataclass that inherits from `Checked` refuses all that its annotations do not allow. Functions
call `check` with the same bounds.
"""

from __future__ import annotations

import functools
import math
import numbers
import operator
import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

__all__ = [
    "COUNT",
    "FRACTION",
    "NOT_NEGATIVE",
    "POSITIVE",
    "SEED",
    "SHARE",
    "WHOLE",
    "Bound",
    "Checked",
    "check",
    "check_choice",
    "require",
]


@dataclass(frozen=True, kw_only=True)
class Bound:
    """A finite number within limits."""

    least: float = -math.inf
    most: float = math.inf
    above: float = -math.inf
    below: float = math.inf
    whole: bool = False
    """Whether it must be a whole number."""
    multiple_of: int = 1

    def allows(self, number: float) -> bool:
        """Whether a number, which is not infinite, is within the limits."""
        return (
            self.least <= number <= self.most
            and self.above < number < self.below
            and (self.multiple_of == 1 or number % self.multiple_of == 0)
        )

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a finite number"
        if self.multiple_of > 1:
            kind = f"a multiple of {self.multiple_of}"
        limits = [
            f"{word} {limit:g}" if abs(limit) < 1e6 else f"{word} {limit}"
            for word, limit in (
                ("of at least", self.least),
                ("above", self.above),
                ("at most" if math.isfinite(self.least) else "of at most", self.most),
                ("below", self.below),
            )
            if math.isfinite(limit)
        ]
        return " ".join([kind, " and ".join(limits)]).strip()


COUNT = Bound(least=1, whole=True)
WHOLE = Bound(least=0, whole=True)
SHARE = Bound(least=0, most=1)
FRACTION = Bound(above=0, below=1)
POSITIVE = Bound(above=0)
NOT_NEGATIVE = Bound(least=0)
SEED = Bound(least=0, below=2**31, whole=True)


def check(name: str, value: Any, bound: Bound) -> Any:
    """`value` as an int or a float; scalars of NumPy, PyTorch and JAX count as numbers.

    Raises:
        ValueError: It is no number, or out of bounds. The message says what is allowed.
    """
    number = _whole(value) if bound.whole else _real(value)
    if number is None or not bound.allows(number):
        raise ValueError(f"{name} is {value!r}; it must be {bound}")
    return number


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> Any:
    """One of the choices."""
    if not isinstance(value, str) or value not in choices:
        require(False, name, value, f"one of {', '.join(map(repr, choices))}")
    return value


def require(holds: bool, name: str, value: object, allowed: str) -> None:
    """Raises a ValueError that names a setting, its value and what is allowed."""
    if not holds:
        raise ValueError(f"{name} is {value!r}; it must be {allowed}")


class Checked:
    """A dataclass whose annotations hold: bounds, and the choices of a `Literal`."""

    def __post_init__(self) -> None:
        for name, rule, is_optional in _rules(type(self)):
            value = getattr(self, name)
            if value is None and is_optional:
                continue
            if not isinstance(rule, Bound):
                check_choice(name, value, rule)
                continue
            # A bound on a list or a schedule holds for each number of it.
            parts = value if isinstance(value, tuple) else getattr(value, "numbers", (value,))
            require(len(parts) > 0, name, value, "at least one number")
            for part in parts:
                check(name, part, rule)


@functools.cache
def _rules(kind: type) -> tuple[tuple[str, Bound | tuple[str, ...], bool], ...]:
    """The bound, or the choices, of each field that has some, and whether it may be None."""
    return tuple(
        (name, rule, type(None) in get_args(hint))
        for name, hint in get_type_hints(kind, include_extras=True).items()
        for rule in _rules_of(hint)
    )


def _rules_of(hint: Any) -> list[Bound | tuple[str, ...]]:
    if get_origin(hint) is Literal:
        return [get_args(hint)]
    if get_origin(hint) is Annotated:
        return [each for each in get_args(hint)[1:] if isinstance(each, Bound)]
    if get_origin(hint) in (Union, types.UnionType):  # A setting that may be None.
        return [rule for option in get_args(hint) for rule in _rules_of(option)]
    return []


def _whole(value: Any) -> int | None:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        return operator.index(value)
    except TypeError:  # Arrays have __index__, but not all of them are whole scalars.
        return None


def _real(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    return float(value) if math.isfinite(value) else None

"""The allowed values of a setting, stated once, next to it: `floor: Annotated[float, SHARE] = 0.0`.

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
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

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
    "check_flag",
    "require",
    "shown",
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
        """Whether a finite number is within the limits."""
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
        ValueError: It is not a number, or out of bounds. The message says what is allowed.
    """
    number = _whole(value) if bound.whole else _real(value)
    if number is None or not bound.allows(number):
        raise ValueError(f"{name} is {shown(value)}; it must be {bound}")
    return number


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> Any:
    """One of the choices."""
    if not isinstance(value, str) or value not in choices:
        require(False, name, value, f"one of {', '.join(map(repr, choices))}")
    return value


def check_flag(name: str, value: Any) -> bool:
    """True or False."""
    require(isinstance(value, bool), name, value, "True or False")
    return value


def require(holds: bool, name: str, value: object, allowed: str) -> None:
    """Raises a ValueError that names a setting, its value and what is allowed."""
    if not holds:
        raise ValueError(f"{name} is {shown(value)}; it must be {allowed}")


def shown(value: object) -> str:
    """A value as messages show it: on one line."""
    if isinstance(value, int) and abs(value) > 10**30:
        return f"about {'-' * (value < 0)}10^{math.log10(abs(value)):.0f}"
    text = " ".join(line.strip() for line in repr(value).splitlines())
    return text if len(text) <= 200 else f"{text[:200]}..."


class Checked:
    """A dataclass whose annotations hold: bounds, the choices of a `Literal`, and `bool`."""

    def __post_init__(self) -> None:
        for rule in _rules(type(self)):
            value = getattr(self, rule.name)
            if value is None and rule.is_optional:
                continue
            if rule.allowed is bool:
                check_flag(rule.name, value)
            elif not isinstance(rule.allowed, Bound):
                check_choice(rule.name, value, rule.allowed)
            else:
                _check_all(rule, rule.allowed, value)


class _Rule(NamedTuple):
    """The values that a field may have."""

    name: str
    allowed: Any
    """A bound, the choices, or `bool`."""
    is_optional: bool
    """Whether it may be None."""
    is_list: bool
    """Whether it is a tuple."""


def _check_all(rule: _Rule, bound: Bound, value: Any) -> None:
    """Checks a value; a bound on a list or a schedule applies to each of its numbers."""
    if rule.is_list:
        is_full = isinstance(value, tuple) and len(value) > 0
        require(is_full, rule.name, value, "at least one number, in a tuple")
    for part in value if rule.is_list else getattr(value, "numbers", (value,)):
        check(rule.name, part, bound)


@functools.cache
def _rules(kind: type) -> tuple[_Rule, ...]:
    """The rules of all fields that have one."""
    return tuple(
        _Rule(name, allowed, type(None) in get_args(hint), is_list)
        for name, hint in get_type_hints(kind, include_extras=True).items()
        for allowed, is_list in _allowed(hint)
    )


def _allowed(hint: Any) -> list[tuple[Any, bool]]:
    """What a hint allows, and whether that holds for each number of a list."""
    if hint is bool:
        return [(bool, False)]
    if get_origin(hint) is Literal:
        return [(get_args(hint), False)]
    if get_origin(hint) is Annotated:
        is_list = get_origin(get_args(hint)[0]) is tuple
        return [(each, is_list) for each in get_args(hint)[1:] if isinstance(each, Bound)]
    if get_origin(hint) in (Union, types.UnionType):  # A setting that may be None.
        return [rule for option in get_args(hint) for rule in _allowed(option)]
    return []


def _whole(value: Any) -> int | None:
    # A masked number is none.
    if isinstance(value, bool) or not hasattr(value, "__index__") or hasattr(value, "mask"):
        return None
    try:
        return operator.index(value)
    except TypeError:  # Arrays have __index__, but not all of them are whole scalars.
        return None


def _real(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # Of whole numbers: Python's have no limit.
        return None

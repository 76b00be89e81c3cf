"""Bounds: what they allow, and how they say so."""

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import pytest

from lapis.agent.schedule import Schedule
from lapis.bounds import (
    COUNT,
    FRACTION,
    NOT_NEGATIVE,
    POSITIVE,
    SHARE,
    WHOLE,
    Bound,
    Checked,
    check,
)

INFINITY, NAN = math.inf, math.nan


@pytest.mark.parametrize(
    ("bound", "good", "bad"),
    [
        (
            COUNT,
            [1, 7, np.int64(3)],
            [0, -1, 1.0, True, "1", None, NAN, np.array([1, 2]), np.ma.masked_array(1, True)],
        ),
        (WHOLE, [0, 5], [-1, 0.5, False]),
        (SHARE, [0, 1, 0.5, np.float32(0.5)], [-0.1, 1.1, NAN, True, "0.5", [0.5], 10**400]),
        (FRACTION, [0.5, 1e-9], [0, 1, -1, INFINITY]),
        (POSITIVE, [1e-9, 3], [0, -1, INFINITY, NAN]),
        (NOT_NEGATIVE, [0, 3.5], [-1e-9, INFINITY]),
        (Bound(least=80, most=252, multiple_of=4, whole=True), [80, 96, 252], [76, 81, 256, 96.0]),
    ],
)
def test_numbers_within_are_allowed_and_others_refused(bound, good, bad):
    for value in good:
        assert check("x", value, bound) == value
        assert type(check("x", value, bound)) is (int if bound.whole else float)
    for value in bad:
        with pytest.raises(ValueError, match=r"^x is .*; it must be "):
            check("x", value, bound)


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        (COUNT, "a whole number of at least 1"),
        (SHARE, "a finite number of at least 0 and at most 1"),
        (FRACTION, "a finite number above 0 and below 1"),
        (Bound(least=80, multiple_of=4, whole=True), "a multiple of 4 of at least 80"),
        (Bound(most=3), "a finite number of at most 3"),
    ],
)
def test_a_bound_says_what_it_allows(bound, text):
    assert str(bound) == text


@dataclass(frozen=True, kw_only=True)
class Settings(Checked):
    share: Annotated[float, SHARE] = 0.5
    sizes: Annotated[tuple[int, ...], COUNT] = (1, 2)
    rate: Annotated[Schedule, POSITIVE] = Schedule(1.0)
    top: Annotated[int, COUNT] | None = None
    way: Literal["both", "up"] = "both"
    free: float = -3.0
    is_on: bool = False


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"share": 2}, "share is 2; it must be a finite number of at least 0 and at most 1"),
        ({"sizes": (1, 0)}, "sizes is 0; it must be a whole number of at least 1"),
        ({"sizes": ()}, r"sizes is \(\); it must be at least one number"),
        ({"rate": Schedule(1.0, 0.0, 5)}, "rate is 0.0; it must be a finite number above 0"),
        ({"top": 0}, "top is 0"),
        ({"share": None}, "share is None; it must be"),
        ({"share": 10**400}, r"share is about 10\^400; it must be a finite number"),
        ({"share": (0.5, 0.5)}, r"share is \(0.5, 0.5\); it must be a finite number"),
        ({"sizes": [1, 2]}, r"sizes is \[1, 2\]; it must be at least one number, in a tuple"),
        ({"is_on": "no"}, "is_on is 'no'; it must be True or False"),
        ({"way": None}, "way is None; it must be one of"),
        ({"way": "down"}, "way is 'down'; it must be one of 'both', 'up'"),
    ],
)
def test_a_checked_dataclass_refuses_what_its_annotations_do_not_allow(changes, message):
    assert Settings(top=3).top == 3
    with pytest.raises(ValueError, match=message):
        Settings(**changes)

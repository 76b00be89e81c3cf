"""Arrays that callers give: what is read, and what is refused by name."""

import numpy as np
import pytest

from lapis.arrays import FINITE, as_array, check_numbers, check_per_task
from lapis.bounds import SHARE

MASKED = np.ma.masked_array([0.1, 0.2], [False, True])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (MASKED, "x is a masked array; fill in the masked values"),
        (np.ma.masked, "x is a masked array"),
        ([MASKED, MASKED], "x is a masked array"),
        ([np.ma.masked_array(1, True), 0], "x is a masked array"),
        ([1j, 0], "x must hold real numbers, not complex128 as 1j"),
        (["a"], "x must hold real numbers, not <U1 as 'a'"),
        (None, "x must hold real numbers, not object as None"),
        ([10**400], r"x must hold real numbers, not object as about 10\^400"),
        ([10**5000], r"x must hold real numbers, not object as about 10\^5000"),
        (np.zeros((1,) * 17), "x has 17 axes; it must have 16 or fewer"),
        ([[1, 2], [3]], "x cannot be read as a NumPy array"),
    ],
)
def test_what_holds_no_real_numbers_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        as_array("x", values)


def test_numbers_keep_their_type_until_they_are_checked():
    assert as_array("x", [1, 2]).dtype == np.int64
    assert check_numbers("x", [1, 0], SHARE).dtype == np.float64
    given = np.array([0.25, 0.5])
    assert check_numbers("x", given, SHARE) is given


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1.5, -0.5])
def test_a_number_out_of_bounds_is_named_with_its_place(bad):
    with pytest.raises(ValueError, match=rf"x\[1, 0\] is {bad}; it must be a finite number of at"):
        check_numbers("x", [[0.5, 0.5], [bad, 0.5]], SHARE)
    with pytest.raises(ValueError, match=rf"^x is {bad}; it must be"):
        check_numbers("x", bad, SHARE)


@pytest.mark.parametrize("values", [[], 0.5, [[0.5]]])
def test_numbers_per_task_have_one_axis(values):
    with pytest.raises(ValueError, match=r"x must have shape \(task,\), not"):
        check_per_task("x", values, FINITE)

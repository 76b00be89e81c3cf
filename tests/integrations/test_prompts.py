"""Rows of a data set by their task."""

import numpy as np
import pytest

from lapis.integrations.prompts import PromptGroups


def test_numbers_are_tasks():
    groups = PromptGroups([1, 0, 1, np.int64(2)], 3)
    assert groups.names == (0, 1, 2)
    rng = np.random.default_rng(0)
    assert {groups.draw(1, rng) for _ in range(50)} == {0, 2}
    assert groups.draw(2, rng) == 3


def test_names_are_numbered_in_their_sorted_order():
    groups = PromptGroups(["web", "books", "code", "web"], 3)
    assert groups.names == ("books", "code", "web")
    assert groups.number("web") == 2
    rng = np.random.default_rng(0)
    assert {groups.draw(2, rng) for _ in range(50)} == {0, 3}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["a", "b"], "2 tasks, but the curriculum 3"),
        ([0, 1, 3], "task is 3; it must be one of"),
        ([0, 1, 1], "no row of task 2"),
        ([0, -1, 2], "task is -1"),
    ],
)
def test_rows_that_do_not_fit_the_curriculum_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        PromptGroups(values, 3)

"""Sampling For Learnability, by hand."""

import numpy as np
import pytest

from lapis.curriculum import Learnability, learnability, top_probabilities


def test_learnability_is_p_times_one_minus_p():
    np.testing.assert_array_equal(learnability([0.0, 0.25, 0.5, 1.0]), [0.0, 0.1875, 0.25, 0.0])


def test_top_is_uniform_over_the_greatest_scores():
    np.testing.assert_array_equal(top_probabilities([3.0, 1.0, 2.0, 0.0], 2), [0.5, 0, 0.5, 0])


def test_tasks_that_tie_for_the_last_places_share_them():
    # The first task is in; three tie for the other two places, 2/3 of a place each.
    top = top_probabilities([5.0, 1.0, 1.0, 1.0, 0.0], 3)
    np.testing.assert_allclose(top, [1 / 3, 2 / 9, 2 / 9, 2 / 9, 0.0], rtol=1e-15)


def test_floor_is_the_share_drawn_from_all_tasks():
    rival = Learnability(4, top_count=1, time_scale=1.0, floor=0.5)
    rival.update([1, 2, 0, 3], [2, 3, 1, 3])  # p (1 - p) = 1/4, 2/9, 0, 0
    np.testing.assert_allclose(rival.probabilities(), [0.625, 0.125, 0.125, 0.125], rtol=1e-15)


def test_solved_and_unsolved_tasks_are_alike():
    rival = Learnability(3, top_count=2, time_scale=1.0, floor=0.0)
    rival.update([1, 0, 1], [1, 1, 2])
    np.testing.assert_array_equal(rival.probabilities(), [0.25, 0.25, 0.5])


def test_default_top_is_a_tenth_of_the_tasks_and_at_least_one():
    assert Learnability(107).top_count == 10
    assert Learnability(3).top_count == 1


@pytest.mark.parametrize("top_count", [0, 4, 1.5, True])
def test_top_count_must_be_a_number_of_tasks(top_count: int):
    with pytest.raises(ValueError, match="top_count"):
        Learnability(3, top_count=top_count)


@pytest.mark.parametrize(("option", "value"), [("time_scale", 0.0), ("floor", -0.1)])
def test_bad_options_are_named(option: str, value: float):
    with pytest.raises(ValueError, match=option):
        Learnability(3, **{option: value})

"""The averages, the reweighting and the progress, with numbers worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapis.curriculum import (
    LearningProgress,
    beyond_random,
    learning_progress,
    reweight,
    reweight_slope,
    sampling_weights,
)


@pytest.mark.parametrize(
    ("success", "expected"),
    [
        (0.0, 0.0),
        (0.1, 0.5),  # 0.09 / (0.1 + 0.08)
        (0.2, 9 / 13),  # 0.18 / (0.2 + 0.06)
        (0.05, 9 / 28),  # 0.045 / (0.05 + 0.09)
        (0.5, 0.9),  # 0.45 / (0.5 + 0)
        (1.0, 1.0),  # 0.9 / (1 - 0.1)
    ],
)
def test_reweight_by_hand(success, expected):
    assert reweight(success) == pytest.approx(expected, abs=1e-15)


def test_reweight_with_a_threshold_of_one_half_changes_nothing():
    success = np.linspace(0.0, 1.0, 11)
    np.testing.assert_allclose(reweight(success, 0.5), success, atol=1e-15)


@given(st.floats(1e-9, 1 - 1e-9), st.floats(0.0, 1.0))
def test_reweight_is_the_papers_formula(threshold, success):
    denominator = success + threshold * (1.0 - 2.0 * success)
    expected = (1.0 - threshold) * success / denominator
    # The paper's denominator loses up to a rounding error of 1, 1.1e-16, against its own size.
    tolerance = 1e-15 + 4e-16 / denominator
    assert reweight(success, threshold) == pytest.approx(expected, rel=tolerance)


@given(st.floats(0.0, 1.0, exclude_min=True, exclude_max=True), st.floats(0.0, 1.0))
def test_reweight_stays_within_0_and_1(threshold, success):
    assert 0.0 <= reweight(success, threshold) <= 1.0


@pytest.mark.parametrize(
    ("success", "expected"),
    [(0.0, 9.0), (0.1, 0.09 / 0.18**2), (0.5, 0.36), (1.0, 1 / 9)],
)
def test_reweight_slope_by_hand(success, expected):
    assert reweight_slope(success) == pytest.approx(expected, rel=1e-14)


def test_reweight_slope_is_the_derivative():
    success = np.linspace(0.01, 0.99, 50)
    step = 1e-6
    difference = (reweight(success + step) - reweight(success - step)) / (2 * step)
    # The error of central differences is step^2 f'''/6, below 1e-8 here.
    np.testing.assert_allclose(reweight_slope(success), difference, rtol=1e-7)


def test_learning_progress_by_hand():
    fast, slow = [0.5, 0.2, 0.3], [0.25, 0.6, 0.3]
    np.testing.assert_allclose(learning_progress(fast, slow), [0.25, 0.4, 0.0], atol=1e-16)
    np.testing.assert_allclose(learning_progress(fast, slow, "up"), [0.25, 0.0, 0.0], atol=1e-16)


def test_beyond_random_by_hand():
    np.testing.assert_allclose(
        beyond_random([0.1, 0.2, 0.6, 1.0], [0.2, 0.2, 0.2, 0.75]), [0.0, 0.0, 0.5, 1.0]
    )


def test_averages_of_two_updates_by_hand():
    curriculum = LearningProgress(3, time_scale=4)
    curriculum.update([1, 0, 0], [2, 1, 0])
    # Task 0: mean 1/2, fast 1/8, slow 1/32. Task 1: all zero. Task 2: not tried.
    np.testing.assert_array_equal(curriculum.fast_, [0.125, 0.0, 0.0])
    np.testing.assert_array_equal(curriculum.slow_, [0.03125, 0.0, 0.0])
    curriculum.update([0, 3, 0], [0, 3, 0])
    # Task 0 keeps its values. Task 1: fast 1/4, slow 1/16.
    np.testing.assert_array_equal(curriculum.fast_, [0.125, 0.25, 0.0])
    np.testing.assert_array_equal(curriculum.slow_, [0.03125, 0.0625, 0.0])
    # f(1/8) = 9/16, f(1/32) = 9/40, f(1/4) = 3/4, f(1/16) = 3/8.
    np.testing.assert_allclose(curriculum.progress(), [27 / 80, 3 / 8, 0.0], atol=1e-15)


def test_only_the_bidirectional_curriculum_sees_a_task_that_is_forgotten():
    both, up = LearningProgress(2, time_scale=2), LearningProgress(2, time_scale=2, direction="up")
    for curriculum in (both, up):
        for success in (1, 1, 1, 1, 1, 1, 0):
            curriculum.update([success, 0], [1, 1])
    assert both.progress()[0] > 0.01
    assert both.probabilities()[0] > 0.9
    np.testing.assert_array_equal(up.progress(), [0.0, 0.0])


def test_an_untried_task_counts_neither_as_failed_nor_as_solved():
    curriculum = LearningProgress(2, time_scale=3)
    curriculum.update([1, 1], [1, 1])
    before = curriculum.fast_[1], curriculum.slow_[1]
    for _ in range(50):
        curriculum.update([1, 0], [1, 0])
    assert (curriculum.fast_[1], curriculum.slow_[1]) == before


def test_recorded_outcomes_are_consumed_by_the_next_update():
    single, counted = LearningProgress(3), LearningProgress(3)
    for task, success in [(0, True), (0, False), (2, 1), (2, np.bool_(False))]:
        single.record(task, success)
    assert not single.fast_.any()
    single.update([1, 0, 0], [1, 1, 0])
    counted.update([2, 0, 1], [3, 1, 2])
    np.testing.assert_array_equal(single.fast_, counted.fast_)
    learned = single.fast_.copy()
    single.update()
    np.testing.assert_array_equal(single.fast_, learned)


def test_records_alone_are_enough():
    single, counted = LearningProgress(2), LearningProgress(2)
    single.record(1, True)
    single.update()
    counted.update([0, 1], [0, 1])
    np.testing.assert_array_equal(single.slow_, counted.slow_)


def test_success_of_a_random_policy_is_no_progress():
    curriculum = LearningProgress(2, time_scale=2, random_success=[0.5, 0.0])
    for _ in range(6):
        curriculum.update([5, 5], [10, 10])  # both at one half
    assert curriculum.progress()[0] == 0.0
    assert curriculum.progress()[1] > 0.001


def test_interest_multiplies_the_weights_by_hand():
    plain, weighted = LearningProgress(3), LearningProgress(3, interest=[1.0, 0.0, 3.0])
    for curriculum in (plain, weighted):
        curriculum.update([1, 3, 2], [4, 4, 4])
    product = plain.probabilities() * [1.0, 0.0, 3.0]
    np.testing.assert_allclose(weighted.probabilities(), product / product.sum(), rtol=1e-12)
    assert weighted.probabilities()[1] == 0.0


def test_interest_in_tasks_without_progress_still_gives_probabilities():
    curriculum = LearningProgress(3, interest=[0.0, 5e-324, 5e-324])
    curriculum.update([1, 0, 0], [1, 1, 1])
    # Any weight below one half times the smallest float would be 0, and 0 / 0 no probability.
    assert sampling_weights(curriculum.progress())[1] < 0.5
    np.testing.assert_allclose(curriculum.probabilities(), [0.0, 0.5, 0.5])


def test_averages_that_begin_where_another_run_ended_show_no_progress():
    progress = LearningProgress(3, time_scale=2.0)
    progress.start_at([0.0, 0.5, 1.0])
    np.testing.assert_array_equal(progress.progress(), np.zeros(3))
    progress.update([0, 0, 1], [0, 0, 1])
    np.testing.assert_array_equal(progress.fast_, [0.0, 0.5, 1.0])


def test_averages_cannot_begin_outside_0_and_1():
    with pytest.raises(ValueError, match="success"):
        LearningProgress(2).start_at([0.5, 1.5])
    with pytest.raises(ValueError, match="success"):
        LearningProgress(2).start_at([0.5])

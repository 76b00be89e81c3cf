"""The sampling function: its weights by hand, its share on the top tasks, its draws."""

import math
import statistics
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lapis.curriculum import (
    LearningProgress,
    Uniform,
    proportional_weights,
    sampling_weights,
    sigmoid_slope,
)
from lapis.curriculum.teacher import draw, mix_uniform


def share_of_top(weights, progress, of=0.2):
    top = np.argsort(progress)[-int(of * progress.size) :]
    return weights[top].sum() / weights.sum()


def gaussian_progress():
    return np.random.default_rng(3).normal(0.05, 0.01, 100_000)


def test_three_weights_by_hand():
    # Mean 1, deviations -1, 0, 1, standard deviation sqrt(2/3): z = -sqrt(1.5), 0, sqrt(1.5).
    weights = sampling_weights([0.0, 1.0, 2.0], center_quantile=0.5, slope=2.0)
    z = math.sqrt(1.5)
    expected = np.array([1 / (1 + math.exp(2 * z)), 0.5, 1 / (1 + math.exp(-2 * z))])
    np.testing.assert_allclose(weights / weights.sum(), expected / expected.sum(), rtol=1e-14)
    # e^(2 z) = 11.5824...: the sigmoids are 0.07948, 0.5 and 0.92052, and their sum is 1.5.
    np.testing.assert_allclose(weights / weights.sum(), [0.05299, 0.33333, 0.61368], atol=1e-5)


def test_weights_around_the_papers_center_by_hand():
    # One of four tasks with progress: mean 1/4, standard deviation sqrt(3)/4, z = sqrt(3) and
    # -1/sqrt(3); the center is 1.2815515655.
    weights = sampling_weights([0.0, 0.0, 7.0, 0.0], slope=4.0)
    high = 1 / (1 + math.exp(-4.0 * (math.sqrt(3) - 1.2815515655446004)))
    low = 1 / (1 + math.exp(-4.0 * (-1 / math.sqrt(3) - 1.2815515655446004)))
    probabilities = weights / weights.sum()
    np.testing.assert_allclose(probabilities[2], high / (high + 3 * low), rtol=1e-13)
    np.testing.assert_allclose(probabilities[[0, 1, 3]], low / (high + 3 * low), rtol=1e-13)


def test_proportional_weights_by_hand():
    np.testing.assert_array_equal(proportional_weights([0.0, 1.0, 4.0, 0.5]), [0, 0.25, 1, 0.125])
    np.testing.assert_array_equal(proportional_weights([0.0, 0.0, 0.0]), [1.0, 1.0, 1.0])
    # Neither sums that would overflow nor the smallest numbers of all disturb the proportions.
    np.testing.assert_array_equal(proportional_weights([1e308, 1e308, 5e307]), [1.0, 1.0, 0.5])
    np.testing.assert_array_equal(proportional_weights([5e-324, 1e-323]), [0.5, 1.0])


@pytest.mark.parametrize(
    ("progress", "message"),
    [
        ([0.1, -0.2], "progress must not be negative; it holds -0.2"),
        ([0.1, math.nan], r"progress\[1\] is nan; it must be a finite number"),
        ([math.inf, 0.1], r"progress\[0\] is inf; it must be a finite number"),
        ([], r"progress must have shape \(task,\), not \(0,\)"),
        ([[0.1]], r"progress must have shape \(task,\), not \(1, 1\)"),
    ],
)
def test_proportional_weights_refuse_bad_input(progress, message):
    with pytest.raises(ValueError, match=message):
        proportional_weights(progress)


def test_proportional_sampling_with_a_floor_by_hand():
    curriculum = LearningProgress(
        3, time_scale=4, weighting="proportional", reweight_threshold=0.5, floor=0.3
    )
    curriculum.update([1, 3, 0], [4, 4, 4])
    # fast 1/16, 3/16, 0 and slow a quarter of it: progress 3/64, 9/64, 0, in shares 1/4, 3/4, 0.
    np.testing.assert_allclose(curriculum.progress(), [3 / 64, 9 / 64, 0.0], rtol=1e-13)
    np.testing.assert_allclose(curriculum.probabilities(), [0.275, 0.625, 0.1], rtol=1e-13)


def test_interest_decides_alone_where_no_interesting_task_has_progress():
    curriculum = LearningProgress(
        3, time_scale=4, weighting="proportional", interest=[0.0, 1.0, 3.0]
    )
    curriculum.update([1, 0, 0], [1, 1, 1])
    assert curriculum.progress()[0] > 0.0
    np.testing.assert_allclose(curriculum.probabilities(), [0.0, 0.25, 0.75], rtol=1e-15)
    curriculum.update([0, 1, 1], [0, 1, 1])
    # Equal progress of tasks 1 and 2; task 0 is of no interest.
    np.testing.assert_allclose(curriculum.probabilities(), [0.0, 0.25, 0.75], rtol=1e-15)


def test_slope_of_the_papers_sampling_function():
    # The three digits that the points of the paper state.
    assert sigmoid_slope() == pytest.approx(4.12, abs=0.005)


@pytest.mark.parametrize(
    ("share", "of", "center_quantile"),
    [(0.9, 0.2, 0.9), (0.5, 0.2, 0.9), (0.9, 0.1, 0.95), (0.1999, 0.02, 0.9), (0.7, 0.5, 0.5)],
)
def test_slope_puts_the_share_on_the_top(share, of, center_quantile):
    slope = sigmoid_slope(share, of, center_quantile)
    # The quantiles of a fine even grid of ranks are Gaussian progress without chance.
    rank = (np.arange(200_000) + 0.5) / 200_000
    normal = statistics.NormalDist()
    z = np.array([normal.inv_cdf(value) for value in rank])
    weights = 1 / (1 + np.exp(-np.clip(slope * (z - normal.inv_cdf(center_quantile)), -700, 700)))
    # 200,000 ranks resolve the share to about 1e-5.
    assert share_of_top(weights, z, of) == pytest.approx(share, abs=5e-5)


def test_gaussian_progress_puts_90_percent_on_the_top_fifth():
    progress = gaussian_progress()
    assert share_of_top(sampling_weights(progress), progress) == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize(
    ("center_quantile", "slope", "expected"),
    [
        (0.9, 1.0, 0.413),  # the paper's center, slope 1
        (0.5, 1.0, 0.317),  # a plain sigmoid of the z-score, as public code has it
    ],
)
def test_slope_1_or_center_0_is_close_to_uniform(center_quantile, slope, expected):
    progress = gaussian_progress()
    weights = sampling_weights(progress, center_quantile=center_quantile, slope=slope)
    # Uniform would be 0.2. The share of 100,000 draws of progress varies by about 0.001.
    assert share_of_top(weights, progress) == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize("task_count", [1, 2, 3, 7, 107, 1000])
@pytest.mark.parametrize("value", [0.0, 0.1, 1e-300, 1e300])
def test_equal_progress_is_exactly_uniform(task_count, value):
    weights = sampling_weights(np.full(task_count, value))
    assert (weights / weights.sum() == 1.0 / task_count).all()


@pytest.mark.parametrize("task_count", [1, 3, 107])
def test_a_cold_start_is_exactly_uniform(task_count):
    assert (LearningProgress(task_count).probabilities() == 1.0 / task_count).all()
    assert (Uniform(task_count).probabilities() == 1.0 / task_count).all()


def test_one_task_has_probability_1():
    curriculum = LearningProgress(1)
    curriculum.update([3], [5])
    assert curriculum.probabilities().tolist() == [1.0]
    assert curriculum.sample(3, np.random.default_rng(0)).tolist() == [0, 0, 0]


def test_uniform_learns_nothing():
    uniform = Uniform(4)
    uniform.update([1, 0, 3, 0], [1, 2, 3, 0])
    assert (uniform.probabilities() == 0.25).all()


def test_floor_is_shared_by_all_tasks_by_hand():
    np.testing.assert_allclose(mix_uniform(np.array([1.0, 0.0]), 0.5), [0.75, 0.25])
    curriculum = LearningProgress(50, floor=0.2)
    curriculum.update([1] + [0] * 49, [1] * 50)
    # Each task has at least 0.2 / 50. z is 7 for the first and -1/7 for the others, so that its
    # weight is 1 beside 49 of sigmoid(-4.1211 (1/7 + 1.2816)) = 0.002816.
    assert curriculum.probabilities().min() >= 0.004
    first = 1 / (1 + 49 * 0.002816)
    assert curriculum.probabilities()[0] == pytest.approx(0.8 * first + 0.004, abs=1e-4)


def test_weights_do_not_depend_on_unit_or_origin_of_progress():
    progress = np.array([0.1, 0.4, 0.2, 0.9])
    expected = sampling_weights(progress)
    for scale in (1e-300, 1e-9, 1e9, 1e308):
        np.testing.assert_allclose(sampling_weights(progress * scale), expected, rtol=1e-12)
    np.testing.assert_allclose(sampling_weights(progress + 1.0), expected, rtol=1e-12)


def test_renaming_tasks_renames_probabilities():
    rng = np.random.default_rng(2)
    progress = rng.random(40)
    order = rng.permutation(40)
    # The mean is summed in another order.
    np.testing.assert_allclose(
        sampling_weights(progress)[order], sampling_weights(progress[order]), rtol=1e-12
    )


@given(
    progress=hnp.arrays(
        np.float64,
        st.integers(1, 60),
        elements=st.floats(0.0, 1.7e308) | st.floats(0.0, 1.0) | st.floats(0.0, 1e-300),
    ),
    center_quantile=st.floats(1e-12, 1 - 1e-12),
    slope=st.floats(0.0, 1e6),
)
@settings(max_examples=300)
def test_weights_are_positive_and_finite_for_any_progress(progress, center_quantile, slope):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weights = sampling_weights(progress, center_quantile=center_quantile, slope=slope)
        probabilities = weights / weights.sum()
    assert np.isfinite(weights).all()
    assert (weights > 0.0).all()
    assert math.fsum(probabilities) == pytest.approx(1.0, abs=1e-12)
    # More progress never means less weight, whatever the rounding.
    order = np.argsort(progress, kind="stable")
    assert (np.diff(weights[order]) >= 0.0).all()


outcomes = st.integers(1, 12).flatmap(
    lambda task_count: st.tuples(
        st.just(task_count),
        st.lists(
            st.tuples(
                hnp.arrays(np.int64, task_count, elements=st.integers(0, 2**53)),
                hnp.arrays(np.float64, task_count, elements=st.floats(0.0, 1.0)),
            ),
            max_size=6,
        ),
    )
)


@given(
    outcomes=outcomes,
    direction=st.sampled_from(["both", "up"]),
    time_scale=st.floats(1.0, 1e12),
    reweight_threshold=st.floats(0.0, 1.0, exclude_min=True, exclude_max=True),
    floor=st.floats(0.0, 1.0),
    noise_shrinkage=st.just(0.0) | st.floats(0.0, 1e300),
    interested=st.booleans(),
    chance=st.none() | st.floats(0.0, 1.0, exclude_max=True),
)
@settings(max_examples=200, deadline=None)
def test_probabilities_sum_to_1_without_nan_or_warning(outcomes, interested, chance, **options):
    task_count, updates = outcomes
    rng = np.random.default_rng(task_count)
    if interested:
        options["interest"] = 10.0 ** rng.uniform(-300, 300, task_count)
    if chance is not None:
        options["random_success"] = np.full(task_count, chance)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        curriculum = LearningProgress(task_count, **options)
        for attempts, success in updates:
            curriculum.update(np.minimum(np.floor(attempts * success), attempts), attempts)
            probabilities = curriculum.probabilities()
            assert np.isfinite(probabilities).all()
            assert (probabilities >= 0.0).all()
            assert math.fsum(probabilities) == pytest.approx(1.0, abs=1e-12)
            tasks = curriculum.sample(5, rng)
            assert ((tasks >= 0) & (tasks < task_count)).all()


@given(
    of=st.floats(0.01, 0.9), center_quantile=st.floats(0.01, 0.99), between=st.floats(0.001, 0.999)
)
@settings(max_examples=100, deadline=None)
def test_slope_exists_for_every_share_below_that_of_a_step(of, center_quantile, between):
    most = min(1.0, of / (1.0 - center_quantile))
    slope = sigmoid_slope(of + between * (most - of), of, center_quantile)
    assert 0.0 < slope < 1e6


@pytest.mark.parametrize(
    ("task_count", "count"), [(1, 1), (5, 0), (5, 3), (107, 4096), (1000, 10), (5000, 4096)]
)
def test_draws_are_the_inverse_of_the_cumulative_distribution(task_count, count):
    probabilities = np.random.default_rng(0).dirichlet(np.full(task_count, 0.1))
    drawn = draw(probabilities, count, np.random.default_rng(4))
    number = np.random.default_rng(4).random(count)
    cumulative = np.cumsum(probabilities)
    slowly = np.searchsorted(cumulative / cumulative[-1], number, side="right")
    np.testing.assert_array_equal(drawn, slowly)
    assert drawn.dtype == np.int64


def test_draws_have_the_probabilities_that_are_stated():
    probabilities = np.array([0.0, 0.5, 0.05, 0.0, 0.45, 0.0])
    draws = draw(probabilities, 100_000, np.random.default_rng(7))
    frequency = np.bincount(draws, minlength=6) / draws.size
    assert (frequency[[0, 3, 5]] == 0.0).all()
    # Four standard deviations of a frequency: 4 sqrt(0.25 / 100,000) = 0.0063.
    np.testing.assert_allclose(frequency, probabilities, atol=0.0063)


def test_draws_are_in_random_order():
    draws = draw(np.full(10, 0.1), 20_000, np.random.default_rng(8))
    # Of independent draws one in ten equals its predecessor; sorted ones nearly always do.
    assert (draws[1:] == draws[:-1]).mean() == pytest.approx(0.1, abs=0.01)

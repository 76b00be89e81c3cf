"""Teacher-Student Curriculum Learning's Window algorithm, by hand and against NumPy's fit."""

import math

import numpy as np
import pytest

from lapis.curriculum import RegressionSlope, boltzmann_probabilities, regression_slope


def test_slope_by_hand():
    # Times 0, 1, 3 with mean 4/3; sum (t - 4/3) s = 0 * -4/3 + 0.5 * -1/3 + 1 * 5/3 = 3/2;
    # sum (t - 4/3)^2 = 16/9 + 1/9 + 25/9 = 14/3.
    slope = regression_slope([[0, 1, 3]], [[0.0, 0.5, 1.0]], [[True, True, True]])
    np.testing.assert_allclose(slope, [1.5 / (14 / 3)], rtol=1e-15)


def test_slots_that_are_not_known_do_not_count():
    slope = regression_slope([[0, 2, 99]], [[0.25, 0.75, 7.0]], [[True, True, False]])
    np.testing.assert_allclose(slope, [0.25], rtol=1e-15)


def test_equal_scores_have_slope_zero_exactly():
    scores = np.full((1, 10), 0.1)
    np.testing.assert_array_equal(
        regression_slope([np.arange(10) ** 2], scores, np.ones((1, 10), bool)), [0.0]
    )


def test_slope_equals_a_least_squares_fit():
    rng = np.random.default_rng(1)
    time = rng.permuted(np.tile(np.arange(40), (20, 1)), axis=1)[:, :10]
    score = rng.random((20, 10))
    expected = [np.polyfit(t, s, 1)[0] for t, s in zip(time, score, strict=True)]
    # polyfit solves by singular values; 1e-10 covers the difference.
    np.testing.assert_allclose(
        regression_slope(time, score, np.ones((20, 10), bool)), expected, rtol=1e-10
    )


def test_greedy_choice_is_shared_by_ties():
    np.testing.assert_array_equal(boltzmann_probabilities([0.2, 0.5, 0.5], 0.0), [0, 0.5, 0.5])


def test_boltzmann_by_hand():
    # exp(0.1 ln 2 / 0.1) = 2 against exp(0) = 1.
    np.testing.assert_allclose(
        boltzmann_probabilities([0.0, 0.1 * math.log(2.0)], 0.1), [1 / 3, 2 / 3], rtol=1e-15
    )


@pytest.mark.parametrize("temperature", [5e-324, 1e-300, 1e300])
def test_boltzmann_is_finite_at_any_temperature(temperature: float):
    probabilities = boltzmann_probabilities([0.0, 1.0, 1.0], temperature)
    expected = [0.0, 0.5, 0.5] if temperature < 1.0 else [1 / 3] * 3
    np.testing.assert_allclose(probabilities, expected, rtol=1e-15)


def test_tasks_with_fewer_than_two_scores_come_first():
    rival = RegressionSlope(3, floor=0.3)
    rival.update([1, 0, 0], [2, 1, 0])
    rival.update([2, 0, 0], [2, 0, 0])
    # Task 0 rose by 1/2 in one update; tasks 1 and 2 count as slope 1 and share the choice.
    np.testing.assert_array_equal(rival.slope_, [0.5, 1.0, 1.0])
    np.testing.assert_allclose(rival.probabilities(), [0.1, 0.45, 0.45], rtol=1e-15)


def test_slope_is_absolute_and_counts_updates_without_attempts_as_time():
    rival = RegressionSlope(2, floor=0.0)
    rival.update([1, 0], [1, 1])
    rival.update([0, 0], [0, 0])
    rival.update([0, 1], [1, 1])  # falls by 1 in two updates; rises by 1 in two updates
    np.testing.assert_array_equal(rival.slope_, [0.5, 0.5])
    rival.update([0, 1], [0, 2])
    # Scores 0, 1, 1/2 at updates 0, 2, 3 with mean 5/3: rise 1/3 + 1/2 * 4/3 = 1, spread
    # 25/9 + 1/9 + 16/9 = 14/3.
    np.testing.assert_allclose(rival.slope_, [0.5, 3 / 14], rtol=1e-15)
    np.testing.assert_array_equal(rival.probabilities(), [1.0, 0.0])


def test_window_forgets_the_oldest_score():
    rival = RegressionSlope(1, window=2)
    for success in (0, 1, 1):
        rival.update([success], [1])
    np.testing.assert_array_equal(rival.slope_, [0.0])
    rival.update([0], [1])
    np.testing.assert_array_equal(rival.slope_, [1.0])


def test_window_equals_a_fit_of_the_last_scores():
    rng = np.random.default_rng(2)
    rival = RegressionSlope(3, window=4)
    times: list[list[int]] = [[], [], []]
    scores: list[list[float]] = [[], [], []]
    for update in range(60):
        attempts = rng.integers(0, 3, 3)
        successes = rng.binomial(attempts, 0.5)
        rival.update(successes, attempts)
        for task in np.flatnonzero(attempts):
            times[task].append(update)
            scores[task].append(successes[task] / attempts[task])
    expected = [abs(np.polyfit(t[-4:], s[-4:], 1)[0]) for t, s in zip(times, scores, strict=True)]
    np.testing.assert_allclose(rival.slope_, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("option", "value"), [("window", 1), ("window", 2.0), ("temperature", -1.0), ("floor", 1.5)]
)
def test_bad_options_are_named(option: str, value: float):
    with pytest.raises(ValueError, match=option):
        RegressionSlope(3, **{option: value})

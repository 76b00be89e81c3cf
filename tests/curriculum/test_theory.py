import numpy as np
import pytest

from lapis.curriculum import optimal_interval, snapshot_error
from lapis.curriculum.theory import measured_snapshot_error


def test_snapshot_error_is_the_hand_computed_sum():
    # 2 * 0.25 / (100 * 0.5^2) = 0.02 and (0.4 * 0.5 / 2)^2 = 0.01.
    assert snapshot_error(0.5, 0.25, 100, 0.4) == pytest.approx(0.03, rel=1e-14)


def test_snapshot_error_takes_many_intervals():
    errors = snapshot_error([0.5, 1.0], 0.25, 100, -0.4)
    np.testing.assert_allclose(errors, [0.03, 0.005 + 0.04], rtol=1e-14)


def test_optimal_interval_is_the_hand_computed_root():
    # 8 * 0.25 / (2 * 0.25^2) = 16, whose fourth root is 2.
    assert optimal_interval(0.25, 2, 0.25) == pytest.approx(2.0, rel=1e-14)
    assert optimal_interval(0.25, 2, -0.25) == pytest.approx(2.0, rel=1e-14)


@pytest.mark.parametrize(
    ("variance", "sample_count", "curvature"), [(0.25, 200, 0.01), (0.09, 7, -3.0), (1.0, 1, 0.5)]
)
def test_optimal_interval_minimizes_the_error(variance, sample_count, curvature):
    best = optimal_interval(variance, sample_count, curvature)
    around = best * np.linspace(0.5, 2.0, 3001)
    errors = snapshot_error(around, variance, sample_count, curvature)
    assert around[errors.argmin()] == pytest.approx(best, rel=1e-3)
    # At the optimum the two terms are equal, so the error is twice the variance term.
    noise = 2.0 * variance / (sample_count * best**2)
    assert snapshot_error(best, variance, sample_count, curvature) == pytest.approx(2.0 * noise)


def _sigmoid(time):
    return 1.0 / (1.0 + np.exp(-time))


def test_formula_agrees_with_monte_carlo_where_the_interval_is_short():
    time, sample_count = -1.0, 200
    mean = float(_sigmoid(time))
    slope = mean * (1.0 - mean)
    curvature = slope * (1.0 - 2.0 * mean)
    interval = np.array([0.05, 0.1, 0.2, 0.4])
    measured = measured_snapshot_error(
        _sigmoid, slope, interval, sample_count, np.random.default_rng(0), time=time
    )
    earlier = _sigmoid(time - interval)
    variance = 0.5 * (mean * (1.0 - mean) + earlier * (1.0 - earlier))
    formula = np.array(
        [
            float(snapshot_error(one, float(spread), sample_count, curvature))
            for one, spread in zip(interval, variance, strict=True)
        ]
    )
    # 10,000 squares of a near-normal error: relative deviation sqrt(2 / 10,000) = 1.4 %; 5 % is
    # more than three of them, and the neglected third-order term is below 1 % here.
    np.testing.assert_allclose(measured, formula, rtol=0.05)


def test_monte_carlo_finds_bias_alone_when_there_is_no_noise():
    def step(time):
        return np.where(time < 0.0, 0.0, 1.0)

    # Always 1 now and 0 before: the estimate is exactly 1 / interval.
    measured = measured_snapshot_error(
        step, 0.5, [0.5, 2.0], 10, np.random.default_rng(0), repeat_count=3
    )
    np.testing.assert_allclose(measured, [(2.0 - 0.5) ** 2, 0.0], atol=1e-15)


@pytest.mark.parametrize("interval", [0.0, -1.0, np.nan, np.inf, [1.0, 0.0]])
def test_intervals_that_are_not_positive_are_refused(interval):
    with pytest.raises(
        ValueError, match=r"interval(\[1\])? is .*; it must be a finite number of at least 1e-50"
    ):
        snapshot_error(interval, 0.25, 10, 1.0)


def test_values_outside_their_range_are_refused_by_name():
    with pytest.raises(ValueError, match="variance"):
        snapshot_error(1.0, -0.1, 10, 1.0)
    with pytest.raises(ValueError, match="sample_count"):
        optimal_interval(0.25, 0, 1.0)
    with pytest.raises(ValueError, match="curvature is nan; it must be a finite number"):
        snapshot_error(1.0, 0.25, 10, np.nan)
    with pytest.raises(ValueError, match="it must not be 0"):
        optimal_interval(0.25, 10, 0.0)

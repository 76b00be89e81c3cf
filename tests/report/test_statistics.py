"""Statistics of runs, against values worked out by hand."""

import itertools
import math

import numpy as np
import pytest

from lapis.report import statistics


def improvement_interval(better, worse):
    return statistics.bootstrap_interval(better, worse, statistic=statistics.improvement)


def difference_interval(first, second, **settings):
    return statistics.bootstrap_interval(
        first, second, statistic=statistics.interquartile_difference, **settings
    )


def generator(seed=0):
    return np.random.default_rng(seed)


def test_discovered_counts_goals_strictly_above_the_threshold():
    success = np.array([[0.05, 0.0501, 0.9], [0.0, math.nan, 0.04]])
    assert statistics.discovered_count(success, 0.05).tolist() == [2, 0]
    assert statistics.discovered_count(success, 0.5).tolist() == [1, 0]


def test_bootstrap_takes_percentiles_of_the_resampled_means():
    # Two seeds, 0 and 8: a resample has mean 0 or 8 in a quarter of the cases each, otherwise 4.
    assert statistics.bootstrap_interval([0.0, 8.0], level=0.4) == (4.0, 4.0)
    assert statistics.bootstrap_interval([0.0, 8.0], level=0.6) == (0.0, 8.0)


def test_bootstrap_is_that_of_all_resamples():
    # Three seeds have 27 resamples, so that the exact quantiles are known.
    values = np.array([1.0, 4.0, 9.0])
    means = [np.mean(values[list(picks)]) for picks in itertools.product(range(3), repeat=3)]
    low, high = statistics.bootstrap_interval(values, level=0.8)
    assert low == pytest.approx(np.quantile(means, 0.1, method="inverted_cdf"))
    assert high == pytest.approx(np.quantile(means, 0.9, method="inverted_cdf"))


def test_the_interquartile_mean_leaves_a_quarter_out_at_each_end():
    # Of ten values two at each end: (3 + 4 + 5 + 6 + 7 + 100) / 6 without 1, 2, 200 and 300.
    values = [300.0, 5.0, 1.0, 4.0, 100.0, 2.0, 200.0, 7.0, 3.0, 6.0]
    assert statistics.interquartile_mean(values) == pytest.approx(125 / 6)
    assert statistics.interquartile_mean([9.0, 1.0, 4.0, 70.0, 2.0]) == 5.0  # (2 + 4 + 9) / 3
    assert statistics.interquartile_mean([0.0, 0.0, 9.0]) == 3.0  # nothing to leave out
    rows = np.array([[9.0, 1.0, 4.0, 70.0, 2.0], [0.0, 0.0, 0.0, 6.0, 0.0]])
    assert statistics.interquartile_mean(rows).tolist() == [5.0, 0.0]
    assert statistics.interquartile_mean(rows.T, axis=0).tolist() == [5.0, 0.0]
    with pytest.raises(ValueError, match="values must have 1 axes and some values"):
        statistics.interquartile_mean([])


def test_the_interval_of_the_interquartile_mean_is_that_of_all_resamples():
    values = np.array([1.0, 4.0, 9.0, 30.0])  # 256 resamples, of which the middle two count
    found = [
        np.mean(np.sort(values[list(picks)])[1:3])
        for picks in itertools.product(range(4), repeat=4)
    ]
    low, high = statistics.bootstrap_interval(
        values, statistic=statistics.interquartile_mean, level=0.8
    )
    assert low == pytest.approx(np.quantile(found, 0.1, method="inverted_cdf"))
    assert high == pytest.approx(np.quantile(found, 0.9, method="inverted_cdf"))


def test_the_difference_of_interquartile_means_resamples_each_treatment_apart():
    first, second = np.array([5.0, 5.0, 5.0, 5.0]), np.array([1.0, 2.0, 3.0, 90.0])
    difference = statistics.interquartile_difference
    assert difference(first, second) == 2.5  # 5 - (2 + 3) / 2
    low, high = statistics.bootstrap_interval(first, second, statistic=difference)
    own = statistics.bootstrap_interval(second, statistic=statistics.interquartile_mean)
    assert (low, high) == pytest.approx((5.0 - own[1], 5.0 - own[0]))


def test_bootstrap_resamples_whole_curves():
    curves = np.array([[1.0, 10.0], [3.0, 30.0], [5.0, 50.0]])
    low, high = statistics.bootstrap_interval(curves)
    assert low.shape == high.shape == (2,)
    np.testing.assert_allclose(low[1], 10.0 * low[0])
    np.testing.assert_allclose(high[1], 10.0 * high[0])
    assert 1.0 <= low[0] < 3.0 < high[0] <= 5.0


def test_bootstrap_agrees_with_the_normal_interval_of_many_seeds():
    values = generator(1).normal(10.0, 2.0, size=400)
    low, high = statistics.bootstrap_interval(values)
    half = 1.96 * values.std() / math.sqrt(400)
    # The ends of 2000 resamples scatter by about 3 % of the width.
    assert low == pytest.approx(values.mean() - half, abs=0.1 * half)
    assert high == pytest.approx(values.mean() + half, abs=0.1 * half)


def test_bootstrap_gives_the_same_every_time():
    values = [1.0, 4.0, 9.0]
    assert statistics.bootstrap_interval(values) == statistics.bootstrap_interval(values)


def test_equal_seeds_have_an_interval_of_no_width():
    assert statistics.bootstrap_interval([7.0, 7.0, 7.0]) == (7.0, 7.0)


def test_one_seed_has_no_interval():
    low, high = statistics.bootstrap_interval(np.ones((1, 3)))
    assert np.isnan([low, high]).all()
    assert low.shape == (3,)


def test_bootstrap_refuses_no_seeds():
    for values in ([], np.zeros((0, 4))):
        with pytest.raises(ValueError, match=r"has shape .* at least one seed"):
            statistics.bootstrap_interval(values)


def test_probability_of_improvement_counts_pairs_and_half_of_ties():
    # 3 beats 1, 2; ties 3. 2 beats 1; ties 2. Of six pairs 3 won, 2 tied: (3 + 1) / 6.
    assert statistics.improvement([3, 2], [1, 2, 3]) == pytest.approx(4 / 6)
    assert statistics.improvement([5], [4, 3]) == 1.0
    assert statistics.improvement([4, 4], [4]) == 0.5
    assert statistics.improvement([1, 2], [3]) == 0.0


def test_probability_of_improvement_of_both_directions_adds_up_to_one():
    x, y = generator(5).integers(0, 6, size=(2, 7))
    both = statistics.improvement(x, y), statistics.improvement(y, x)
    assert sum(both) == pytest.approx(1.0)


def test_improvement_interval_holds_the_estimate():
    x, y = np.array([3.0, 5.0, 6.0, 9.0]), np.array([2.0, 4.0, 7.0])
    low, high = improvement_interval(x, y)
    assert 0.0 <= low < statistics.improvement(x, y) < high <= 1.0
    assert improvement_interval([5, 6], [1, 2]) == (1.0, 1.0)
    assert np.isnan(improvement_interval([5], [1, 2])).all()


def test_p_value_counts_the_ways_to_deal_out_ranks():
    for first, second, p_value in (
        ([4, 5, 6], [1, 2, 3], 2 / 20),
        ([1], [2], 1.0),
        ([1, 2], [3, 4], 2 / 6),
        ([1, 3], [2, 4], 4 / 6),  # Rank sums 3 to 7, once but for two of 5; 4 is one from it.
        ([1, 2], [2, 3], 4 / 6),  # Ranks 1, 2.5, 2.5, 4: sums 3.5, 3.5, 5, 5, 6.5, 6.5.
        ([7, 7], [7, 7, 7], 1.0),
        ([6, 7, 8, 9, 10], [1, 2, 3, 4, 5], 2 / 252),
    ):
        assert statistics.rank_sum_p_value(first, second) == pytest.approx(p_value)
        assert statistics.rank_sum_p_value(second, first) == pytest.approx(p_value)


def test_p_value_agrees_with_enumeration():
    values = generator(2).integers(0, 8, size=9).astype(float)
    ranks = [np.mean(np.flatnonzero(np.sort(values) == value)) for value in values]
    sums = np.array([sum(each) for each in itertools.combinations(ranks, 4)])
    extreme = np.abs(sums - 4 * np.mean(ranks)) >= abs(sum(ranks[:4]) - 4 * np.mean(ranks)) - 1e-9
    found = statistics.rank_sum_p_value(values[:4], values[4:])
    assert found == pytest.approx(extreme.mean())


def test_difference_interval_takes_percentiles_of_the_resampled_differences():
    # Means of (0, 8) are 0, 4, 4, 8, those of (0, 2) are 0, 1, 1, 2: 16 equally likely differences.
    differences = sorted(x - y for x in (0, 4, 4, 8) for y in (0, 1, 1, 2))
    assert differences[:4] == [-2, -1, -1, 0]
    assert differences[-4:] == [6, 7, 7, 8]
    # A tenth lies inside the steps of -1 (1/16 to 3/16) and 7 (13/16 to 15/16).
    assert difference_interval([0.0, 8.0], [0.0, 2.0], level=0.8) == (-1.0, 7.0)


def test_difference_interval_holds_the_difference_and_needs_two_seeds():
    low, high = difference_interval([3.0, 5.0, 7.0], [1.0, 2.0])
    assert low < 3.5 < high
    assert np.isnan(difference_interval([5], [1, 2])).all()
    assert difference_interval([5, 5], [2, 2]) == (3.0, 3.0)


def test_holm_multiplies_the_smallest_most_and_keeps_the_order():
    # Sorted 0.01, 0.02, 0.03, 0.5: times 4, 3, 2, 1 is 0.04, 0.06, 0.06, 0.5.
    found = statistics.holm_p_values([0.02, 0.5, 0.01, 0.03])
    assert found.tolist() == pytest.approx([0.06, 0.5, 0.04, 0.06])
    # 0.02 times 2 is 0.04, and 0.03 times 1 must not be less.
    assert statistics.holm_p_values([0.03, 0.02]).tolist() == pytest.approx([0.04, 0.04])
    assert statistics.holm_p_values([0.6, 0.7]).tolist() == [1.0, 1.0]
    assert statistics.holm_p_values([]).size == 0


def test_area_is_the_mean_height_by_trapezoids():
    # 0 to 4 over width 2 has area 4, then 4 to 6 over width 4 area 20: 24 over width 6.
    assert statistics.area_under_curve([1.0, 3.0, 7.0], [0.0, 4.0, 6.0]) == pytest.approx(4.0)
    assert statistics.area_under_curve([0, 10], [7, 7]) == 7.0


def test_first_crossing_is_the_first_position_at_or_above_the_level():
    position, values = np.array([10, 20, 30, 40]), np.array([1, 5, 4, 9])
    assert statistics.first_crossing(position, values, 5) == 20.0
    assert statistics.first_crossing(position, values, 5.5) == 40.0
    assert statistics.first_crossing(position, values, 0) == 10.0
    assert statistics.first_crossing(position, values, 10) == math.inf


def test_value_at_takes_the_newest_that_is_not_later():
    values = np.array([[1, 2], [3, 4], [5, 6]])
    found = statistics.value_at([10, 20, 30], values, [5, 10, 19, 20, 99])
    assert found.tolist() == [[1, 2], [1, 2], [1, 2], [3, 4], [5, 6]]


def test_drop_is_measured_from_the_running_maximum():
    values = np.array([0, 4, 3, 6, 1, 7, 7])
    assert statistics.drop_from_maximum(values).tolist() == [0, 0, 1, 0, 5, 0, 0]


def test_goals_are_ordered_by_when_they_are_learned_on_average():
    # Updates at which goals a, b, c, d first exceed 0.05, two seeds; 3 stands for never.
    first = [[2, 0, 3, 3], [0, 1, 3, 3]]  # means 1, 0.5, 3, 3
    success = np.zeros((2, 3, 4))
    for seed, row in enumerate(first):
        for goal, update in enumerate(row):
            success[seed, update:, goal] = 0.4
    success[:, -1, 3] = 0.02  # never discovered, yet nearer to it than c
    assert statistics.learning_order(success, 0.05).tolist() == [1, 0, 3, 2]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: statistics.rank_sum_p_value([1.0, np.nan], [2.0]), r"first\[1\] is nan"),
        (lambda: statistics.rank_sum_p_value([1.0], []), "first has 1 values and second 0"),
        (lambda: statistics.holm_p_values([0.1, np.nan]), r"p_values\[1\] is nan; it must be"),
        (lambda: statistics.holm_p_values([0.1, 1.5]), r"p_values\[1\] is 1.5; it must be"),
        (lambda: statistics.area_under_curve([0, 1], [1, np.nan]), r"values\[1\] is nan"),
        (lambda: statistics.area_under_curve([1, 1], [1, 2]), "position must rise"),
        (lambda: statistics.first_crossing([0, np.nan], [1, 2], 1), r"position\[1\] is nan"),
        (lambda: statistics.value_at([0, 1], [1, 2], np.nan), "query must hold positions"),
        (lambda: statistics.value_at([0, 1, 2], [1, 2], 1), r"position must have shape \(2,\)"),
        (lambda: statistics.drop_from_maximum([1, np.inf]), "values must hold finite numbers"),
        (lambda: statistics.discovered_count([0.1], np.nan), "threshold is nan"),
        (lambda: statistics.improvement(np.ma.masked_array([1], True), [1]), "better is a masked"),
        (
            lambda: statistics.bootstrap_interval(np.ma.masked_array([1], True)),
            "sample is a masked",
        ),
    ],
)
def test_what_has_no_statistic_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()

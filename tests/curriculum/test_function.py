"""Learned progress: a function of success over the features of tasks."""

import numpy as np
import pytest

from lapis.curriculum import FunctionProgress, LargeRule
from lapis.curriculum.large.centers import Basis, Centers


def test_centers_are_means_of_the_rows_nearest_to_them():
    features = np.array([[0.0], [1.0], [10.0], [11.0]])
    centers = Centers(features, 2)
    assert centers.nearest(features).tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    np.testing.assert_array_equal(centers.of_rows, centers.nearest(features))
    np.testing.assert_allclose(
        np.sort(centers.places * features.std() + features.mean(), axis=0), [[0.5], [10.5]]
    )


def test_no_more_different_rows_than_centers_makes_each_a_center():
    centers = Centers(np.array([[0.0], [0.0], [3.0], [4.0]]), 8)
    assert len(centers.places) == 3


def test_a_feature_without_weight_does_not_decide_where_centers_are():
    rng = np.random.default_rng(0)
    features = rng.random((400, 2))
    centers = Centers(features, 4, np.array([1.0, 0.01]))
    groups = [features[centers.of_rows == each] for each in range(4)]
    assert all(np.ptp(group[:, 0]) < 0.4 < 0.9 < np.ptp(group[:, 1]) for group in groups)


def test_weights_of_the_basis_functions_by_hand():
    features = np.arange(20.0)[:, None]
    basis = Basis(Centers(features, 20), 2)
    near, share = basis(features)
    # Both neighbors of an inner center are equally far, so the first that does not count is too.
    np.testing.assert_allclose(share[1:-1], np.tile([1.0, 0.0], (18, 1)), atol=1e-9)
    # At the edge they are 1 and 2 away: (1 - 1/4)^2 = 9/16 against 1.
    np.testing.assert_allclose(share[[0, -1]], [[16 / 25, 9 / 25]] * 2)
    near, share = basis(np.array([[3.25]]))
    # Distances 1/4 and 3/4, and 5/4 of the first that does not count: (1 - 1/25)^2, (1 - 9/25)^2.
    weight = np.array([(24 / 25) ** 2, (16 / 25) ** 2])
    np.testing.assert_allclose(share, [weight / weight.sum()], rtol=1e-9)
    assert basis.places[near[0, 0]] < basis.places[near[0, 1]]


def test_outcomes_count_by_shares_and_are_mixed_by_shares():
    features = np.arange(20.0)[:, None]
    curriculum = FunctionProgress(20, features, near_count=2, memory=10.0, level_count=1)
    tries = np.zeros(20, int)
    tries[0] = 4
    curriculum.update(tries, tries)
    # Task 0 has 16/25 of the first basis function and 9/25 of the second: 2.56 and 1.44 of the 4
    # successes; Jeffreys' half a success and half a failure are added at each.
    first, second = (2.56 + 0.5) / (2.56 + 1), (1.44 + 0.5) / (1.44 + 1)
    expected = 16 / 25 * first + 9 / 25 * second
    np.testing.assert_allclose(curriculum.success([[0.0]]), [expected], rtol=1e-9)
    np.testing.assert_allclose(curriculum.success([[10.0]]), [0.5])


def test_success_of_tasks_that_were_never_tried_is_that_of_tasks_like_them():
    rng = np.random.default_rng(0)
    features = rng.random((2000, 2))
    truth = 1 / (1 + np.exp(-8 * (features[:, 0] - 0.5)))
    curriculum = FunctionProgress(2000, features, center_count=64)
    for _ in range(200):
        attempts = np.bincount(rng.integers(0, 1000, 128), minlength=2000)  # the first half alone
        curriculum.update(rng.binomial(attempts, truth), attempts)
    error = np.abs(curriculum.success(features[1000:]) - truth[1000:])
    assert error.mean() < 0.07
    high, low = curriculum.success([[0.95, 0.5], [0.05, 0.5]])
    assert high > 0.9
    assert low < 0.1


def test_constant_success_is_no_progress_and_a_change_is_one_around_it():
    rng = np.random.default_rng(0)
    features = np.linspace(0.0, 1.0, 400)[:, None]
    curriculum = FunctionProgress(400, features, center_count=16, confidence=2.5)
    truth = np.full(400, 0.3)
    for update in range(400):
        if update == 380:
            truth[features[:, 0] > 0.8] = 0.8
        attempts = np.bincount(rng.integers(0, 400, 128), minlength=400)
        curriculum.update(rng.binomial(attempts, truth), attempts)
        if update == 379:
            assert curriculum.progress(features).max() < 0.01
    progress = curriculum.progress([[0.9], [0.3]])
    assert progress[0] > 0.01 > 0.002 > progress[1]
    assert curriculum.probabilities()[features[:, 0] > 0.7].sum() > 0.8


def test_samples_have_the_shares_that_probabilities_say():
    rng = np.random.default_rng(0)
    features = rng.random((300, 2))
    curriculum = FunctionProgress(300, features, center_count=16)
    for _ in range(20):
        attempts = rng.integers(0, 3, 300)
        curriculum.update(rng.binomial(attempts, features[:, 0]), attempts)
    probabilities = curriculum.probabilities()
    counts = np.bincount(curriculum.sample(300_000, rng), minlength=300)
    deviation = (counts / 300_000 - probabilities) / np.sqrt(probabilities / 300_000)
    assert probabilities.sum() == pytest.approx(1.0)
    assert np.abs(deviation).max() < 4.5


def test_bad_features_are_refused():
    with pytest.raises(ValueError, match=r"shape \(3, feature\), not \(2, 1\)"):
        FunctionProgress(3, [[1.0], [2.0]])
    with pytest.raises(ValueError, match=r"shape \(task, 1\), not \(1, 2\)"):
        FunctionProgress(2, [[1.0], [2.0]]).success([[1.0, 2.0]])
    with pytest.raises(ValueError, match="features are needed to group 5 tasks into 4 groups"):
        FunctionProgress(5, center_count=4)
    with pytest.raises(ValueError, match="a function of the features needs features"):
        FunctionProgress(4, center_count=4).success([[1.0]])
    with pytest.raises(ValueError, match="group_count is 0"):
        FunctionProgress(2, [[1.0], [2.0]], center_count=0)


def test_rounding_errors_of_first_failures_decide_nothing():
    """Two places with 2 and 1 failures: neither has progress, so all tasks are equally likely."""
    for order in ([0, 1, 2, 3], [0, 2, 3, 1]):
        curriculum = FunctionProgress(4, np.array([0, 0, 1, 1])[order, None], memory=4.0)
        curriculum.update(np.zeros(4, int), np.array([1, 1, 0, 1])[order])
        np.testing.assert_allclose(curriculum.probabilities(), 0.25)


def test_rounding_errors_of_settled_groups_decide_nothing():
    rule = LargeRule()
    np.testing.assert_allclose(rule.weights(np.array([1e-17, 3e-17])), [0.5, 0.5])
    np.testing.assert_allclose(rule.weights(np.array([1e-6, 4e-6])), [1 / 33, 32 / 33])

"""Learned progress: a function of success over the features of tasks."""

import numpy as np
import pytest

from lapis.curriculum import FunctionProgress, LargeRule, reweight
from lapis.curriculum.large.centers import Basis, Centers


def test_centers_are_means_of_the_rows_nearest_to_them():
    features = np.array([[0.0], [1.0], [10.0], [11.0]])
    centers = Centers(features, 2)
    assert centers.nearest(features).tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    np.testing.assert_allclose(
        np.sort(centers.places * features.std() + features.mean(), axis=0), [[0.5], [10.5]]
    )


def test_no_more_different_rows_than_centers_makes_each_a_center():
    centers = Centers(np.array([[0.0], [0.0], [3.0], [4.0]]), 8)
    assert len(centers.places) == 3


def test_weights_of_the_basis_functions_by_hand():
    features = np.arange(20.0)[:, None]
    basis = Basis(features, 20, 2)
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


def test_one_update_by_hand():
    curriculum = FunctionProgress(2, [[0.0], [1.0]], near_count=1, memory=10.0)
    first = int(curriculum.basis(np.array([[0.0]]))[0][0, 0])
    curriculum.update([3, 0], [4, 0])
    # Logistic regression from a success of 0.02: gradient 3 - 4 * 0.02, curvature 4 * 0.0196, and
    # 0.1 for what was believed before.
    logit = np.log(0.02 / 0.98) + (3 - 0.08) / (4 * 0.0196 + 0.1)
    success = 1 / (1 + np.exp(-logit))
    assert curriculum.fast_[first] == pytest.approx(min(success, 1 / (1 + np.exp(-20.0))))
    # The first measurement is all that the slow copy has seen.
    assert curriculum.slow_[first] == pytest.approx(curriculum.fast_[first], abs=1e-6)
    assert curriculum.fast_[1 - first] == 0.02
    assert curriculum.novelty_[first] == pytest.approx(10 / 14)


def test_success_of_tasks_that_were_never_tried_is_that_of_tasks_like_them():
    rng = np.random.default_rng(0)
    features = rng.random((2000, 2))
    truth = 1 / (1 + np.exp(-8 * (features[:, 0] - 0.5)))
    curriculum = FunctionProgress(2000, features, center_count=64)
    for _ in range(200):
        attempts = np.bincount(rng.integers(0, 1000, 128), minlength=2000)  # the first half alone
        curriculum.update(rng.binomial(attempts, truth), attempts)
    error = np.abs(curriculum.success(features[1000:]) - truth[1000:])
    assert error.mean() < 0.06
    assert curriculum.success([[0.95, 0.5], [0.05, 0.5]]).round(1).tolist() == [1.0, 0.0]


def test_constant_success_is_no_progress_and_a_change_is_one_around_it():
    rng = np.random.default_rng(0)
    features = np.linspace(0.0, 1.0, 400)[:, None]
    curriculum = FunctionProgress(400, features, center_count=16, memory=100.0)
    truth = np.full(400, 0.3)
    for update in range(400):
        if update == 380:
            truth[features[:, 0] > 0.8] = 0.8
        attempts = np.bincount(rng.integers(0, 400, 128), minlength=400)
        curriculum.update(rng.binomial(attempts, truth), attempts)
        if update == 379:
            assert curriculum.progress(features).max() < 0.02
    progress = curriculum.progress([[0.9], [0.3]])
    assert progress[0] > 0.015 > 0.005 > progress[1]
    probabilities = curriculum.probabilities()
    assert probabilities[features[:, 0] > 0.7].sum() > 0.8


def test_candidates_share_all_but_floor_and_exploration():
    features = np.arange(1000.0)[:, None]
    curriculum = FunctionProgress(1000, features, center_count=8, candidate_count=100, floor=0.2)
    curriculum.update(np.zeros(1000, int), np.ones(1000, int))
    probabilities = curriculum.probabilities()
    np.testing.assert_allclose(np.sort(probabilities)[:900], 0.2 / 1000)
    assert probabilities.sum() == pytest.approx(1.0)
    curriculum.update(np.zeros(1000, int), np.ones(1000, int))
    assert (curriculum.probabilities() != probabilities).any()


def test_noise_grows_with_the_number_of_looks_by_hand():
    rule = LargeRule(memory=100.0, noise_shrinkage=2.0, reweight_threshold=0.5)
    one = np.array([0.6]), np.array([0.5]), np.array([0.55]), np.array([0.02])
    for attempts in (0.0, 900.0):
        square = 4.0 + 2.0 * np.log1p(attempts / 100.0)
        expected = 0.1 * (1.0 - square * 0.2**2)
        got = rule.beyond_noise(*one, np.array([attempts]))
        assert got[0] == pytest.approx(expected)


def test_uncertainty_by_hand():
    rule = LargeRule(memory=100.0)
    spread = np.sqrt(0.25 / 201)
    opening = 0.5 * (reweight(0.5 + spread) - reweight(0.5 - spread)) / 4.0
    deviation = np.sqrt(0.25 / 301)
    rest = 0.1 * (reweight(0.5 + deviation) - reweight(0.5 - deviation))
    got = rule.uncertainty(np.array([0.5]), np.array([300.0]))
    assert got[0] == pytest.approx(opening + rest)


def test_bad_features_are_refused():
    with pytest.raises(ValueError, match=r"shape \(3, feature\), not \(2, 1\)"):
        FunctionProgress(3, [[1.0], [2.0]])
    with pytest.raises(ValueError, match=r"shape \(task, 1\), not \(1, 2\)"):
        FunctionProgress(2, [[1.0], [2.0]]).success([[1.0, 2.0]])
    with pytest.raises(ValueError, match="features are needed for 5 tasks and 4 centers"):
        FunctionProgress(5, center_count=4)
    assert FunctionProgress(4, center_count=4).basis.places.shape == (4, 4)
    with pytest.raises(ValueError, match="center_count is 0"):
        FunctionProgress(2, [[1.0], [2.0]], center_count=0)

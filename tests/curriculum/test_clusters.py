"""Clusters of described tasks: their cells, their averages, and who joins."""

import numpy as np
import pytest

from lapis.curriculum import (
    ClusteredProgress,
    FunctionProgress,
    LargeRule,
    LearningProgress,
    Uniform,
    reweight,
)
from lapis.curriculum.large.centers import Centers
from lapis.curriculum.large.log import OutcomeLog
from lapis.curriculum.large.partition import cells
from lapis.curriculum.large.relevance import relevance
from lapis.curriculum.large.rule import capped
from lapis.curriculum.large.slopes import Slopes
from lapis.curriculum.simulation import SkillSimulation, skill_grid


def test_a_tree_halves_along_the_widest_direction():
    rows = np.stack([np.arange(8.0), np.zeros(8)], axis=1)
    found = cells(rows, depth=2)
    groups = [sorted(np.flatnonzero(found == cell)) for cell in np.unique(found)]
    assert sorted(groups) == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_equal_rows_are_in_one_cell():
    rng = np.random.default_rng(1)
    for _ in range(20):
        kinds = np.unique(rng.integers(2, size=(30, 12)).astype(float), axis=0)
        of_row = rng.integers(len(kinds), size=400)
        found = cells(kinds[of_row], depth=5)
        assert len(np.unique(np.stack([of_row, found]), axis=1).T) == len(np.unique(of_row))


def test_cells_are_of_like_size_and_clusters_do_not_depend_on_units():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(4096, 3))
    assert np.bincount(cells(features, 5), minlength=32).min() > 0.9 * 4096 / 32
    scaled = features * [1.0, 1000.0, 0.001] + [0.0, 5.0, 0.0]
    same = Centers(scaled, 32).of_rows == Centers(features, 32).of_rows
    assert same.mean() > 0.99


def test_averages_of_a_cluster_by_hand():
    features = [[0.0], [0.1], [5.0], [5.1]]
    curriculum = ClusteredProgress(4, features, cluster_count=2, memory=2.0, level_count=2)
    low, high = curriculum.cluster[[0, 2]]
    assert curriculum.cluster.tolist() == [low, low, high, high]
    curriculum.update([1, 0, 0, 0], [1, 1, 0, 0])
    # Two attempts move an average of memory 2 by 1 - 1/2^2, one of memory 8 by 1 - (7/8)^2.
    state = curriculum.state_dict()
    rates = np.array([0.75, 15 / 64])
    np.testing.assert_allclose(state["fast_"][:, low], rates * 0.5)
    np.testing.assert_allclose(state["slow_"][:, low], rates**2 * 0.5)
    curriculum.update([0, 1, 0, 0], [0, 1, 0, 0])
    second = curriculum.state_dict()["fast_"]
    np.testing.assert_allclose(second[0, low], 0.375 + 0.5 * (1 - 0.375))
    assert not second[:, high].any()


def test_constant_success_is_no_progress_and_a_change_is():
    rng = np.random.default_rng(0)
    curriculum = ClusteredProgress(2, confidence=2.5)
    attempts = np.array([20, 20])
    for _ in range(200):
        curriculum.update(rng.binomial(attempts, [0.1, 0.1]), attempts)
    assert curriculum.progress().max() < 0.02
    for _ in range(4):
        curriculum.update(rng.binomial(attempts, [0.1, 0.5]), attempts)
    progress = curriculum.progress()
    assert progress[0] < 0.02 < 0.04 < progress[1]
    assert curriculum.probabilities()[1] > 0.9


def test_neighbors_of_what_has_risen_are_explored():
    features = np.arange(40.0)[:, None]
    curriculum = ClusteredProgress(40, features, neighbor_count=2, floor=0.1)
    attempts = np.full(40, 20)
    successes = np.zeros(40, int)
    for update in range(40):
        successes[20] = update // 2
        curriculum.update(successes, attempts)
    probabilities = curriculum.probabilities()
    # Cluster 20 is nearly solved, so its neighbors have most to offer.
    far = np.delete(probabilities, [19, 20, 21])
    np.testing.assert_allclose(far, far[0], rtol=1e-6)
    assert probabilities[19] == pytest.approx(probabilities[21])
    assert probabilities[19] - 0.1 / 40 > 100 * (far[0] - 0.1 / 40)


def test_what_never_succeeds_and_what_never_changes_gets_less_the_more_it_is_tried():
    rng = np.random.default_rng(0)
    curriculum = ClusteredProgress(4, floor=0.0)
    hopes = []
    for update in range(400):
        attempts = np.array([8, 8, 0, 1])
        curriculum.update(rng.binomial(attempts, [0.0, 0.5, 0.0, 0.0]), attempts)
        if update in (49, 399):
            hopes.append(curriculum.group_hopes())
    # Eight times the attempts; a slope's deviation falls as n^-1.5, a factor of 22.
    assert (hopes[0][:2] > 8 * hopes[1][:2]).all()
    assert hopes[1][2] > 10 * hopes[1][:2].max()


def test_clusters_are_made_anew_when_a_feature_turns_out_to_mean_nothing():
    rng = np.random.default_rng(0)
    features = rng.random((2000, 2))
    one, two = (ClusteredProgress(2000, features, cluster_count=16) for _ in range(2))
    before = one.cluster.copy()
    for update in range(40):
        attempts = np.bincount(rng.integers(0, 2000, 64), minlength=2000)
        one.update(rng.binomial(attempts, (features[:, 0] > 0.5) * 0.9), attempts)
        if update == 30:
            two.load_state_dict(one.state_dict())
            np.testing.assert_array_equal(one.cluster, two.cluster)
    assert (one.cluster != before).any()
    weight = one.state_dict()["weight_"]
    assert weight[0] == 1.0
    assert weight[1] < 0.5
    # New clusters know what happened before: those of the left half have no success.
    left = features[:, 0] < 0.4
    tried = one.group_hopes()[one.cluster]
    assert tried[left].max() < 0.1
    two.load_state_dict(one.state_dict())
    np.testing.assert_array_equal(one.probabilities(), two.probabilities())


def test_hopes_and_weights_by_hand():
    rule = LargeRule(background=0.2, least_background=0.1)
    hopes = rule.hopes(
        (np.array([-0.02, -0.1, -0.1, 0.03]), np.array([0.05, 0.02, 0.1, 0.04])),
        np.array([0.1, 0.0, 0.0, 0.5]),  # reweighted: 0.5, 0, 0 and 0.9
        np.array([3.0, 0.0, 0.0, 1.0]),
        np.array([0.0, 0.125, 0.0, 0.0]),  # times 4: half as likely open as can be
    )
    # Three successes: 3/4; far from what has risen: 0.2 * (1 - 0.5) + 0.1.
    expected = [0.05 * 0.5 * 0.75, 0.1 * 0.5, 0.1 * 0.2, 0.04 * 0.1 * 0.5]
    np.testing.assert_allclose(hopes, expected)
    assert reweight(0.5) == pytest.approx(0.9)
    np.testing.assert_allclose(rule.weights(np.array([0.1, 0.4, 0.0])), [1 / 33, 32 / 33, 0.0])
    np.testing.assert_allclose(rule.weights(np.zeros(4)), 0.25)


def test_no_group_of_many_takes_most_samples():
    # Of 1,000 groups none gets more than a tenth: two high hopes are cut to that, and the others
    # share the rest as 4^2.5 = 32 to 1.
    hopes = np.full(1000, 0.001)
    hopes[:2] = 0.5, 0.1
    hopes[2:501] = 0.004
    weights = LargeRule().weights(hopes)
    np.testing.assert_allclose(weights[:2], 0.1)
    np.testing.assert_allclose(weights[2:501], 0.8 / 499 * 32 / 33)
    np.testing.assert_allclose(weights[501:], 0.8 / 499 * 1 / 33)
    # Up to 100 groups nothing is cut.
    np.testing.assert_allclose(LargeRule().weights(np.eye(100)[0]), np.eye(100)[0])
    # Cutting one may lift another above the cut; what is left over is spread evenly.
    np.testing.assert_allclose(capped(np.array([0.7, 0.3, 0.0, 0.0]), 0.4), [0.4, 0.4, 0.1, 0.1])


def test_relevance_by_hand():
    # One group of six tasks; success follows the first feature exactly, slope 1/2, no noise left.
    rows = np.array([[-1.0, 0.0], [-1.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    success = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    group = np.zeros(6, int)
    np.testing.assert_array_equal(relevance(rows, group, success, 1), [1.0, 0.1])
    # A second feature without slope: noise is 1/4 / (4 * 1) = 1/16, so the first has
    # 1/4 - 1/16 + sqrt(2) / 16 and the second 0 + sqrt(2) / 16.
    rows[:, 1] = [-np.sqrt(1.5), 0.0, np.sqrt(1.5)] * 2
    error = np.sqrt(2) / 16
    expected = np.sqrt(error / (3 / 16 + error))
    np.testing.assert_allclose(relevance(rows, group, success, 1), [1.0, expected], atol=5e-4)
    assert relevance(rows, group, np.ones(6), 1).tolist() == [1.0, 1.0]


def test_a_log_keeps_the_last_outcomes_update_by_update():
    log = OutcomeLog(3)
    for task in range(4):
        log.append(np.array([task]), np.array([0.5]), np.array([1]))
    assert [task.tolist() for task, _, _ in log.updates()] == [[1], [2], [3]]
    log.append(np.arange(5), np.zeros(5), np.ones(5))
    assert [task.tolist() for task, _, _ in log.updates()] == [[2, 3, 4]]


def test_slopes_of_levels_are_intersected_until_one_contradicts():
    slopes = Slopes(1, LargeRule(memory=10.0, level_count=2, confidence=1.0))
    for _ in range(300):
        slopes.update(np.array([1.0]), np.array([10.0]))
    low, high = slopes.bounds()
    # Constant success, so only noise is left; the long memory is 4 times the unit of slopes.
    success = slopes.noise.success(slopes.fast_.ravel())
    deviation = slopes.noise.deviation(success)[1:]
    expected = slopes.rule.lifted(success[1:], deviation)[0] / 4
    assert high[0] == pytest.approx(expected, rel=1e-3)
    assert low[0] == pytest.approx(-high[0], rel=1e-6)
    for _ in range(2):
        slopes.update(np.array([9.0]), np.array([10.0]))
    assert slopes.bounds()[0][0] > 0.01


@pytest.mark.parametrize(
    "make",
    [
        lambda count, features: ClusteredProgress(count, features, cluster_count=8),
        lambda count, features: FunctionProgress(count, features, center_count=8),
    ],
)
def test_new_tasks_join_the_groups_that_they_are_like_and_saving_goes_on(make):
    rng = np.random.default_rng(0)
    features = rng.random((64, 2))
    one, two = (make(64, features) for _ in range(2))
    for curriculum in (one, two):
        curriculum.record(3, True)
        curriculum.add_tasks(features[:3])
        assert curriculum.task_count == 67
    attempts = rng.integers(0, 3, 67)
    one.update(attempts, attempts)
    two.load_state_dict(one.state_dict())
    np.testing.assert_array_equal(one.probabilities(), two.probabilities())
    assert one.probabilities().shape == (67,)
    np.testing.assert_allclose(one.probabilities()[64:], one.probabilities()[:3])
    assert one.total_[0] == attempts.sum() + 1


def test_equal_features_form_fewer_clusters():
    curriculum = ClusteredProgress(100, np.repeat([[1.0], [2.0]], 50, axis=0), cluster_count=16)
    assert np.unique(curriculum.cluster).tolist() == [0, 1]
    curriculum = ClusteredProgress(100, np.ones((100, 2)), cluster_count=16)
    assert not curriculum.cluster.any()
    curriculum.update(np.ones(100, int), np.ones(100, int))
    np.testing.assert_allclose(curriculum.probabilities(), 0.01)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "features are needed to group 20 tasks into 8 groups"),
        ({"features": [[1.0]] * 19}, r"features must have shape \(20, feature\), not \(19, 1\)"),
        ({"features": np.ones(20)}, r"features must have shape \(20, feature\), not \(20,\)"),
        ({"features": [[np.nan]] * 20}, "features"),
        ({"features": [[1.0]] * 20, "floor": 1.3}, "floor is 1.3"),
    ],
)
def test_what_cannot_be_grouped_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        ClusteredProgress(20, cluster_count=8, **arguments)


def test_tasks_join_only_where_there_are_clusters_of_described_tasks():
    with pytest.raises(ValueError, match="add_tasks needs groups of described tasks"):
        ClusteredProgress(5).add_tasks([[1.0]])
    curriculum = ClusteredProgress(20, np.arange(40.0).reshape(20, 2), cluster_count=8)
    with pytest.raises(ValueError, match=r"shape \(task, 2\), not \(1, 3\)"):
        curriculum.add_tasks([[1.0, 2.0, 3.0]])


def test_clusters_reach_more_than_a_table_and_uniform_sampling():
    space = skill_grid(20_000, seed=0, side=16)
    reached = []
    for teacher in (
        ClusteredProgress(20_000, space.features, cluster_count=256),
        LearningProgress(20_000, time_scale=50, floor=0.1),
        Uniform(20_000),
    ):
        reached.append(SkillSimulation(space, seed=0).run(teacher, 1000, 100).reached[-1])
    assert reached[0] > 0.3
    assert reached[0] > 3 * max(reached[1:])

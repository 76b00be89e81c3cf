"""Clusters of described tasks: their cells, their averages, and who joins."""

import numpy as np
import pytest

from lapis.curriculum import ClusteredProgress, LearningProgress, Uniform, reweight
from lapis.curriculum.large.partition import Forest
from lapis.curriculum.simulation import SkillSimulation, skill_grid


def test_a_tree_halves_along_the_widest_direction():
    features = np.stack([np.arange(8.0), np.zeros(8)], axis=1)
    cells = Forest(features, tree_count=1, depth=2, seed=0).locate(features)[0]
    groups = [sorted(np.flatnonzero(cells == cell)) for cell in np.unique(cells)]
    assert sorted(groups) == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_cells_are_of_like_size_and_units_do_not_matter():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(4096, 3))
    forest = Forest(features, tree_count=4, depth=5, seed=1)
    for cells in forest.locate(features):
        assert np.bincount(cells, minlength=32).min() > 0.8 * 4096 / 32
    scaled = features * [1.0, 1000.0, 0.001] + [0.0, 5.0, 0.0]
    same = Forest(scaled, tree_count=4, depth=5, seed=1).locate(scaled)
    assert (same == forest.locate(features)).mean() > 0.999


def test_rows_that_are_near_share_more_cells_than_rows_that_are_far():
    rng = np.random.default_rng(0)
    features = rng.random((3000, 2))
    cells = Forest(features, tree_count=16, depth=6, seed=0).locate(features)
    near = np.linalg.norm(features - features[0], axis=1)
    shared = (cells == cells[:, :1]).mean(axis=0)
    assert shared[(near < 0.03)].mean() > 0.4
    assert shared[(near > 0.4)].max() == 0.0


def test_averages_of_a_cluster_by_hand():
    features = [[0.0], [0.1], [5.0], [5.1]]
    curriculum = ClusteredProgress(4, features, cluster_count=2, memory=2.0)
    low, high = curriculum.cluster[[0, 2]]
    assert curriculum.cluster.tolist() == [low, low, high, high]
    curriculum.update([1, 0, 0, 0], [1, 1, 0, 0])
    # Two attempts move an average of memory 2 by 1 - 1/2^2, towards a half.
    rate = 0.75
    fast = rate * 0.5
    assert curriculum.fast_[low] == pytest.approx(fast)
    assert curriculum.slow_[low] == pytest.approx(rate * fast)
    curriculum.update([0, 1, 0, 0], [0, 1, 0, 0])
    second = fast + 0.5 * (1.0 - fast)
    assert curriculum.fast_[low] == pytest.approx(second)
    assert curriculum.slow_[low] == pytest.approx(rate * fast + 0.5 * (second - rate * fast))
    assert curriculum.fast_[high] == 0.0
    assert curriculum.attempts_[[low, high]].tolist() == [3, 0]


def test_without_noise_shrinkage_progress_is_that_of_the_paper_after_the_start():
    curriculum = ClusteredProgress(2, memory=2.0, noise_shrinkage=0.0)
    curriculum.update([1, 0], [1, 1])
    curriculum.update([1, 1], [1, 1])
    # Task 0 has always succeeded: no progress. Task 1: weights 1/3 and 2/3 of its two outcomes in
    # fast; in slow 1/2 and 1/2 (0.25 + 0.125 - 0.125 of 0.5 each).
    fast, slow = 2 / 3, 0.5
    np.testing.assert_allclose(
        curriculum.progress(), [0.0, reweight(fast) - reweight(slow)], atol=1e-12
    )


def test_constant_success_is_no_progress_and_a_change_is():
    rng = np.random.default_rng(0)
    curriculum = ClusteredProgress(2)
    attempts = np.array([20, 20])
    for _ in range(200):
        curriculum.update(rng.binomial(attempts, [0.3, 0.3]), attempts)
    assert curriculum.progress().max() < 0.01
    for _ in range(8):
        curriculum.update(rng.binomial(attempts, [0.3, 0.7]), attempts)
    progress = curriculum.progress()
    assert progress[0] < 0.01 < 0.03 < progress[1]
    assert curriculum.probabilities()[1] > 0.9


def test_neighbors_of_progress_are_explored():
    features = np.arange(40.0)[:, None]
    curriculum = ClusteredProgress(40, features, neighbor_count=2, floor=0.1, exploration=0.3)
    attempts = np.full(40, 20)
    successes = np.zeros(40, int)
    for update in range(40):
        successes[20] = update // 2
        curriculum.update(successes, attempts)
    probabilities = curriculum.probabilities()
    # The sigmoid leaves the 39 other clusters 0.1 of what is neither floor nor exploration.
    assert probabilities[20] == pytest.approx(0.6 * 0.9, abs=0.02)
    np.testing.assert_allclose(probabilities[[19, 21]], 0.15 + 0.1 / 40, atol=0.01)
    assert probabilities[:19].sum() + probabilities[22:].sum() < 0.17


def test_new_tasks_join_the_cluster_that_they_are_like_and_saving_goes_on():
    rng = np.random.default_rng(0)
    features = rng.random((64, 2))
    one, two = (ClusteredProgress(64, features, cluster_count=8) for _ in range(2))
    for curriculum in (one, two):
        curriculum.record(3, True)
        curriculum.add_tasks(features[:3])
        assert curriculum.task_count == 67
        np.testing.assert_array_equal(curriculum.cluster[64:], curriculum.cluster[:3])
    attempts = rng.integers(0, 3, 67)
    one.update(attempts, attempts)
    two.load_state_dict(one.state_dict())
    np.testing.assert_array_equal(one.probabilities(), two.probabilities())
    assert one.probabilities().shape == (67,)
    assert one.attempts_.sum() == attempts.sum() + 1


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
        ({}, "features are needed to group 20 tasks into 8 clusters"),
        ({"features": [[1.0]] * 19}, r"features must have shape \(20, feature\), not \(19, 1\)"),
        ({"features": np.ones(20)}, r"features must have shape \(20, feature\), not \(20,\)"),
        ({"features": [[np.nan]] * 20}, "features"),
        ({"features": [[1.0]] * 20, "exploration": 0.8, "floor": 0.3}, "at most 1"),
    ],
)
def test_what_cannot_be_grouped_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        ClusteredProgress(20, cluster_count=8, **arguments)


def test_tasks_join_only_where_there_are_clusters_of_described_tasks():
    with pytest.raises(ValueError, match="add_tasks needs clusters of described tasks"):
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

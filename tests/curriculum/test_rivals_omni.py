"""OMNI's options of LearningProgress: success beyond chance, and interest."""

import numpy as np
import pytest

from lapis.curriculum import LearningProgress, beyond_random, reweight


def test_beyond_random_by_hand():
    # (0.6 - 0.2) / 0.8, chance itself, below chance, certain success, no chance at all.
    np.testing.assert_allclose(
        beyond_random([0.6, 0.2, 0.1, 1.0, 0.3], [0.2, 0.2, 0.2, 0.2, 0.0]),
        [0.5, 0.0, 0.0, 1.0, 0.3],
        rtol=1e-15,
    )


def test_progress_is_measured_beyond_chance():
    curriculum = LearningProgress(2, time_scale=2.0, random_success=[0.2, 0.0])
    curriculum.update([3, 3], [5, 5])  # fast 0.3, slow 0.15
    np.testing.assert_allclose(curriculum.fast_, [0.3, 0.3], rtol=1e-15)
    np.testing.assert_allclose(curriculum.slow_, [0.15, 0.15], rtol=1e-15)
    # Task 0: (0.3 - 0.2) / 0.8 = 1/8 and 0; f(1/8) = 0.9/8 / (1/8 + 0.1 * 3/4) = 0.5625.
    # Task 1: f(0.3) - f(0.15) = 27/34 - 27/44.
    np.testing.assert_allclose(curriculum.progress(), [0.5625, 27 / 34 - 27 / 44], rtol=1e-12)
    assert reweight(0.125) == pytest.approx(0.5625, rel=1e-15)


def test_a_task_solved_by_chance_shows_no_progress():
    by_chance = LearningProgress(2, time_scale=10.0, random_success=[0.5, 0.0])
    for _ in range(8):  # the averages rise from 0 to chance: that is no learning
        by_chance.update([1, 1], [2, 2])
    progress = by_chance.progress()
    assert progress[0] == 0.0
    assert progress[1] > 0.1
    assert by_chance.probabilities()[1] > by_chance.probabilities()[0]


def test_interest_is_a_factor_on_the_sampling_weight():
    plain = LearningProgress(3, time_scale=4.0)
    weighted = LearningProgress(3, time_scale=4.0, interest=[1.0, 0.001, 2.0])
    for curriculum in (plain, weighted):
        curriculum.update([1, 1, 0], [1, 2, 1])
    expected = plain.probabilities() * [1.0, 0.001, 2.0]
    np.testing.assert_allclose(weighted.probabilities(), expected / expected.sum(), rtol=1e-12)


def test_a_task_without_interest_is_sampled_from_the_floor_alone():
    curriculum = LearningProgress(4, interest=[0, 1, 1, 1], floor=0.2)
    curriculum.update([1, 0, 0, 0], [1, 1, 1, 1])
    assert curriculum.probabilities()[0] == pytest.approx(0.05, rel=1e-15)


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("random_success", [0.1, 1.0]),
        ("random_success", [-0.1, 0.0]),
        ("random_success", [0.1]),
        ("random_success", [np.nan, 0.1]),
        ("interest", [-1.0, 1.0]),
        ("interest", [0.0, 0.0]),
        ("interest", [np.inf, 1.0]),
        ("interest", [1.0, 1.0, 1.0]),
    ],
)
def test_bad_options_are_named(option: str, values: list[float]):
    with pytest.raises(ValueError, match=option):
        LearningProgress(2, **{option: values})

"""Prioritized Level Replay's ranks and staleness, by hand."""

import numpy as np
import pytest

from lapis.curriculum import (
    RankStaleness,
    prediction_error,
    rank_probabilities,
    stale_probabilities,
)


def test_prediction_error_of_the_mean_and_of_each_attempt():
    np.testing.assert_allclose(prediction_error([0.25, 1.0], [0.5, 0.5]), [0.25, 0.5])
    # One success in four against a prediction of 1/2: each attempt is 1/2 off.
    np.testing.assert_allclose(prediction_error([0.25, 1.0], [0.5, 0.75], "attempt"), [0.5, 0.25])


def test_rank_probabilities_by_hand():
    # Temperature 1: 1, 1/2, 1/3 over 11/6.
    np.testing.assert_allclose(
        rank_probabilities([0.1, 0.9, 0.5], 1.0), [2 / 11, 6 / 11, 3 / 11], rtol=1e-15
    )
    # Temperature 1/2: 1, 1/4, 1/9 over 49/36.
    np.testing.assert_allclose(
        rank_probabilities([0.1, 0.9, 0.5], 0.5), [4 / 49, 36 / 49, 9 / 49], rtol=1e-15
    )


def test_ties_share_the_ranks_that_they_occupy():
    # Ranks 1 and 2 share (1 + 1/2) / 2.
    np.testing.assert_allclose(
        rank_probabilities([0.9, 0.1, 0.9], 1.0), [9 / 22, 2 / 11, 9 / 22], rtol=1e-15
    )


def test_temperature_zero_is_the_first_rank_alone():
    np.testing.assert_array_equal(rank_probabilities([0.1, 0.9, 0.9], 0.0), [0.0, 0.5, 0.5])
    np.testing.assert_array_equal(rank_probabilities([0.1, 0.9, 0.5], 5e-324), [0.0, 1.0, 0.0])


def test_staleness_is_proportional_and_uniform_when_all_are_fresh():
    np.testing.assert_array_equal(stale_probabilities([3, 0, 1]), [0.75, 0.0, 0.25])
    np.testing.assert_array_equal(stale_probabilities([0, 0]), [0.5, 0.5])


def test_unseen_tasks_keep_their_share_and_seen_tasks_are_ranked():
    rival = RankStaleness(4, temperature=1.0, staleness=0.0, time_scale=2.0)
    rival.update([1, 1, 0, 0], [1, 2, 0, 0])  # errors 1 and 1/2: ranks 1 and 2 of 2 seen tasks
    np.testing.assert_array_equal(rival.score_, [1.0, 0.5, 0.0, 0.0])
    np.testing.assert_allclose(rival.probabilities(), [1 / 3, 1 / 6, 1 / 4, 1 / 4], rtol=1e-15)


def test_score_is_the_error_before_the_average_moves():
    rival = RankStaleness(1, time_scale=2.0)
    rival.update([1], [1])
    np.testing.assert_array_equal([rival.score_, rival.success_], [[1.0], [0.5]])
    rival.update([1], [4])
    np.testing.assert_array_equal([rival.score_, rival.success_], [[0.25], [0.375]])


def test_mixture_of_rank_and_staleness_by_hand():
    rival = RankStaleness(2, temperature=1.0, staleness=0.4, time_scale=4.0)
    rival.update([1, 0], [1, 1])  # errors 1 and 0
    rival.update([0, 0], [1, 0])  # error of task 0: 1/4 against 0; task 1 is 1 update old
    np.testing.assert_array_equal(rival.staleness_, [0, 1])
    # 0.6 (2/3, 1/3) + 0.4 (0, 1)
    np.testing.assert_allclose(rival.probabilities(), [0.4, 0.6], rtol=1e-15)


def test_floor_is_mixed_in_by_hand():
    curriculum = RankStaleness(2, temperature=1.0, staleness=0.0, floor=0.4)
    np.testing.assert_allclose(curriculum.probabilities(), [0.5, 0.5])
    curriculum.update([0, 1], [1, 1])
    # Ranks 2 and 1 have 1/3 and 2/3: 0.6 / 3 + 0.2 and 0.6 * 2 / 3 + 0.2.
    np.testing.assert_allclose(curriculum.probabilities(), [0.4, 0.6], rtol=1e-15)


def test_staleness_brings_a_neglected_task_back():
    rival = RankStaleness(3, staleness=0.5)
    rival.update([1, 1, 0], [1, 1, 1])
    shares = []
    for _ in range(5):
        rival.update([1, 1, 0], [1, 1, 0])
        shares.append(rival.probabilities()[2])
    assert min(shares) >= 0.5


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("temperature", -0.1),
        ("staleness", 1.1),
        ("time_scale", 0.9),
        ("error", "square"),
        ("floor", 1.1),
    ],
)
def test_bad_options_are_named(option: str, value: float | str):
    with pytest.raises(ValueError, match=option):
        RankStaleness(3, **{option: value})

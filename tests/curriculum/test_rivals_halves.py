"""Half-window absolute progress, by hand."""

import numpy as np
import pytest

from lapis.curriculum import HalfWindow, half_window_progress


def test_progress_is_the_absolute_difference_of_the_halves():
    # Older half 0, 1/2; newer half 1, 1/2: 3/4 - 1/4.
    np.testing.assert_allclose(half_window_progress([[0.0, 0.5, 1.0, 0.5]], [4]), [0.5])
    np.testing.assert_allclose(half_window_progress([[1.0, 0.5, 0.0, 0.5]], [4]), [0.5])


def test_ring_starts_where_the_oldest_score_is():
    # Six scores went into four slots: slots 2 and 3 hold the older half.
    np.testing.assert_allclose(half_window_progress([[1.0, 0.75, 0.25, 0.0]], [6]), [0.75])


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, 0.0),
        (1, 0.0),
        (2, 0.5),  # 0.25 | 0.75
        (3, 0.5),  # 0.25, 0.75 | 1.0
    ],
)
def test_a_window_that_fills_is_halved(count: int, expected: float):
    progress = half_window_progress([[0.25, 0.75, 1.0, 9.0]], [count])
    np.testing.assert_allclose(progress, [expected], rtol=1e-15)


def test_equal_scores_have_no_progress_exactly():
    counts = np.arange(30)
    np.testing.assert_array_equal(
        half_window_progress(np.full((30, 14), 0.1), counts), np.zeros(30)
    )


def test_progress_equals_means_of_the_last_scores():
    rng = np.random.default_rng(3)
    rival = HalfWindow(2, half_window=3)
    scores: list[list[float]] = [[], []]
    for _ in range(40):
        attempts = rng.integers(0, 3, 2)
        successes = rng.binomial(attempts, 0.5)
        rival.update(successes, attempts)
        for task in np.flatnonzero(attempts):
            scores[task].append(successes[task] / attempts[task])
    expected = [abs(np.mean(kept[-3:]) - np.mean(kept[-6:-3])) for kept in scores]
    np.testing.assert_allclose(rival.progress_, expected, rtol=1e-12, atol=1e-15)


def test_probabilities_are_proportional_to_progress_above_the_floor():
    rival = HalfWindow(3, half_window=1, floor=0.3)
    rival.update([0, 1, 1], [1, 4, 2])
    np.testing.assert_array_equal(rival.probabilities(), [1 / 3] * 3)  # one score each: unknown
    rival.update([3, 2, 1], [4, 4, 2])  # 0 -> 3/4, 1/4 -> 1/2, 1/2 -> 1/2
    np.testing.assert_array_equal(rival.progress_, [0.75, 0.25, 0.0])
    np.testing.assert_allclose(rival.probabilities(), [0.625, 0.275, 0.1], rtol=1e-15)


@pytest.mark.parametrize(
    ("option", "value"), [("half_window", 0), ("half_window", 1.0), ("floor", -0.1)]
)
def test_bad_options_are_named(option: str, value: float):
    with pytest.raises(ValueError, match=option):
        HalfWindow(3, **{option: value})

"""Averages over all updates: by hand, their time scale at any number of attempts, their noise."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapis.curriculum import LearningProgress
from lapis.curriculum.recent import RecentOutcomes

RATES = [0.1, 0.5, 1.0, 30.0, 1000.0]
"""Attempts per task and update."""


def curriculum_of(task_count, **options):
    return LearningProgress(task_count, averaging="all_updates", **options)


def test_two_tasks_by_hand():
    # Time scale 2: weights 1/2, 1/4, ... by age. The second task is tried in the first and the
    # last of three updates.
    curriculum = curriculum_of(2, time_scale=2.0)
    curriculum.update([1, 4], [1, 4])
    np.testing.assert_allclose(curriculum.fast_, [0.5, 0.5])  # half is the start at 0
    np.testing.assert_allclose(curriculum.slow_, [0.25, 0.25])
    curriculum.update([0, 0], [3, 0])
    # First: successes 1/2 of 1/2 + 3 = 7/2 weighted attempts, so 1/7, times the share 3/4.
    # Second: still 1, times 3/4.
    np.testing.assert_allclose(curriculum.fast_, [3 / 28, 3 / 4])
    np.testing.assert_allclose(curriculum.slow_, [(1 / 4 + 3 / 28) / 2, 1 / 2])
    curriculum.update([2, 0], [2, 1])
    # First: (1/4 + 2) / (1/4 + 3/2 + 2) = 3/5. Second: (4/4) / (4/4 + 1) = 1/2. The share is 7/8.
    np.testing.assert_allclose(curriculum.fast_, [7 / 8 * 3 / 5, 7 / 16])
    np.testing.assert_allclose(curriculum.slow_[1], (1 / 2 + 7 / 16) / 2)


def test_recent_attempts_by_hand():
    recent = RecentOutcomes(2, time_scale=2.0)
    np.testing.assert_allclose(recent.update(np.array([1, 0]), np.array([4, 0])), [1.0, 0.0])
    np.testing.assert_allclose(recent.update(np.array([0, 0]), np.array([0, 0])), [0.0, 0.0])
    # 4 attempts of weight 1/4 are 1 per update, worth 2 * 2 - 1 = 3 equally weighted ones.
    np.testing.assert_allclose(recent.attempts, [3.0, 0.0])
    np.testing.assert_allclose(recent.success_, [0.25, 0.0])
    # One more attempt: its weight is 1/2 of 1/2 + 1/2.
    np.testing.assert_allclose(recent.update(np.array([1, 0]), np.array([1, 0])), [0.5, 0.0])
    np.testing.assert_allclose(recent.success_, [0.625, 0.0])


def test_equal_attempts_in_all_updates_give_the_papers_averages():
    rng = np.random.default_rng(0)
    paper = LearningProgress(5, time_scale=20.0)
    other = curriculum_of(5, time_scale=20.0)
    for _ in range(200):
        successes = rng.binomial(8, [0.0, 0.1, 0.5, 0.9, 1.0])
        for curriculum in (paper, other):
            curriculum.update(successes, np.full(5, 8))
    # 200 updates of a few roundings each.
    np.testing.assert_allclose(other.fast_, paper.fast_, rtol=0, atol=1e-13)
    np.testing.assert_allclose(other.slow_, paper.slow_, rtol=0, atol=1e-13)


def attempts_at(rate, task_count, rng):
    """About `rate` attempts of each task; below 1, one attempt in some of the updates."""
    if rate < 1.0:
        return (rng.random(task_count) < rate).astype(int)
    return rng.poisson(rate, task_count)


def updates_to(level, curriculum, rate, rng):
    """Updates until the mean fast average of tasks that always succeed reaches the level."""
    for update in range(1, 20 * int(curriculum.time_scale)):
        attempts = attempts_at(rate, curriculum.task_count, rng)
        curriculum.update(attempts, attempts)
        if curriculum.fast_.mean() >= level:
            return update
    raise AssertionError("the level was never reached")


@pytest.mark.parametrize("rate", RATES)
def test_a_task_that_always_succeeds_is_at_63_percent_after_the_time_scale(rate):
    curriculum = curriculum_of(400, time_scale=50.0)
    found = updates_to(1.0 - math.exp(-1.0), curriculum, rate, np.random.default_rng(1))
    assert found == pytest.approx(50.0, rel=0.1)


@pytest.mark.parametrize("rate", RATES)
def test_so_is_a_task_that_failed_for_long_before(rate):
    rng = np.random.default_rng(2)
    curriculum = curriculum_of(400, time_scale=50.0)
    for _ in range(500):
        attempts = attempts_at(rate, 400, rng)
        curriculum.update(np.zeros(400, int), attempts)
    found = updates_to(1.0 - math.exp(-1.0), curriculum, rate, rng)
    assert found == pytest.approx(50.0, rel=0.1)


@pytest.mark.parametrize("rate", RATES)
def test_progress_is_greatest_after_the_time_scale(rate):
    # Without reweighting it is (t / tau) exp(-t / tau) of the change: 1 / e at t = tau. The slow
    # average has the stated time scale too, or this would not hold.
    rng = np.random.default_rng(3)
    curriculum = curriculum_of(400, time_scale=50.0, reweight_threshold=0.5)
    for _ in range(500):
        curriculum.update(np.zeros(400, int), attempts_at(rate, 400, rng))
    course = []
    for _ in range(150):
        attempts = attempts_at(rate, 400, rng)
        curriculum.update(attempts, attempts)
        course.append(float(curriculum.progress().mean()))
    assert max(course) == pytest.approx(1.0 / math.e, rel=0.1)
    half = np.flatnonzero(np.array(course) >= 0.5 * max(course))
    # t exp(-t) is half its maximum at 0.232 and 2.678.
    assert (half[-1] - half[0]) / 50.0 == pytest.approx(2.678 - 0.232, rel=0.1)


def test_the_papers_averages_take_ten_times_as_long_at_a_tenth_of_an_attempt():
    paper = LearningProgress(400, time_scale=20.0)
    found = updates_to(1.0 - math.exp(-1.0), paper, 0.1, np.random.default_rng(1))
    assert found == pytest.approx(200.0, rel=0.1)


def test_an_untried_task_keeps_its_success_and_loses_its_progress():
    curriculum = curriculum_of(2, time_scale=10.0)
    for _ in range(100):
        curriculum.update([0, 0], [5, 5])
    for _ in range(10):
        curriculum.update([4, 0], [5, 5])
    before, fast = curriculum.progress()[0], curriculum.fast_[0]
    for _ in range(50):
        curriculum.update([0, 0], [0, 5])
    assert curriculum.fast_[0] == pytest.approx(fast, rel=1e-4)  # the rest of the start goes
    # Five time scales later e^-5 of the difference is left; reweighting stretches it a little.
    assert curriculum.progress()[0] < 0.02 * before


def test_the_first_attempt_after_a_very_long_time_is_all_that_counts():
    curriculum = curriculum_of(1, time_scale=2.0)
    curriculum.update([7], [7])
    for _ in range(3000):  # 2^-3000 is no number any more.
        curriculum.update([0], [0])
    assert curriculum.fast_[0] == 1.0
    curriculum.update([0], [1])
    assert curriculum.fast_[0] == 0.0


@settings(max_examples=100, deadline=None)
@given(
    counts=st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)).map(sorted), min_size=1, max_size=30
    ),
    time_scale=st.floats(1.0, 1e6),
)
def test_averages_lie_between_0_and_the_greatest_outcome(counts, time_scale):
    curriculum = curriculum_of(1, time_scale=time_scale, noise_shrinkage=1.0)
    for successes, attempts in counts:
        curriculum.update([successes], [attempts])
    best = max((s / n for s, n in counts if n), default=0.0)
    # The mean of outcomes rounds like any sum of thirty numbers.
    assert 0.0 <= curriculum.slow_[0] <= best * (1 + 1e-14)
    assert 0.0 <= curriculum.fast_[0] <= best * (1 + 1e-14)
    assert 0.0 <= curriculum.progress()[0] <= 1.0
    curriculum.load_state_dict(curriculum.state_dict())  # which checks what it loads


@settings(max_examples=50, deadline=None)
@given(counts=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted), max_size=20))
def test_many_attempts_weigh_like_as_many_single_tasks(counts):
    # A task with ten times the successes and attempts has the same average.
    curriculum = curriculum_of(2, time_scale=5.0)
    for successes, attempts in counts:
        curriculum.update([successes, 10 * successes], [attempts, 10 * attempts])
    np.testing.assert_allclose(curriculum.fast_[0], curriculum.fast_[1], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("success", [0.05, 0.3, 0.95])
@pytest.mark.parametrize("rate", [0.3, 5.0])
def test_noise_is_that_of_monte_carlo(success, rate):
    rng, run_count = np.random.default_rng(3), 4000
    curriculum = curriculum_of(
        run_count, time_scale=50.0, noise_shrinkage=1e-9, reweight_threshold=0.5
    )
    tried = [int(attempts_at(rate, 1, rng)[0]) for _ in range(400)]
    for attempts in tried:
        counts = np.full(run_count, attempts)
        curriculum.update(rng.binomial(counts, success), counts)
    # The tasks are runs. Progress is |difference|, whose root mean square is its deviation.
    measured = np.sqrt(np.mean(curriculum.progress() ** 2))
    assert curriculum._noise is not None
    predicted = curriculum._noise.deviation(np.full(run_count, success))[0]
    # 4,000 runs leave a relative error of 1 / sqrt(8,000) = 1.1 %; four times that.
    assert predicted == pytest.approx(measured, rel=0.045)


def test_noise_removes_the_start_at_0():
    curriculum = curriculum_of(3, time_scale=50.0, noise_shrinkage=1.0)
    for update in range(60):
        # A constant success of 0.3; the second task is first tried later, the third never.
        attempts = [1000, 1000 * (update > 30), 0]
        curriculum.update([300, 300 * (update > 30), 0], attempts)
    assert curriculum.progress().tolist() == [0.0, 0.0, 0.0]


def test_uncertainty_by_hand_and_growing_while_a_task_is_not_tried():
    curriculum = curriculum_of(3, time_scale=1.0, reweight_threshold=0.5)
    curriculum.update([0, 2, 0], [0, 4, 1])
    # Time scale 1: only the newest update counts. Unknown: 1/2 +- 1/2. Two of four: 1/2, deviation
    # sqrt(1/4 / 5). None of one: 1/4, deviation sqrt(3/16 / 2), cut at 0.
    third = np.sqrt(3 / 32)
    expected = [0.5, np.sqrt(0.05), 0.5 * (0.25 + third)]
    np.testing.assert_allclose(curriculum.uncertainty(), expected)
    curriculum = curriculum_of(2, time_scale=10.0)
    for _ in range(100):
        curriculum.update([5, 5], [10, 10])
    known = curriculum.uncertainty()[0]
    course = []
    for _ in range(100):
        curriculum.update([0, 5], [0, 10])
        course.append(float(curriculum.uncertainty()[0]))
    assert (np.diff(course) > 0.0).all()
    assert course[-1] > 10 * known
    assert curriculum.uncertainty()[1] == pytest.approx(known, rel=1e-3)


def test_optimism_adds_uncertainty_to_progress():
    options = {"time_scale": 10.0, "averaging": "all_updates"}
    plain, hopeful = LearningProgress(3, **options), LearningProgress(3, optimism=0.5, **options)
    for curriculum in (plain, hopeful):
        for update in range(40):
            curriculum.update([0, update % 2, 3], [0, 2, 5])
    expected = plain.progress() + 0.5 * plain.uncertainty()
    np.testing.assert_array_equal(hopeful.progress(), expected)
    assert hopeful.probabilities()[0] > 0.9  # never tried: nothing is known about it
    assert hopeful.uncertainty()[0] == pytest.approx(0.5)


def test_optimism_goes_with_the_papers_averages_too():
    paper, hopeful = (
        LearningProgress(2, time_scale=5.0),
        LearningProgress(2, time_scale=5.0, optimism=1.0),
    )
    for curriculum in (paper, hopeful):
        for _ in range(7):
            curriculum.update([1, 0], [2, 0])
    np.testing.assert_array_equal(hopeful.fast_, paper.fast_)
    np.testing.assert_array_equal(hopeful.slow_, paper.slow_)
    np.testing.assert_array_equal(hopeful.progress(), paper.progress() + hopeful.uncertainty())


def test_uncertainty_is_refused_where_it_is_not_tracked():
    with pytest.raises(ValueError, match="only with averaging 'all_updates' or optimism > 0"):
        LearningProgress(2).uncertainty()

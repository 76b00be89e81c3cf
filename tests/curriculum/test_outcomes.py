"""Scores between 0 and 1, and the class that counts outcomes of any kind."""

import json

import numpy as np
import pytest

from lapis.curriculum import LearningProgress, OutcomeCounts, Uniform, scores_of_returns
from tests.teacher_contract import CASES, assert_same_state

NAN = float("nan")


def test_a_score_moves_the_average_by_its_share():
    curriculum = LearningProgress(2, time_scale=4)
    curriculum.update([1.5, 0.0], [2, 0])
    # fast = 0 + (1.5 / 2 - 0) / 4, slow = 0 + (fast - 0) / 4; the other task was not tried.
    assert curriculum.fast_.tolist() == [0.1875, 0.0]
    assert curriculum.slow_.tolist() == [0.046875, 0.0]


def test_whole_sums_in_floats_are_counts():
    counted, summed = LearningProgress(2), LearningProgress(2)
    counted.update([1, 0], [2, 1])
    summed.update(np.array([1.0, 0.0]), np.array([2.0, 1.0]))
    assert_same_state(counted.state_dict(), summed.state_dict())


@pytest.mark.parametrize("name", CASES)
def test_recorded_scores_equal_their_sums_in_every_teacher(name):
    make = CASES[name].make
    summed, recorded = make(np.arange(3)), make(np.arange(3))
    for update in range(4):
        scores = [0.25, 1.0, 0.5, update / 4]
        recorded.record(2, True)
        for score in scores:
            recorded.record(1, score)
        recorded.update()
        squares = [0.0, sum(score * score for score in scores), 1.0]  # exact in binary
        summed.update([0.0, sum(scores), 1.0], [0, 4, 1], squares)
    assert_same_state(recorded.state_dict(), summed.state_dict())
    np.testing.assert_array_equal(recorded.probabilities(), summed.probabilities())


def test_sums_of_recorded_scores_do_not_depend_on_their_order():
    rng = np.random.default_rng(0)
    scores = rng.random(1000)
    states = []
    for order in (np.arange(1000), rng.permutation(1000), np.arange(1000)[::-1]):
        curriculum = LearningProgress(1, time_scale=1, noise_shrinkage=1)
        for score in scores[order]:
            curriculum.record(0, score)
        curriculum.update()
        states.append(curriculum.state_dict())
    assert_same_state(states[0], states[1])
    assert_same_state(states[0], states[2])


def test_ten_tenths_are_one():
    curriculum = LearningProgress(1, time_scale=1)
    for _ in range(10):
        curriculum.record(0, 0.1)
    curriculum.update()
    assert curriculum.fast_.tolist() == [0.1]  # 1.0 / 10; adding one by one gives 0.0999...


def test_recorded_scores_are_saved_and_go_on_bit_for_bit():
    through, loaded = (LearningProgress(2, time_scale=3, noise_shrinkage=1) for _ in range(2))
    through.update([0.3, 1], [1, 1], [0.09, 1])
    for score in (0.1, 0.2, 0.7):
        through.record(0, score)
    text = json.dumps({k: np.asarray(v).tolist() for k, v in through.state_dict().items()})
    loaded.load_state_dict(json.loads(text))
    for curriculum in (through, loaded):
        curriculum.record(0, 0.4)
        curriculum.update()
    assert_same_state(through.state_dict(), loaded.state_dict())
    assert "recorded_scores" not in through.state_dict()  # they have been learned from


def test_states_without_scores_have_the_keys_they_always_had():
    curriculum = LearningProgress(2, noise_shrinkage=1)
    curriculum.record(0, True)
    names = {"class", "task_count", "recorded", "fast_", "slow_", "noise"}
    assert curriculum.state_dict().keys() == names


@pytest.mark.parametrize(
    "saved", [[[5.0, 0.5]], [[0.5, 0.5]], [[0.0, 1.5]], [[0.0, NAN]], [0.5], [["a", "b"]]]
)
def test_bad_saved_scores_are_refused_and_change_nothing(saved):
    curriculum = LearningProgress(2)
    curriculum.record(1, 0.5)
    before = curriculum.state_dict()
    with pytest.raises(ValueError, match="recorded_scores"):
        curriculum.load_state_dict({**LearningProgress(2).state_dict(), "recorded_scores": saved})
    assert_same_state(before, curriculum.state_dict())


@pytest.mark.parametrize("score", [-0.1, 1.1, NAN, "0.5", None, [0.5], 0.5j])
def test_what_is_no_score_is_refused(score):
    with pytest.raises(ValueError, match="success"):
        LearningProgress(2).record(0, score)


@pytest.mark.parametrize(
    ("squares", "message"),
    [
        ([0.6, 0], r"squares\[0\] is 0.6"),
        ([-1, 0], r"squares\[0\]"),
        ([0.1], "squares must have shape"),
    ],
)
def test_squares_that_cannot_be_are_refused(squares, message):
    with pytest.raises(ValueError, match=message):
        LearningProgress(2).update([0.5, 0], [1, 1], squares)


def test_squares_alone_are_refused():
    with pytest.raises(ValueError, match="squares together with successes"):
        LearningProgress(2).update(squares=[0, 0])


def test_constant_scores_have_only_the_noise_of_the_prior():
    curriculum = LearningProgress(3, time_scale=1, noise_shrinkage=1)
    # 9 scores of 0.5 each; 4 or 5 successes in 9; scores of 0.5 whose spread nobody told of.
    curriculum.update([4.5, 4, 4.5], [9, 9, 9], [2.25, 4, 4.5])
    # Jeffreys: p = 5/10, p (1 - p) = 1/4; E[s (1 - s)] = 9/10 of 1/4; the variance that is left
    # is 1/40, a tenth of that of successes with the same mean.
    success = curriculum._noise.success(curriculum.fast_)
    assert success.tolist() == [0.5, 0.45, 0.5]
    curriculum._noise.factors_[2] = 0  # so that fast - slow has a variance of its own
    deviation = curriculum._noise.deviation(success)
    assert deviation[0] == pytest.approx(deviation[2] / np.sqrt(10))
    assert deviation[1] == pytest.approx(deviation[2] * np.sqrt(0.45 * 0.55 / 0.25))


def test_noise_of_scores_is_what_monte_carlo_finds():
    rng = np.random.default_rng(0)
    scores = rng.beta(4, 4, (3000, 120, 5))  # mean 1/2, variance 1/36: a ninth of a coin's
    curriculum = LearningProgress(3000, time_scale=10, noise_shrinkage=1)
    for update in range(120):
        own = scores[:, update]
        squares = (own * own).sum(axis=1)
        curriculum.update(own.sum(axis=1), np.full(3000, 5), squares)
    fast, slow = curriculum._noise.unbiased(curriculum.fast_, curriculum.slow_)
    found = np.std(fast - slow)
    predicted = curriculum._noise.deviation(curriculum._noise.success(curriculum.fast_)).mean()
    assert predicted == pytest.approx(found, rel=0.05)
    blind = LearningProgress(3000, time_scale=10, noise_shrinkage=1)
    for update in range(120):
        blind.update(scores[:, update].sum(axis=1), np.full(3000, 5))
    assumed = blind._noise.deviation(blind._noise.success(blind.fast_)).mean()
    assert assumed == pytest.approx(3 * found, rel=0.05)


def test_graded_noise_is_forgotten_when_outcomes_become_whole():
    curriculum = LearningProgress(1, time_scale=2, noise_shrinkage=1)
    curriculum.update([0.5], [1], [0.25])
    assert curriculum._noise.graded_.tolist() == [0.125]
    curriculum.update([1], [1])
    assert curriculum._noise.graded_.tolist() == [0.0625]


def test_counts_are_what_was_added():
    counts = OutcomeCounts(3)
    counts.add(0, True)
    counts.add(np.int64(0), np.bool_(False))
    counts.add(2.0, np.float32(0.5))
    successes, attempts, squares = counts.totals()
    assert successes.tolist() == [1.0, 0.0, 0.5]
    assert attempts.tolist() == [2, 0, 1]
    assert squares.tolist() == [1.0, 0.0, 0.25]


def test_without_scores_counts_stay_whole():
    counts = OutcomeCounts(2)
    counts.add_many([0, 1, 1], [True, 0, 1.0])
    successes, attempts, squares = counts.totals()
    assert successes.tolist() == [1, 1]
    assert successes.dtype == attempts.dtype == np.int64
    assert attempts.tolist() == [1, 2]
    assert squares is None


@pytest.mark.parametrize(
    "info",
    [
        {},
        {"task": 1},
        {"task_succeeded": True},
        {"task": 1, "task_succeeded": None},
        {"task": 1, "task_succeeded": NAN},
        {"task": NAN, "task_succeeded": True},
        {"task": np.float32("nan"), "task_succeeded": np.float32("nan")},
    ],
)
def test_nan_and_missing_keys_are_no_attempts(info):
    counts = OutcomeCounts(2)
    counts.add_info(info)
    assert counts.totals()[1].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("task", "outcome", "message"),
    [
        (2, True, "task is 2"),
        (-1, True, "task is -1"),
        (0.5, True, "task"),
        (0, 2, "outcome must be"),
    ],
)
def test_what_cannot_be_counted_is_refused(task, outcome, message):
    counts = OutcomeCounts(2)
    with pytest.raises(ValueError, match=message):
        counts.add(task, outcome)
    assert counts.totals()[1].tolist() == [0, 0]


def test_parts_of_workers_add_up_to_the_bit():
    rng = np.random.default_rng(3)
    tasks = rng.integers(4, size=600)
    outcomes = np.where(rng.random(600) < 0.5, rng.random(600), rng.random(600) < 0.3)
    alone, together = OutcomeCounts(4), OutcomeCounts(4)
    alone.add_many(tasks, outcomes)
    for worker in reversed(range(3)):
        part = OutcomeCounts(4)
        part.add_many(tasks[worker::3], outcomes[worker::3])
        together.merge(part)
    for one, other in zip(alone.totals(), together.totals(), strict=True):
        np.testing.assert_array_equal(one, other, strict=True)
    with pytest.raises(ValueError, match="3 tasks; this has 4"):
        together.merge(OutcomeCounts(3))


def test_teaching_updates_once_and_starts_anew():
    counts, taught, plain = OutcomeCounts(2), LearningProgress(2), LearningProgress(2)
    counts.add_many([0, 0, 1], [True, False, 0.5])
    probabilities = counts.teach(taught)
    plain.update([1, 0.5], [2, 1], [1, 0.25])
    assert_same_state(taught.state_dict(), plain.state_dict())
    np.testing.assert_array_equal(probabilities, plain.probabilities())
    assert counts.totals()[1].tolist() == [0, 0]


def test_teachers_without_noise_take_scores_too():
    counts = OutcomeCounts(1)
    counts.add(0, 0.5)
    assert counts.teach(Uniform(1)).tolist() == [1.0]


def test_returns_become_scores():
    scores = scores_of_returns([-20.0, -10.0, 0.0, 10.0, 99.0, NAN], low=-10.0, high=10.0)
    np.testing.assert_array_equal(scores, [0.0, 0.0, 0.5, 1.0, 1.0, NAN])
    per_task = scores_of_returns([[5.0, 5.0]], low=[0.0, 4.0], high=[10.0, 8.0])
    assert per_task.tolist() == [[0.5, 0.25]]
    for low, high in ((1.0, 1.0), (2.0, 1.0), (NAN, 1.0), (0.0, float("inf"))):
        with pytest.raises(ValueError, match=r"low|high"):
            scores_of_returns([0.0], low, high)
    with pytest.raises(ValueError, match=r"shapes \(3,\), \(2,\) and \(\), which do not fit"):
        scores_of_returns([0.0, 0.0, 0.0], low=[0.0, 1.0], high=2.0)

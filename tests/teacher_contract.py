"""What every curriculum promises, as one set of tests for all of them.

No curriculum breaks ties by the index of a task: tied tasks share what they tie for. So renaming
the tasks renames the output, without exceptions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapis.curriculum import (
    ClusteredProgress,
    FunctionProgress,
    HalfWindow,
    Learnability,
    LearningProgress,
    RankStaleness,
    RegressionSlope,
    SuccessBand,
    Teacher,
    Uniform,
)

History = list[tuple[np.ndarray, np.ndarray]]


@dataclasses.dataclass(frozen=True)
class Case:
    make: Callable[[np.ndarray], Teacher]
    """Builds the curriculum; gets the tasks' names, for options that differ between tasks."""
    start: Callable[[np.ndarray], np.ndarray] = lambda names: np.ones(names.size)
    """What the first probabilities are proportional to."""
    ages: tuple[str, ...] = ()
    """What grows by 1 in an update without attempts."""
    fades: tuple[str, ...] = ()
    """What else may change in one."""
    aging_moves_probabilities: bool = False


def _interest(names: np.ndarray) -> np.ndarray:
    return 0.5 + names % 3


def _random_success(names: np.ndarray) -> np.ndarray:
    return 0.1 * (names % 5)


def _described(names: np.ndarray) -> np.ndarray:
    """Two features; some tasks have the same ones."""
    return np.stack([names // 2, (names // 2) ** 2 % 7], axis=1)


CASES = {
    "uniform": Case(lambda names: Uniform(names.size)),
    "progress": Case(lambda names: LearningProgress(names.size, time_scale=4.0)),
    "progress_up": Case(
        lambda names: LearningProgress(names.size, time_scale=4.0, direction="up", floor=0.1)
    ),
    "progress_paper": Case(lambda names: LearningProgress(names.size)),
    "progress_noise": Case(
        lambda names: LearningProgress(names.size, time_scale=4.0, noise_shrinkage=1.0)
    ),
    "progress_random": Case(
        lambda names: LearningProgress(
            names.size, time_scale=4.0, random_success=_random_success(names)
        )
    ),
    "progress_interest": Case(
        lambda names: LearningProgress(names.size, time_scale=4.0, interest=_interest(names)),
        start=_interest,
    ),
    "progress_proportional": Case(
        lambda names: LearningProgress(names.size, time_scale=4.0, weighting="proportional")
    ),
    "progress_proportional_interest": Case(
        lambda names: LearningProgress(
            names.size, time_scale=4.0, weighting="proportional", interest=_interest(names)
        ),
        start=_interest,
    ),
    "progress_all_updates": Case(
        lambda names: LearningProgress(names.size, time_scale=4.0, averaging="all_updates"),
        fades=("fast_", "slow_", "recent_success", "recent_attempts", "recent_share"),
        aging_moves_probabilities=True,
    ),
    "progress_all_updates_noise": Case(
        lambda names: LearningProgress(
            names.size, time_scale=4.0, averaging="all_updates", noise_shrinkage=1.0, optimism=0.3
        ),
        fades=("fast_", "slow_", "recent_success", "recent_attempts", "recent_share", "noise"),
        aging_moves_probabilities=True,
    ),
    "progress_optimism": Case(
        lambda names: LearningProgress(names.size, time_scale=4.0, optimism=1.0),
        fades=("recent_success", "recent_attempts", "recent_share"),
        aging_moves_probabilities=True,
    ),
    "progress_everything": Case(
        lambda names: LearningProgress(
            names.size,
            time_scale=4.0,
            noise_shrinkage=2.0,
            random_success=_random_success(names),
            interest=_interest(names),
        ),
        start=_interest,
    ),
    "band": Case(lambda names: SuccessBand(names.size, time_scale=2.0)),
    "band_bare": Case(lambda names: SuccessBand(names.size, low=0.0, high=0.5, floor=0.0)),
    "learnability": Case(lambda names: Learnability(names.size, time_scale=2.0)),
    "learnability_bare": Case(
        lambda names: Learnability(names.size, top_count=1, time_scale=1.0, floor=0.0)
    ),
    "slope": Case(lambda names: RegressionSlope(names.size, window=3), ages=("update_",)),
    "slope_boltzmann": Case(
        lambda names: RegressionSlope(names.size, window=2, temperature=0.0004, floor=0.0),
        ages=("update_",),
    ),
    "rank": Case(
        lambda names: RankStaleness(names.size, time_scale=2.0),
        ages=("staleness_",),
        aging_moves_probabilities=True,
    ),
    "rank_greedy": Case(
        lambda names: RankStaleness(names.size, temperature=0.0, staleness=0.0, error="attempt"),
        ages=("staleness_",),
    ),
    "rank_floor": Case(
        lambda names: RankStaleness(names.size, time_scale=2.0, staleness=0.0, floor=0.3),
        ages=("staleness_",),
    ),
    "rank_stale": Case(
        lambda names: RankStaleness(names.size, staleness=1.0),
        ages=("staleness_",),
        aging_moves_probabilities=True,
    ),
    "clusters": Case(
        lambda names: (
            ClusteredProgress(names.size, cluster_count=4096, memory=4.0)
            if names.size <= 4096
            else ClusteredProgress(names.size, _described(names))
        )
    ),
    "clusters_described": Case(
        lambda names: ClusteredProgress(
            names.size, _described(names), cluster_count=2, memory=4.0, confidence=0.5
        )
    ),
    "clusters_near": Case(
        lambda names: ClusteredProgress(
            names.size, _described(names), memory=4.0, confidence=0.5, neighbor_count=1
        )
    ),
    "function": Case(
        lambda names: FunctionProgress(names.size, _described(names), memory=4.0, confidence=0.5)
    ),
    "function_of_two": Case(
        lambda names: FunctionProgress(
            names.size, _described(names), center_count=2, near_count=2, memory=4.0
        )
    ),
    "halves": Case(lambda names: HalfWindow(names.size, half_window=2)),
    "halves_bare": Case(lambda names: HalfWindow(names.size, half_window=1, floor=0.0)),
}

for_every_curriculum = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


@st.composite
def histories(draw: st.DrawFn, least: int = 0) -> History:
    """Outcomes of up to 9 updates of 1 to 6 tasks, many of them without attempts."""
    task_count = draw(st.integers(1, 6))
    attempts = st.one_of(st.just(0), st.integers(0, 4), st.integers(0, 10**12))
    updates = []
    for _ in range(draw(st.integers(least, 9))):
        tried = [draw(attempts) for _ in range(task_count)]
        succeeded = [draw(st.integers(0, count)) for count in tried]
        updates.append((np.array(succeeded), np.array(tried)))
    if not updates:
        updates.append((np.zeros(task_count, int), np.zeros(task_count, int)))
    return updates


def teach(case: Case, history: History) -> Teacher:
    """A curriculum that has seen the history."""
    curriculum = case.make(np.arange(history[0][0].size))
    for successes, attempts in history:
        curriculum.update(successes, attempts)
    return curriculum


def assert_same_state(one: dict, other: dict, except_for: tuple[str, ...] = ()) -> None:
    assert one.keys() == other.keys()
    for name in one.keys() - set(except_for):
        np.testing.assert_array_equal(one[name], other[name], err_msg=name, strict=True)


FIXED_HISTORY: History = [
    (np.array(successes), np.array(attempts))
    for successes, attempts in [
        ([0, 1, 2, 0, 0], [2, 2, 2, 0, 1]),
        ([1, 1, 0, 0, 0], [1, 2, 0, 0, 1]),
        ([2, 0, 1, 0, 0], [3, 1, 1, 0, 0]),
        ([0, 3, 1, 0, 1], [1, 3, 4, 0, 1]),
        ([1, 2, 0, 0, 1], [1, 2, 1, 0, 2]),
    ]
]


@settings(max_examples=60, deadline=None)
@given(history=histories())
def test_probabilities_are_a_distribution_for_any_valid_input(history: History):
    for case in CASES.values():
        curriculum = teach(case, history)
        probabilities = curriculum.probabilities()
        assert probabilities.shape == (history[0][0].size,)
        assert probabilities.dtype == np.float64
        assert np.isfinite(probabilities).all()
        assert (probabilities >= 0.0).all()
        assert abs(probabilities.sum() - 1.0) <= 1e-12


@for_every_curriculum
def test_probabilities_are_uniform_when_nothing_is_known(case: Case):
    for task_count in (1, 2, 107, 10_000):
        names = np.arange(task_count)
        start = case.start(names)
        np.testing.assert_allclose(
            case.make(names).probabilities(), start / start.sum(), rtol=1e-12, atol=0.0
        )


@for_every_curriculum
def test_one_task_has_probability_one(case: Case):
    history = [(np.array([success]), np.array([1])) for success in (0, 1, 1, 0)]
    np.testing.assert_allclose(teach(case, history).probabilities(), [1.0], rtol=1e-12)


@settings(max_examples=40, deadline=None)
@given(history=histories(least=1), pause=st.integers(0, 9))
def test_a_loaded_curriculum_continues_bit_for_bit(history: History, pause: int):
    for case in CASES.values():
        pause = min(pause, len(history) - 1)
        names = np.arange(history[0][0].size)
        through, loaded = case.make(names), case.make(names)
        for successes, attempts in history[:pause]:
            through.update(successes, attempts)
        through.record(0, True)
        loaded.load_state_dict(through.state_dict())
        for successes, attempts in history[pause:]:
            through.update(successes, attempts)
            loaded.update(successes, attempts)
        np.testing.assert_array_equal(through.probabilities(), loaded.probabilities(), strict=True)
        assert_same_state(through.state_dict(), loaded.state_dict())
        for count in (3, 50):
            np.testing.assert_array_equal(
                through.sample(count, np.random.default_rng(5)),
                loaded.sample(count, np.random.default_rng(5)),
            )


@for_every_curriculum
def test_a_saved_state_does_not_change_with_its_curriculum(case: Case):
    curriculum = teach(case, FIXED_HISTORY)
    saved, expected = curriculum.state_dict(), curriculum.state_dict()
    twin = case.make(np.arange(5))
    twin.load_state_dict(saved)
    curriculum.update(*FIXED_HISTORY[0])
    twin.update(*FIXED_HISTORY[1])
    assert_same_state(saved, expected)


BAD_UPDATES = {
    "too short": ([0, 0], [1, 1]),
    "two-dimensional": (np.zeros((5, 1)), np.zeros((5, 1))),
    "negative": ([0, 0, 0, 0, 0], [1, -1, 0, 0, 0]),
    "more successes than attempts": ([0, 2, 0, 0, 0], [1, 1, 0, 0, 0]),
    "not a number": ([0, float("nan"), 0, 0, 0], [1, 1, 0, 0, 0]),
    "infinite": ([0, 0, 0, 0, 0], [1, float("inf"), 0, 0, 0]),
    "not whole": ([0, 0.5, 0, 0, 0], [1, 1.5, 0, 0, 0]),
    "scores above attempts": ([0, 1.5, 0, 0, 0], [1, 1, 0, 0, 0]),
    "text": (["a"] * 5, [1] * 5),
    "masked": (np.ma.masked_array([0] * 5, [0, 1, 0, 0, 0]), [1] * 5),
    "complex": ([0] * 5, [1j] * 5),
    "too large for any array": ([0] * 5, [10**400] * 5),
    "one of two": ([0, 0, 0, 0, 0], None),
}


@for_every_curriculum
def test_a_bad_update_raises_and_leaves_the_state_untouched(case: Case):
    curriculum = teach(case, FIXED_HISTORY)
    curriculum.record(1, True)
    before, probabilities = curriculum.state_dict(), curriculum.probabilities()
    for bad in BAD_UPDATES.values():
        with pytest.raises(ValueError, match=r"successes|attempts"):
            curriculum.update(*bad)
        assert_same_state(curriculum.state_dict(), before)
        np.testing.assert_array_equal(curriculum.probabilities(), probabilities)


@for_every_curriculum
def test_a_bad_record_raises_and_leaves_the_state_untouched(case: Case):
    curriculum = teach(case, FIXED_HISTORY)
    before = curriculum.state_dict()
    for task in (-1, 5, 1.0, True):
        with pytest.raises(ValueError, match="task"):
            curriculum.record(task, True)
    with pytest.raises(ValueError, match="success"):
        curriculum.record(0, 2)  # type: ignore[arg-type]
    assert_same_state(curriculum.state_dict(), before)


@for_every_curriculum
def test_a_bad_state_raises_and_leaves_the_state_untouched(case: Case):
    curriculum = teach(case, FIXED_HISTORY)
    before = curriculum.state_dict()
    fresh = case.make(np.arange(5)).state_dict()
    bad_states = [
        {**fresh, "class": "Other"},
        {**fresh, "task_count": 4},
        case.make(np.arange(4)).state_dict(),
        {},
    ]
    for name, value in fresh.items():
        if isinstance(value, np.ndarray):
            bad_states.append({key: kept for key, kept in fresh.items() if key != name})
            bad_states.append({**fresh, name: value[..., :0]})
            bad_states.append({**fresh, name: value.astype(complex)})
            bad_states.append({**fresh, name: np.ma.masked_array(value, True)})
            worst = {"f": (np.nan, np.inf, 5.0, -3.0), "i": (-1, 2**60), "b": ()}
            for number in worst[value.dtype.kind]:
                bad_states.append({**fresh, name: np.full_like(value, number)})
    bad_states.append({**fresh, "recorded": np.array([[0, 2, 0, 0, 0], [0, 1, 0, 0, 0]])})
    for bad in bad_states:
        with pytest.raises(ValueError, match="state"):
            curriculum.load_state_dict(bad)
        assert_same_state(curriculum.state_dict(), before)


@settings(max_examples=60, deadline=None)
@given(history=histories(), data=st.data())
def test_renaming_tasks_renames_the_output(history: History, data: st.DataObject):
    for case in CASES.values():
        task_count = history[0][0].size
        order = np.array(data.draw(st.permutations(range(task_count))))
        plain, renamed = case.make(np.arange(task_count)), case.make(order)
        for successes, attempts in history:
            plain.update(successes, attempts)
            renamed.update(successes[order], attempts[order])
        # Only the order of summation differs, in the last bits of a sum or mean over tasks.
        np.testing.assert_allclose(
            renamed.probabilities(), plain.probabilities()[order], rtol=1e-9, atol=1e-15
        )


@for_every_curriculum
def test_recorded_outcomes_equal_counts(case: Case):
    names = np.arange(5)
    counted, recorded, mixed = case.make(names), case.make(names), case.make(names)
    for successes, attempts in FIXED_HISTORY:
        counted.update(successes, attempts)
        for task in names:
            for attempt in range(attempts[task]):
                recorded.record(task, attempt < successes[task])
        recorded.update()
        if attempts[0]:
            first_succeeds = bool(successes[0])
            mixed.record(0, first_succeeds)
            one = (names == 0).astype(int)
            mixed.update(successes - one * first_succeeds, attempts - one)
        else:
            mixed.update(successes, attempts)
    assert_same_state(recorded.state_dict(), counted.state_dict())
    assert_same_state(mixed.state_dict(), counted.state_dict())


@settings(max_examples=40, deadline=None)
@given(history=histories(least=1))
def test_an_update_without_attempts_changes_only_what_ages(history: History):
    for case in CASES.values():
        curriculum = teach(case, history)
        before, probabilities = curriculum.state_dict(), curriculum.probabilities()
        nothing = np.zeros(history[0][0].size, int)
        curriculum.update(nothing, nothing)
        assert_same_state(curriculum.state_dict(), before, except_for=case.ages + case.fades)
        for name in case.ages:
            assert (curriculum.state_dict()[name] == before[name] + 1).all()
        if not case.aging_moves_probabilities:
            np.testing.assert_array_equal(curriculum.probabilities(), probabilities)


@for_every_curriculum
def test_probabilities_do_not_change_by_looking(case: Case):
    curriculum = teach(case, FIXED_HISTORY)
    before, first = curriculum.state_dict(), curriculum.probabilities()
    expected = first.copy()
    first[:] = 0.0
    np.testing.assert_array_equal(curriculum.probabilities(), expected)
    assert_same_state(curriculum.state_dict(), before)

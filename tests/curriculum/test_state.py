"""Saving and loading: whoever loads a state continues bit for bit."""

import json

import numpy as np
import pytest

from lapis.curriculum import ExplorationSet, LearningProgress, Uniform

TASK_COUNT = 17


def make(options):
    return LearningProgress(TASK_COUNT, time_scale=30, **options)


def train(curriculum, rng, update_count):
    """Outcomes that depend on the samples, and these on the state; one outcome stays recorded."""
    chance = np.linspace(0.05, 0.95, TASK_COUNT)
    for update in range(update_count):
        attempts = np.bincount(curriculum.sample(40, rng), minlength=TASK_COUNT)
        curriculum.update(rng.binomial(attempts, chance), attempts)
        curriculum.record(update % TASK_COUNT, update % 2 == 0)


def through_memory(state, path):
    return state


def through_json(state, path):
    text = json.dumps({name: np.asarray(value).tolist() for name, value in state.items()})
    return json.loads(text)


def through_npz(state, path):
    np.savez(path / "state.npz", **state)
    return np.load(path / "state.npz")


ALL_UPDATES = {"averaging": "all_updates"}
OPTIONS = [
    {},
    {"direction": "up", "floor": 0.1},
    {"noise_shrinkage": 2.0},
    ALL_UPDATES,
    {"optimism": 0.5},
    {**ALL_UPDATES, "noise_shrinkage": 1.0, "optimism": 0.3},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("through", [through_memory, through_json, through_npz])
def test_a_loaded_curriculum_continues_bit_for_bit(options, through, tmp_path):
    first, rng = make(options), np.random.default_rng(1)
    train(first, rng, 50)
    saved = through(first.state_dict(), tmp_path)
    saved_rng = json.loads(json.dumps(rng.bit_generator.state))
    train(first, rng, 50)

    second, second_rng = make(options), np.random.default_rng(999)
    second.load_state_dict(saved)
    second_rng.bit_generator.state = saved_rng
    train(second, second_rng, 50)

    assert second.probabilities().tobytes() == first.probabilities().tobytes()
    assert second.sample(100, second_rng).tobytes() == first.sample(100, rng).tobytes()
    assert second_rng.bit_generator.state == rng.bit_generator.state
    for name, value in first.state_dict().items():
        np.testing.assert_array_equal(second.state_dict()[name], value, err_msg=name)


def test_the_state_holds_all_that_is_learned():
    assert set(make({}).state_dict()) == {"class", "task_count", "recorded", "fast_", "slow_"}
    assert set(make({"noise_shrinkage": 1}).state_dict()) - set(make({}).state_dict()) == {"noise"}
    for options in (ALL_UPDATES, {"optimism": 1.0}):
        more = set(make(options).state_dict()) - set(make({}).state_dict())
        assert more == {"recent_success", "recent_attempts", "recent_share"}


def test_the_exploration_set_continues_too():
    first, second = ExplorationSet(3, time_scale=2), ExplorationSet(3, time_scale=2)
    first.update([1, 0, 0], [1, 1, 0])
    first.record(2, True)
    second.load_state_dict(first.state_dict())
    for exploration in (first, second):
        exploration.update()
    assert second.members().tolist() == first.members().tolist() == [False, True, False]


@pytest.mark.parametrize("options", OPTIONS)
def test_a_state_is_a_copy(options):
    curriculum, rng = make(options), np.random.default_rng(0)
    train(curriculum, rng, 3)
    state = curriculum.state_dict()
    other = make(options)
    other.load_state_dict(state)
    expected = other.probabilities()
    train(curriculum, rng, 3)
    for value in state.values():
        if isinstance(value, np.ndarray):
            value += 1
    np.testing.assert_array_equal(other.probabilities(), expected)


def _bad_states():
    good = make({}).state_dict()
    yield "class", {**good, "class": "Uniform"}, "class 'Uniform'.* LearningProgress"
    yield "no class", {}, "class None"
    yield "size", LearningProgress(3).state_dict(), "task_count 3; this has 17"
    yield "lacks", {k: v for k, v in good.items() if k != "slow_"}, "lacks 'slow_'"
    yield "shape", {**good, "slow_": np.zeros(3)}, r"state\['slow_'\] is float64 of shape \(3,\)"
    yield "dtype", {**good, "fast_": np.zeros(17, int)}, r"state\['fast_'\] is int64"
    yield "NaN", {**good, "slow_": np.full(17, np.nan)}, r"state\['slow_'\]\[0\] is nan"
    yield "range", {**good, "fast_": np.full(17, 1.5)}, r"state\['fast_'\]\[0\] is 1.5; it must be"
    yield "recorded", {**good, "recorded": np.zeros((2, 4), int)}, r"state\['recorded'\] is int64"
    yield "noise", make({"noise_shrinkage": 2}).state_dict(), "only with noise_shrinkage > 0"
    yield "recent", make(ALL_UPDATES).state_dict(), "only with averaging 'all_updates'"
    yield "no dict", None, "not None"


@pytest.mark.parametrize(
    ("state", "message"), [pytest.param(*case[1:], id=case[0]) for case in _bad_states()]
)
def test_a_foreign_state_is_refused_and_changes_nothing(state, message):
    curriculum = make({})
    train(curriculum, np.random.default_rng(0), 5)
    before = curriculum.state_dict()
    with pytest.raises(ValueError, match=message):
        curriculum.load_state_dict(state)
    for name, value in curriculum.state_dict().items():
        np.testing.assert_array_equal(value, before[name], err_msg=name)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("recent_success", lambda values: values - 1.0, "state.*recent_success.* -0.8"),
        ("recent_attempts", lambda values: -values, "state.*recent_attempts.* -"),
        ("recent_share", lambda share: 0.0 * share, "state.*recent_attempts.* more than its upd"),
        ("recent_share", lambda share: share + 1.0, "state.*recent_share.* 1.1"),
    ],
)
def test_recent_outcomes_that_cannot_be_are_refused(name, change, message):
    curriculum = make(ALL_UPDATES)
    train(curriculum, np.random.default_rng(0), 5)
    state = curriculum.state_dict()
    with pytest.raises(ValueError, match=message):
        curriculum.load_state_dict({**state, name: change(state[name])})
    np.testing.assert_array_equal(curriculum.state_dict()[name], state[name])


def test_a_state_without_noise_is_refused_by_a_curriculum_that_tracks_it():
    curriculum = make({"noise_shrinkage": 2.0})
    train(curriculum, np.random.default_rng(0), 5)
    before = curriculum.state_dict()
    with pytest.raises(ValueError, match="lacks 'noise'"):
        curriculum.load_state_dict(make({}).state_dict())
    for name, value in curriculum.state_dict().items():
        np.testing.assert_array_equal(value, before[name], err_msg=name)


def test_uniform_takes_no_state_of_learning_progress():
    with pytest.raises(ValueError, match="class 'LearningProgress'; this is a Uniform"):
        Uniform(17).load_state_dict(make({}).state_dict())

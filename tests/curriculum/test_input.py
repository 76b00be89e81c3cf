"""What is accepted, and what is refused with the argument, the value and what is allowed."""

import re

import numpy as np
import pytest

from lapis import curriculum
from lapis.curriculum import (
    ExplorationSet,
    LearningProgress,
    Uniform,
    reweight,
    sampling_weights,
    sigmoid_slope,
)

NAN, INFINITY = float("nan"), float("inf")


def integer_arrays():
    for name in ("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"):
        yield pytest.param(lambda values, name=name: np.array(values, name), id=name)


def torch_tensor(name):
    def convert(values):
        torch = pytest.importorskip("torch", reason="PyTorch is not installed")
        return torch.tensor(values, dtype=getattr(torch, name))

    return pytest.param(convert, id=f"torch {name}")


def jax_array(values):
    jax_numpy = pytest.importorskip("jax.numpy", reason="JAX is not installed")
    return jax_numpy.array(values)


@pytest.mark.parametrize(
    "convert",
    [
        pytest.param(list, id="list"),
        pytest.param(tuple, id="tuple"),
        *integer_arrays(),
        pytest.param(lambda values: np.array(values, np.float64), id="whole float64"),
        pytest.param(lambda values: np.array(values, np.float32), id="whole float32"),
        pytest.param(lambda values: np.array([values, values]).T[:, 0], id="strided"),
        torch_tensor("int64"),
        torch_tensor("int32"),
        torch_tensor("uint8"),
        torch_tensor("float32"),
        pytest.param(jax_array, id="jax"),
    ],
)
def test_counts_of_any_kind_are_accepted(convert):
    plain, converted = LearningProgress(4), LearningProgress(4)
    plain.update([1, 0, 3, 0], [2, 1, 3, 0])
    successes, attempts = convert([1, 0, 3, 0]), convert([2, 1, 3, 0])
    converted.update(successes, attempts)
    np.testing.assert_array_equal(converted.fast_, plain.fast_)
    np.testing.assert_array_equal(np.asarray(attempts), [2, 1, 3, 0])  # the caller's, unchanged


@pytest.mark.parametrize("convert", [list, np.array, torch_tensor("bool").values[0]])
def test_booleans_are_counts_of_one(convert):
    plain, converted = LearningProgress(3), LearningProgress(3)
    plain.update([1, 0, 0], [1, 1, 0])
    converted.update(convert([True, False, False]), convert([True, True, False]))
    np.testing.assert_array_equal(converted.fast_, plain.fast_)


def test_scalars_of_other_libraries_are_accepted():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    curriculum = LearningProgress(np.int64(3))
    curriculum.record(torch.tensor(2), torch.tensor(True))
    curriculum.record(np.int32(1), np.float64(0.0))
    curriculum.update()
    assert curriculum.fast_.tolist() == [0.0, 0.0, 1 / 1250]
    assert curriculum.sample(np.uint8(4), np.random.default_rng(0)).shape == (4,)


BAD_OUTCOMES = {
    "short successes": ([1, 0], [1, 1, 1], r"successes .*\(3,\).*\(2,\)"),
    "long attempts": ([1, 0, 0], [1, 1, 1, 1], r"attempts .*\(3,\).*\(4,\)"),
    "a matrix": ([[1, 0, 0]], [1, 1, 1], r"successes .*\(3,\).*\(1, 3\)"),
    "a number": (1, [1, 1, 1], r"successes .*\(3,\).*\(\)"),
    "ragged": ([1, [0], 0], [1, 1, 1], "successes cannot be read"),
    "negative successes": ([0, -2, 0], [1, 1, 1], r"successes\[1\] is -2; allowed .* from 0"),
    "negative attempts": ([0, 0, 0], [1, 1, -7], r"attempts\[2\] is -7"),
    "negative floats": ([0, 0, 0], [1.0, 1.0, -7.0], r"attempts\[2\] is -7"),
    "too many successes": ([0, 3, 0], [1, 2, 1], "task 1 has 3 successes in 2 attempts"),
    "too many successes as bool": ([True] * 3, [1, 0, 1], "task 1 has 1 successes in 0 attempts"),
    "NaN successes": ([NAN, 0, 0], [1, 1, 1], r"successes\[0\] is nan"),
    "NaN attempts": ([0, 0, 0], [1, NAN, 1], r"attempts\[1\] is nan"),
    "infinite": ([0, 0, 0], [1, INFINITY, 1], r"attempts\[1\] is inf"),
    "fractions": ([0, 0, 0], [1.5, 1, 1], r"attempts\[0\] is 1.5; allowed are whole numbers"),
    "too large": ([0, 0, 0], [1, 2**53 + 2, 1], r"attempts\[1\] is 9007199254740994"),
    "too large unsigned": ([0, 0, 0], np.full(3, 2**64 - 1, np.uint64), r"attempts\[0\] is 1844"),
    "too large float": ([0, 0, 0], [1, 1e300, 1], r"attempts\[1\] is 1e\+300"),
    "text": (["1", "0", "0"], [1, 1, 1], "successes must hold real numbers.*'1'"),
    "complex": ([0, 0, 0], [1j, 1, 1], "attempts must hold real numbers.*complex128"),
    "None inside": ([None, 0, 0], [1, 1, 1], "successes must hold real numbers.*object"),
    "successes alone": ([0, 0, 0], None, "both successes and attempts"),
    "attempts alone": (None, [0, 0, 0], "both successes and attempts"),
}


def assert_unchanged(tracker, before):
    for name, value in tracker.state_dict().items():
        np.testing.assert_array_equal(value, before[name], err_msg=name)


@pytest.mark.parametrize("make", [LearningProgress, Uniform, ExplorationSet])
@pytest.mark.parametrize(
    ("successes", "attempts", "message"), BAD_OUTCOMES.values(), ids=BAD_OUTCOMES
)
def test_bad_outcomes_are_refused_and_change_nothing(make, successes, attempts, message):
    tracker = make(3)
    tracker.update([1, 0, 1], [1, 1, 2])
    tracker.record(1, True)
    before = tracker.state_dict()
    with pytest.raises(ValueError, match=message):
        tracker.update(successes, attempts)
    assert_unchanged(tracker, before)


def test_a_tensor_that_requires_a_gradient_is_refused_by_name():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    with pytest.raises(ValueError, match="successes cannot be read as a NumPy array"):
        LearningProgress(2).update(torch.zeros(2, requires_grad=True), [1, 1])


@pytest.mark.parametrize(
    ("task", "success", "message"),
    [
        (-1, True, "task is -1; it must be a whole number of at least 0 and below 3"),
        (3, True, "task is 3; it must be a whole number of at least 0 and below 3"),
        (1.0, True, "task is 1.0; it must be a whole number"),
        (True, True, "task is True; it must be a whole number"),
        (np.array([1, 2]), True, r"task is array\(\[1, 2\]\); it must be a whole number"),
        (None, True, "task is None; it must be a whole number"),
        (0, 1.5, "success must be True, False or a score from 0 to 1, not 1.5"),
        (0, 2, "success must be True, False or a score from 0 to 1, not 2"),
        (0, NAN, "success must be True, False or a score from 0 to 1, not nan"),
        (0, "1", "success must hold real numbers, not <U1 as '1'"),
        (0, None, "success must hold real numbers, not object as None"),
        (
            0,
            np.array([True, False]),
            r"success must be True, False or a score from 0 to 1, not array",
        ),
    ],
)
def test_a_bad_record_is_refused_and_changes_nothing(task, success, message):
    curriculum = LearningProgress(3)
    curriculum.record(2, True)
    before = curriculum.state_dict()
    with pytest.raises(ValueError, match=message):
        curriculum.record(task, success)
    assert_unchanged(curriculum, before)


@pytest.mark.parametrize("make", [LearningProgress, Uniform, ExplorationSet])
@pytest.mark.parametrize("value", [0, -1, 2.0, 2.5, NAN, True, "3", None, [3]])
def test_bad_task_counts_are_refused(make, value):
    with pytest.raises(ValueError, match=rf"task_count is {re.escape(repr(value))}; it must be"):
        make(value)


FRACTIONS = [0.0, 1.0, -0.1, 1.5, NAN, INFINITY, "0.1", True, None]


@pytest.mark.parametrize("name", ["reweight_threshold", "center_quantile", "share", "of"])
@pytest.mark.parametrize("value", FRACTIONS)
def test_fractions_outside_0_and_1_are_refused(name, value):
    with pytest.raises(ValueError, match=rf"{name} is {re.escape(repr(value))}; it must"):
        LearningProgress(3, **{name: value})


@pytest.mark.parametrize("value", FRACTIONS)
def test_exploration_thresholds_outside_0_and_1_are_refused(value):
    with pytest.raises(ValueError, match=rf"threshold is {re.escape(repr(value))}; it must"):
        ExplorationSet(3, threshold=value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"direction": "down"}, "direction is 'down'; it must be one of 'both', 'up'"),
        ({"direction": None}, "direction is None; it must be one of 'both', 'up'"),
        (
            {"weighting": "linear"},
            "weighting is 'linear'; it must be one of 'sigmoid', 'proportional'",
        ),
        ({"time_scale": 0.5}, "time_scale is 0.5; it must be a finite number of at least 1"),
        ({"time_scale": 1e13}, "time_scale is 10000000000000.0; it must be .* at most"),
        ({"time_scale": NAN}, "time_scale is nan; it must be a finite number"),
        ({"floor": -0.1}, "floor is -0.1; it must be a finite number of at least 0 and at most 1"),
        ({"floor": 1.1}, "floor is 1.1; it must be a finite number of at least 0 and at most 1"),
        ({"noise_shrinkage": -1}, "noise_shrinkage is -1; it must be"),
        ({"noise_shrinkage": INFINITY}, "noise_shrinkage is inf; it must be a finite number"),
        ({"share": 0.2}, "share must exceed of = 0.2; 0.2"),
        ({"share": 0.9, "of": 0.05}, "share = 0.9 on the top 0.05 .* below 0.5 is possible"),
        ({"share": 0.5 - 1e-12, "of": 0.05}, r"needs a slope above 1e\+06"),
        ({"random_success": [0.1, 0.2]}, r"random_success must have shape \(3,\), not \(2,\)"),
        (
            {"random_success": [0.1, 1.0, 0]},
            r"random_success\[1\] is 1.0; it must be .* of at least 0 and below 1",
        ),
        ({"random_success": ["a", "b", "c"]}, "random_success must hold real numbers.*'a'"),
        (
            {"interest": [1, -1, 1]},
            r"interest\[1\] is -1.0; it must be a finite number of at least 0",
        ),
        ({"interest": [1, NAN, 1]}, r"interest\[1\] is nan"),
        ({"interest": [0, 0, 0]}, "interest must be positive for at least one task"),
        ({"interest": [1, [1], 1]}, "interest cannot be read as a NumPy array"),
    ],
)
def test_bad_settings_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        LearningProgress(3, **options)


@pytest.mark.parametrize(
    ("count", "rng", "message"),
    [
        (-1, np.random.default_rng(0), "count is -1; it must be a whole number of at least 0"),
        (2.0, np.random.default_rng(0), "count is 2.0; it must be a whole number"),
        (3, 42, "rng must be a numpy.random.Generator, not 42"),
        (3, None, "rng must be a numpy.random.Generator, not None"),
    ],
)
def test_bad_requests_for_samples_are_refused(count, rng, message):
    with pytest.raises(ValueError, match=message):
        LearningProgress(3).sample(count, rng)


@pytest.mark.parametrize("value", [-0.1, 1.1, NAN, INFINITY])
def test_reweight_refuses_what_is_no_probability(value):
    with pytest.raises(ValueError, match=rf"success(\[1\])? is {value}; it must be"):
        reweight([0.5, value])


@pytest.mark.parametrize("threshold", [0.0, 1.0, -1.0, NAN])
def test_reweight_refuses_bad_thresholds(threshold):
    with pytest.raises(ValueError, match=f"threshold is {threshold}; it must"):
        reweight(0.5, threshold)


@pytest.mark.parametrize(
    ("progress", "options", "message"),
    [
        ([0.1, NAN], {}, r"progress\[1\] is nan; it must be a finite number"),
        ([0.1, INFINITY], {}, r"progress\[1\] is inf; it must be a finite number"),
        ([], {}, r"progress must have shape \(task,\), not \(0,\)"),
        (0.5, {}, r"progress must have shape \(task,\), not \(\)"),
        ([0.1, 0.2], {"slope": -1.0}, "slope is -1.0; it must be"),
        ([0.1, 0.2], {"slope": 1e7}, "slope is 10000000.0; it must be"),
        ([0.1, 0.2], {"center_quantile": 1.0}, "center_quantile is 1.0; it must be"),
    ],
)
def test_sampling_weights_refuse_bad_input(progress, options, message):
    with pytest.raises(ValueError, match=message):
        sampling_weights(progress, **options)


def test_sigmoid_slope_refuses_what_cannot_be_hashed_by_name():
    with pytest.raises(ValueError, match=r"share is \[0.9\]; it must be a finite number"):
        sigmoid_slope([0.9])


TABLE = [[0.1, 0.2, 0.3]]
FORMULAS = {
    "reweight": (curriculum.reweight, {"success": 0.5}),
    "reweight_slope": (curriculum.reweight_slope, {"success": 0.5}),
    "beyond_random": (curriculum.beyond_random, {"success": [0.5], "random_success": [0.1]}),
    "learning_progress": (curriculum.learning_progress, {"fast": [0.5], "slow": [0.1]}),
    "sampling_weights": (curriculum.sampling_weights, {"progress": [0.5, 0.1]}),
    "proportional_weights": (curriculum.proportional_weights, {"progress": [0.5, 0.1]}),
    "band_probabilities": (curriculum.band_probabilities, {"success": [0.5], "low": 0, "high": 1}),
    "learnability": (curriculum.learnability, {"success": [0.5]}),
    "top_probabilities": (curriculum.top_probabilities, {"score": [0.5], "count": 1}),
    "boltzmann_probabilities": (
        curriculum.boltzmann_probabilities,
        {"value": [0.5], "temperature": 1},
    ),
    "rank_probabilities": (curriculum.rank_probabilities, {"score": [0.5], "temperature": 1}),
    "stale_probabilities": (curriculum.stale_probabilities, {"staleness": [1]}),
    "prediction_error": (curriculum.prediction_error, {"mean": [0.5], "predicted": [0.5]}),
    "half_window_progress": (curriculum.half_window_progress, {"score": TABLE, "count": [2]}),
    "regression_slope": (
        curriculum.regression_slope,
        {"time": TABLE, "score": TABLE, "known": [[1, 1, 1]]},
    ),
    "snapshot_error": (
        curriculum.snapshot_error,
        {"interval": [1.0], "variance": 1, "sample_count": 1, "curvature": 1},
    ),
    "optimal_interval": (
        curriculum.optimal_interval,
        {"variance": 1, "sample_count": 1, "curvature": 1},
    ),
    "window_length": (curriculum.window_length, {"time_scale": 20.0}),
    "sigmoid_slope": (curriculum.sigmoid_slope, {"share": 0.9, "of": 0.2}),
}


@pytest.mark.parametrize("bad", [NAN, INFINITY, 10**400, 1j, "MASKED"])
@pytest.mark.parametrize(("formula", "valid"), FORMULAS.values(), ids=FORMULAS)
def test_every_formula_refuses_what_is_no_finite_number(formula, valid, bad):
    formula(**valid)
    for name, value in valid.items():
        hostile = np.full(np.shape(value), bad if bad != "MASKED" else 0.5)
        if bad == "MASKED":
            hostile = np.ma.masked_array(hostile, True)
        with pytest.raises(ValueError, match=name):
            formula(**valid | {name: hostile})


def test_a_teacher_of_ones_own_must_give_probabilities():
    class Broken(Uniform):
        def probabilities(self):
            return np.array([0.5, NAN])

    with pytest.raises(ValueError, match=r"probabilities\(\)\[1\] is nan; it must be"):
        Broken(2).sample(3, np.random.default_rng(0))


@pytest.mark.parametrize("count", [2**63, 10**400])
def test_more_tasks_than_any_memory_holds_are_refused(count):
    with pytest.raises(ValueError, match=r"task_count is .*; it must be .* at most 1000000000"):
        LearningProgress(count)
    with pytest.raises(ValueError, match=r"count is .*; it must be .* at most 1000000000"):
        LearningProgress(2).sample(count, np.random.default_rng(0))

"""What is accepted, and what is refused with the argument, the value and what is allowed."""

import re

import numpy as np
import pytest

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
    "text": (["1", "0", "0"], [1, 1, 1], "successes must hold whole numbers.*'1'"),
    "complex": ([0, 0, 0], [1j, 1, 1], "attempts must hold whole numbers.*complex128"),
    "None inside": ([None, 0, 0], [1, 1, 1], "successes must hold whole numbers.*object"),
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
        (0, "1", "success must be True, False or a score from 0 to 1, not '1'"),
        (0, None, "success must be True, False or a score from 0 to 1, not None"),
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
        ({"random_success": [0.1, 1.0, 0]}, r"random_success\[1\] is 1.0; allowed are 0 <= x < 1"),
        ({"random_success": ["a", "b", "c"]}, "random_success must hold numbers.*'a'"),
        ({"interest": [1, -1, 1]}, r"interest\[1\] is -1.0; allowed are 0 <= x < inf"),
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
    with pytest.raises(ValueError, match=rf"success must lie in \[0, 1\]; it holds {value}"):
        reweight([0.5, value])


@pytest.mark.parametrize("threshold", [0.0, 1.0, -1.0, NAN])
def test_reweight_refuses_bad_thresholds(threshold):
    with pytest.raises(ValueError, match=f"threshold is {threshold}; it must"):
        reweight(0.5, threshold)


@pytest.mark.parametrize(
    ("progress", "options", "message"),
    [
        ([0.1, NAN], {}, "progress must be finite; it holds nan"),
        ([0.1, INFINITY], {}, "progress must be finite; it holds inf"),
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

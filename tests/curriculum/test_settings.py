"""The settings of teachers: what they build, and that those matched look back equally far."""

import numpy as np
import pytest

from lapis.curriculum import (
    ClusteredProgress,
    ClustersConfig,
    FunctionConfig,
    FunctionProgress,
    HalfWindow,
    LargeRule,
    Learnability,
    LearningProgress,
    LearningProgressConfig,
    RankStaleness,
    RegressionSlope,
    SuccessBand,
    Uniform,
    window_length,
)
from lapis.registry import TEACHERS

RIVALS = {
    "success_band": (SuccessBand, {"low": 0.1, "high": 0.9, "time_scale": 20.0}),
    "learnability": (Learnability, {"top_count": None, "time_scale": 20.0}),
    "regression_slope": (RegressionSlope, {"window": 80, "temperature": 0.0}),
    "rank_staleness": (
        RankStaleness,
        {"temperature": 0.1, "staleness": 0.1, "error": "mean", "time_scale": 20.0},
    ),
    "half_window": (HalfWindow, {"half_window": 40}),
}


def make(kind, task_count, **shared):
    return TEACHERS.find(kind).matched(**shared).build(task_count)


def test_rivals_that_are_matched_have_the_runs_time_scale_and_floor_and_their_defaults():
    for kind, (expected_class, settings) in RIVALS.items():
        curriculum = make(kind, 113, time_scale=20.0, floor=0.3)
        assert type(curriculum) is expected_class
        for name, value in {**settings, "floor": 0.3}.items():
            assert getattr(curriculum.settings, name) == value, (kind, name)
        assert getattr(curriculum, "top_count", 11) == 11  # a tenth of 113


def test_defaults_are_those_of_the_teachers():
    direct = LearningProgress(113)
    for name, value in vars(LearningProgressConfig()).items():
        assert getattr(direct, name) == value, name
    assert isinstance(TEACHERS.find("uniform")().build(3), Uniform)


def test_learning_progress_has_every_setting_of_the_config():
    config = LearningProgressConfig(
        direction="up",
        time_scale=20.0,
        reweight_threshold=0.2,
        weighting="proportional",
        floor=0.3,
        noise_shrinkage=2.0,
        averaging="all_updates",
        optimism=0.5,
    )
    curriculum = config.build(5)
    assert isinstance(curriculum, LearningProgress)
    for name, value in vars(config).items():
        assert getattr(curriculum, name) == value, name


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time_scale": 0.5}, "time_scale is 0.5"),
        ({"floor": 1.5}, "floor is 1.5"),
        ({"reweight_threshold": 0.0}, "reweight_threshold is 0.0"),
        ({"noise_shrinkage": -1.0}, "noise_shrinkage is -1.0"),
        ({"optimism": -0.1}, "optimism is -0.1"),
        ({"averaging": "updates"}, "averaging is 'updates'; it must be one of 'tried_updates'"),
        ({"direction": "upp"}, "direction is 'upp'; it must be one of 'both', 'up'"),
        ({"weighting": "sigmoids"}, "weighting is 'sigmoids'; it must be one of 'sigmoid'"),
    ],
)
def test_settings_out_of_range_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        LearningProgressConfig(**changes)


def test_the_floor_mixes_with_the_uniform_distribution_for_every_kind():
    for kind in TEACHERS.own:
        if kind in ("clusters", "function"):  # Their floor is one of the fields of `rule`.
            continue
        bare, floored = (make(kind, 4, time_scale=2.0, floor=floor) for floor in (0.0, 0.4))
        for curriculum in (bare, floored):
            curriculum.update([0, 2, 4, 0], [4, 4, 4, 0])
            curriculum.update([1, 2, 4, 0], [4, 4, 4, 0])
        # 0.6 p + 0.4 / 4
        expected = 0.6 * bare.probabilities() + 0.1
        np.testing.assert_allclose(floored.probabilities(), expected, rtol=1e-12, err_msg=kind)


@pytest.mark.parametrize(
    ("time_scale", "length"), [(1.0, 4), (10.0, 40), (1.2, 4), (1.3, 6), (1250.0, 5000)]
)
def test_windows_are_an_even_number_near_four_time_scales(time_scale, length):
    assert window_length(time_scale) == length


def test_averages_and_windows_measure_a_change_of_the_same_age():
    # Success (t / T)^2 changes by 2 t / T^2 per update, so that the change which is measured at T
    # tells how long ago it was: T - change T^2 / 2.
    time_scale, last, attempts = 40.0, 1000, 10**12
    progress = make("learning_progress", 1, time_scale=time_scale)
    halves = make("half_window", 1, time_scale=time_scale)
    slope = make("regression_slope", 1, time_scale=time_scale)
    assert isinstance(progress, LearningProgress)
    assert isinstance(halves, HalfWindow)
    assert isinstance(slope, RegressionSlope)
    for update in range(last + 1):
        successes = round(attempts * (update / last) ** 2)
        for curriculum in (progress, halves, slope):
            curriculum.update([successes], [attempts])
    change_per_update = np.array(
        [
            (progress.fast_ - progress.slow_)[0] / (time_scale - 1.0),  # slow follows the new fast
            halves.progress_[0] / halves.settings.half_window,
            slope.slope_[0],
        ]
    )
    age = last - change_per_update * last**2 / 2
    # 2 time scales; whole updates make a difference of one or two.
    np.testing.assert_allclose(age, 80.0, atol=2.0)


def test_averages_and_windows_have_the_stated_noise():
    # Of p (1 - p) / (n time_scale^3): 1/4, 1/4 and 3/16 where the time scale is long.
    time_scale, tasks = 20.0, 4_000
    rng = np.random.default_rng(0)
    made = [
        make(kind, tasks, time_scale=time_scale)
        for kind in ("learning_progress", "half_window", "regression_slope")
    ]
    for _ in range(150):
        successes = rng.integers(0, 2, tasks)
        for curriculum in made:
            curriculum.update(successes, np.ones(tasks, int))
    progress, halves, slope = made
    assert isinstance(progress, LearningProgress)
    assert isinstance(halves, HalfWindow)
    assert isinstance(slope, RegressionSlope)
    rates = [
        (progress.fast_ - progress.slow_) / (time_scale - 1.0),
        halves.progress_ / halves.settings.half_window,
        slope.slope_,
    ]
    variances = [np.square(rate).mean() * time_scale**3 / 0.25 for rate in rates]
    # 4,000 tasks give a variance to 2 %; a time scale of 20 updates is within 10 % of long.
    np.testing.assert_allclose(variances, [1 / 4, 1 / 4, 3 / 16], rtol=0.12)


def test_curricula_over_described_tasks_are_made_as_their_settings_say():
    features = np.random.default_rng(0).random((300, 2))
    rule = LargeRule(memory=30.0, floor=0.2)
    clusters = ClustersConfig(cluster_count=20, rule=rule).build_described(features)
    assert isinstance(clusters, ClusteredProgress)
    assert (clusters.task_count, clusters.rule) == (300, rule)
    assert len(set(clusters.cluster.tolist())) == 20
    learned = FunctionConfig(center_count=20, rule=rule).build_described(features)
    assert isinstance(learned, FunctionProgress)
    assert (learned.task_count, learned.rule) == (300, rule)
    for settings in (ClustersConfig(cluster_count=20), FunctionConfig(center_count=20)):
        assert settings.build(20).task_count == 20
        with pytest.raises(ValueError, match="features are needed"):
            settings.build(300)


def test_teachers_that_look_at_tasks_one_by_one_leave_features_alone():
    teacher = TEACHERS.find("learnability")().build_described(np.zeros((7, 2)))
    assert teacher.task_count == 7

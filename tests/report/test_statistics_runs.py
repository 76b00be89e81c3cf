"""Run folders read back, grouped and summarized."""

import json

import numpy as np
import pytest

from lapis.minecraft.goals import ALL_GOALS, GOALS, IMPOSSIBLE
from lapis.report import series, summary
from lapis.report.grouping import group_runs
from lapis.report.series import load_run
from lapis.runs import RunError, RunFolder
from lapis.runs.compact import POINT_COUNT
from tests.report.synthetic import FRAMES_PER_UPDATE, make_config, make_run, make_success


def write_run(path, success, frames=None, config=None, goals=ALL_GOALS):
    """A run whose success averages are the rows of `success`."""
    folder = RunFolder.create(
        path, config=config or make_config("uniform"), recipe="r", command=["c"], goals=goals
    )
    with folder.writing() as log:
        for index, row in enumerate(success):
            count = 10 * (index + 1) if frames is None else frames[index]
            uniform = np.full(len(goals), 1.0 / len(goals))
            line = {"update": index + 1, "frames": count, "success": row, "probabilities": uniform}
            log.append(line)
    return path


def rows_of_counts(counts, value=0.3):
    """Success averages in which the first so many goals are above the threshold."""
    success = np.zeros((len(counts), len(ALL_GOALS)))
    for row, count in zip(success, counts, strict=True):
        row[:count] = value
    return success


def test_run_begins_with_nothing_known(tmp_path):
    run = load_run(make_run(tmp_path / "run", updates=5))
    assert run.updates.tolist() == [0, 1, 2, 3, 4, 5]
    assert run.frames.tolist() == [FRAMES_PER_UPDATE * update for update in range(6)]
    assert run.success.shape == run.sampling.shape == (6, 113)
    assert not run.success[0].any()
    np.testing.assert_allclose(run.sampling.sum(axis=1), 1.0, rtol=1e-3)  # Four digits are kept.
    assert run.scalars["losses.value"].shape == (5,)
    assert run.evaluation is None
    assert run.evaluation_curves() is None


def test_impossible_goals_never_count(tmp_path):
    success = np.ones((1, len(ALL_GOALS)))
    run = load_run(write_run(tmp_path / "run", success))
    assert run.possible.sum() == len(GOALS) == 107
    assert run.discovered().tolist() == [0, 107]
    only = [[float(goal in IMPOSSIBLE) for goal in ALL_GOALS]]
    assert load_run(write_run(tmp_path / "other", only)).discovered().tolist() == [0, 0]


def test_evaluation_is_the_share_of_successful_attempts(tmp_path):
    path = make_run(tmp_path / "run", updates=4)
    attempts, successes = [20] * 113, [0] * 113
    successes[:4] = [2, 1, 20, 3]  # 10 %, exactly 5 %, 100 %, and none of none
    attempts[3] = successes[3] = 0
    successes[112] = 20  # A goal that cannot be obtained, by mistake.
    line = {"update": 3, "frames": 6144, "successes": successes, "attempts": attempts}
    (path / "evaluation.jsonl").write_text(json.dumps(line) + "\n")
    run = load_run(path)
    assert run.evaluation is not None
    assert run.evaluation.success[0, :3].tolist() == [0.1, 0.05, 1.0]
    assert np.isnan(run.evaluation.success[0, 3])
    # Frames, goals above 5 % and above 50 %, from 0 on.
    assert [curve.tolist() for curve in run.evaluation_curves()] == [[0, 6144], [0, 2], [0, 1]]


def test_treatments_are_those_of_the_trainer(tmp_path):
    from lapis.recipes import demo
    from lapis.train.config import to_dict, with_treatment

    assert len(series.TREATMENTS) == 5
    for each in series.TREATMENTS:
        config = to_dict(with_treatment(demo(), each.name))
        path = write_run(tmp_path / each.name, np.zeros((1, 113)), config=config)
        (group,) = group_runs([load_run(path)])
        assert group.treatment is each


def test_runs_are_grouped_by_treatment_in_the_order_of_the_paper(groups):
    assert [group.label for group in groups] == [each.label for each in series.TREATMENTS]
    assert [[run.seed for run in group.runs] for group in groups] == [[0, 1, 2]] * 5
    assert [group.treatment for group in groups] == list(series.TREATMENTS)


def test_groups_of_one_treatment_are_told_apart_by_their_settings(tmp_path):
    fast = {"kind": "learning_progress", "direction": "both", "time_scale": 10.0}
    paths = [
        make_run(tmp_path / "a", updates=3),
        make_run(tmp_path / "b", updates=3, curriculum=fast),
        make_run(tmp_path / "c", updates=5, seed=1, device="cuda"),
    ]
    groups = group_runs([load_run(path) for path in paths])
    assert [group.label for group in groups] == [
        "bidirectional, time_scale 50.0",
        "bidirectional, time_scale 10.0",
    ]
    assert [len(group.runs) for group in groups] == [2, 1]


def test_other_curricula_are_named_by_what_they_are(tmp_path):
    path = make_run(tmp_path / "a", updates=3, curriculum={"kind": "mine:Own"})
    (group,) = group_runs([load_run(path)])
    assert group.treatment is None
    assert group.label == "mine:Own, dynamic bonus 0.5"


def test_curves_end_with_the_shortest_run(tmp_path):
    counts = [[1, 2, 3, 4], [5, 6]]
    paths = [
        write_run(tmp_path / str(seed), rows_of_counts(row), config=make_config("uniform", seed))
        for seed, row in enumerate(counts)
    ]
    (group,) = group_runs([load_run(path) for path in paths])
    assert group.grid.tolist() == [0, 1, 2]
    assert group.grid_frames.tolist() == [0, 10, 20]
    assert group.discovered().tolist() == [[0, 1, 2], [0, 5, 6]]
    assert group.success().shape == (2, 3, 113)


def test_long_runs_are_thinned(tmp_path):
    path = write_run(tmp_path / "run", np.zeros((1000, 113)))
    (group,) = group_runs([load_run(path)])
    assert len(group.grid) == POINT_COUNT + 1
    assert group.runs[0].points.tolist() == group.grid.tolist()
    assert len(group.runs[0].updates) == 1001
    assert group.grid[[0, -1]].tolist() == [0, 1000]


def test_run_without_updates_is_refused(tmp_path):
    RunFolder.create(tmp_path / "run", config={}, recipe="r", command=["c"])
    with pytest.raises(RunError, match="no finished update yet"):
        load_run(tmp_path / "run")


def test_log_without_success_is_refused(tmp_path):
    folder = RunFolder.create(tmp_path / "run", config={}, recipe="r", command=["c"])
    with folder.writing() as log:
        log.append({"update": 1, "frames": 4})
    with pytest.raises(RunError, match="has no 'success'"):
        load_run(tmp_path / "run")


def test_runs_that_do_not_belong_together_are_refused(tmp_path):
    run = load_run(make_run(tmp_path / "a", updates=3))
    other = load_run(write_run(tmp_path / "b", np.zeros((2, 1)), goals=("prize",)))
    with pytest.raises(RunError, match="given twice"):
        group_runs([run, run])
    with pytest.raises(RunError, match="different goals"):
        group_runs([run, other])
    with pytest.raises(RunError, match="no run"):
        group_runs([])


def test_summary_by_hand(tmp_path):
    # Frames 0, 10, 20, 30; discovered 0, 20, 10, 50.
    paths = [write_run(tmp_path / "a", rows_of_counts([20, 10, 50]))]
    (group,) = group_runs([load_run(path) for path in paths])
    whole = summary.summarize(group, 30)
    assert whole.evaluation is None
    assert whole.gap.size == whole.evaluation_frames.size == 0
    assert summary.common_measure([whole]) == "average"
    found = whole.by("average")
    assert found.discovered.tolist() == [50]
    assert found.mastered.tolist() == [0]  # Success is 0.3 everywhere.
    assert found.area.tolist() == pytest.approx([(100 + 150 + 300) / 30])
    assert [float(found.frames_to[level][0]) for level in summary.LEVELS] == [
        10,
        30,
        np.inf,
        np.inf,
    ]
    assert found.drop.tolist() == [10]


def test_summary_stops_at_the_common_number_of_frames(tmp_path):
    paths = [
        write_run(tmp_path / "a", rows_of_counts([20, 10, 50]), frames=[10, 20, 30]),
        write_run(
            tmp_path / "b", rows_of_counts([8]), frames=[25], config=make_config("bidirectional")
        ),
    ]
    groups = group_runs([load_run(path) for path in paths])
    assert summary.common_frames(groups) == 25
    assert summary.unequal_lengths(groups)
    first, second = (summary.summarize(group, 25).average for group in groups)
    assert first.discovered.tolist() == [10]
    # 0 to 20 in 10 frames, 20 to 10 in 10, then 10 for 5.
    assert first.area.tolist() == pytest.approx([(100 + 150 + 50) / 25])
    assert second.area.tolist() == pytest.approx([4.0])


def test_resource_groups_are_counted_over_seeds(tmp_path):
    paths = [
        write_run(
            tmp_path / str(seed), rows_of_counts([count]), config=make_config("uniform", seed)
        )
        for seed, count in enumerate([24, 29])
    ]
    (group,) = group_runs([load_run(path) for path in paths])
    counts = summary.group_counts(group, 10, "average")
    assert counts["surface"] == (24.0, 24)
    assert counts["stone"] == (2.5, 16)  # None in the first seed, five in the second.
    assert counts["impossible"] == (0.0, 6)
    assert sum(size for _, size in counts.values()) == 113


def test_synthetic_treatments_rank_as_in_the_paper(groups):
    found = [summary.summarize(group, summary.common_frames(groups)).average for group in groups]
    means = [float(each.discovered.mean()) for each in found]
    assert means == sorted(means)
    assert found[3].drop.min() > 10 > found[4].drop.max()
    assert make_success("uniform", 0, 60).shape == (60, 113)

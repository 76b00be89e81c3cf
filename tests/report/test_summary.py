"""Numbers by evaluation and by average, and what is said about them, against hand-made runs."""

import json
import math

import numpy as np
import pytest

from lapis.minecraft.goals import ALL_GOALS
from lapis.report import summary, tables
from lapis.report.grouping import group_runs
from lapis.report.notices import notices
from lapis.report.series import load_run
from lapis.runs import RunFolder
from tests.report.synthetic import make_config


def make_counted_run(path, treatment="bidirectional", seed=0, *, averages, evaluations=(), **more):
    """A run that has so many goals by the averages, 10 frames apart, and in evaluations.

    `evaluations` are (frames, goals that succeed in 1 of 10 attempts, goals that always succeed).
    """
    folder = RunFolder.create(
        path,
        config=make_config(treatment, seed, **more),
        recipe="r",
        command=["c"],
        goals=ALL_GOALS,
    )
    uniform = np.full(113, 1.0 / 113)
    with folder.writing() as log:
        for update, count in enumerate(averages, start=1):
            fast = np.where(np.arange(113) < count, 0.3, 0.0)
            frames = 10 * update
            line = {"update": update, "frames": frames, "success": fast, "probabilities": uniform}
            log.append(line)
    lines = []
    for frames, some, always in evaluations:
        successes = [10 * (goal < always) + (always <= goal < some) for goal in range(113)]
        line = {"update": frames // 10, "frames": frames, "successes": successes}
        lines.append(json.dumps({**line, "attempts": [10] * 113}) + "\n")
    if lines:
        (path / "evaluation.jsonl").write_text("".join(lines))
    return path


def summaries(paths, frames=40):
    groups = group_runs([load_run(path) for path in paths])
    return [summary.summarize(group, frames) for group in groups]


def rows_of(table):
    """The rows without the names that they begin with."""
    return [row[1:] for row in table.rows]


def test_evaluation_is_summarized_as_by_hand(tmp_path):
    path = make_counted_run(
        tmp_path / "a",
        averages=[20, 50, 45, 90],
        evaluations=[(10, 18, 5), (20, 44, 9), (30, 40, 7), (40, 84, 30)],
    )
    (found,) = summaries([path])
    assert summary.common_measure([found]) == "evaluation"
    by = found.measured["evaluation"]
    assert by.discovered.tolist() == [84]
    assert by.mastered.tolist() == [30]
    # From (0, 0): trapezoids of width 10 with heights 9, 31, 42 and 62.
    assert by.area.tolist() == pytest.approx([(9 + 31 + 42 + 62) / 4])
    assert {level: float(by.frames_to[level][0]) for level in summary.LEVELS} == {
        17: 10.0,
        43: 20.0,
        70: 40.0,
        82: 40.0,
    }
    assert by.drop.tolist() == [4]
    assert found.gap.tolist() == [6]  # 90 by the averages, 84 by evaluation.
    assert found.evaluation_frames.tolist() == [40]
    assert found.measured["average"].discovered.tolist() == [90]
    assert found.measured["average"].drop.tolist() == [5]


def test_frames_per_update_are_common_or_none(tmp_path):
    path = make_counted_run(tmp_path / "a", averages=[20, 50])
    other = make_counted_run(tmp_path / "b", treatment="uniform", averages=[20, 50])
    groups = group_runs([load_run(path), load_run(other)])
    assert summary.common_frames_per_update(groups) == 10.0
    log = (other / "metrics.jsonl").read_text()
    (other / "metrics.jsonl").write_text(log.replace('"frames":', '"frames":1'))
    groups = group_runs([load_run(path), load_run(other)])
    assert summary.common_frames_per_update(groups) is None


def test_last_evaluation_before_the_common_frames_counts(tmp_path):
    path = make_counted_run(
        tmp_path / "a", averages=[20, 50, 45, 90], evaluations=[(20, 44, 9), (40, 84, 30)]
    )
    (found,) = summaries([path], frames=30)
    by = found.measured["evaluation"]
    assert by.discovered.tolist() == [44]
    # 0 to 44 in 20 frames, then 44 for 10.
    assert by.area.tolist() == pytest.approx([(22 * 20 + 44 * 10) / 30])
    assert found.evaluation_frames.tolist() == [20]
    assert found.gap.tolist() == [6]  # 50 by the averages at 20 frames.
    (early,) = summaries([path], frames=15)
    assert "evaluation" not in early.measured


def test_resources_are_counted_by_the_last_evaluation(tmp_path):
    path = make_counted_run(
        tmp_path / "a", averages=[113, 113], evaluations=[(10, 26, 0), (20, 30, 0)]
    )
    (found,) = summaries([path], frames=15)
    counts = summary.group_counts(found.group, 15, "evaluation")
    assert counts["surface"] == (24.0, 24)
    assert counts["stone"] == (2.0, 16)
    assert counts["coal"] == (0.0, 3)


def test_groups_are_compared_by_evaluation_only_if_all_have_one(tmp_path):
    paths = [
        make_counted_run(tmp_path / "a", averages=[50], evaluations=[(10, 40, 0)]),
        make_counted_run(tmp_path / "b", seed=1, averages=[50], evaluations=[(10, 42, 0)]),
        make_counted_run(tmp_path / "c", "uniform", averages=[9]),
    ]
    uniform, bidirectional = found = summaries(paths, frames=10)
    assert "evaluation" in bidirectional.measured
    assert "evaluation" not in uniform.measured
    assert summary.common_measure(found) == "average"
    assert summary.common_measure([bidirectional]) == "evaluation"
    cells = [
        cell.text for row in rows_of(tables.results_table(found, with_paper=True)) for cell in row
    ]
    # Seeds, paper, above 5 % by evaluation and by average, gap, above 50 % twice, area twice.
    assert cells[:9] == ["1", "17", "-", "9", "-", "-", "0", "-", "4.5"]
    assert cells[9:] == ["2", "82", "41.0", "50.0", "9.0", "0.0", "0.0", "20.5", "25.0"]
    assert "Of the 1 runs of uniform only 0 were evaluated" in " ".join(notices(found))
    assert "one success is enough to count" in " ".join(notices(found))


def test_evaluations_at_different_times_are_told(tmp_path):
    paths = [
        make_counted_run(tmp_path / "a", averages=[9, 9], evaluations=[(10, 4, 0)]),
        make_counted_run(tmp_path / "b", "uniform", averages=[9, 9], evaluations=[(20, 4, 0)]),
    ]
    assert "from 10 to 20 frames" in " ".join(notices(summaries(paths, frames=20)))
    assert "between" not in " ".join(notices(summaries(paths[:1], frames=20)))


def test_variants_are_compared_with_the_reference_and_sorted(tmp_path):
    counts = {"bidirectional": [50, 52], "no_floor": [60, 61], "learnability": [40, 51]}
    paths = [
        make_counted_run(
            tmp_path / f"{name}-{seed}",
            seed=seed,
            averages=[count],
            label=name,
        )
        for name, pair in counts.items()
        for seed, count in enumerate(pair)
    ]
    reference, *variants = summaries(paths, frames=10)
    assert [each.group.label for each in variants] == ["no floor", "learnability"]
    table = tables.variants_table(variants, reference)
    assert [row[0].text for row in table.rows] == ["no floor", "bidirectional", "learnability"]
    assert table.rows[1][3].small == ("the reference",)
    better, own, worse = rows_of(table)
    assert [cell.text for cell in better[:4]] == ["2", "60.5", "+9.5", "1.00"]
    assert [cell.text for cell in own[:4]] == ["2", "51.0", "", ""]
    # 40 beats neither, 51 beats 50: one of four pairs.
    assert [cell.text for cell in worse[:4]] == ["2", "45.5", "-5.5", "0.25"]
    # Better: 2 of the 6 ways to deal out the ranks, twice for two comparisons. Worse: 4 of 6, once.
    assert better[3].small[1] == "p 0.67"
    assert worse[3].small[1] == "p 0.67"


def test_steps_of_the_order_say_whether_intervals_are_apart(tmp_path):
    counts = {"uniform": [10, 12], "uniform_fixed": [20, 22], "uniform_dynamic": [21, 30]}
    paths = [
        make_counted_run(tmp_path / f"{name}-{seed}", name, seed, averages=[count])
        for name, pair in counts.items()
        for seed, count in enumerate(pair)
    ]
    cells = [
        [cell.text for cell in row] for row in rows_of(tables.order_table(summaries(paths, 10)))
    ]
    assert cells[0] == ["11.0 to 21.0", "+10.0", "apart", "0.33"]
    assert cells[1] == ["21.0 to 25.5", "+4.5", "overlap", "0.67"]


def test_frames_table_tells_both_measures_and_never(tmp_path):
    path = make_counted_run(
        tmp_path / "a", averages=[20, 50], evaluations=[(10, 9, 0), (20, 44, 0)]
    )
    (row,) = rows_of(tables.frames_table(summaries([path], 20)))
    assert [cell.text for cell in row] == ["20", "10", "20", "20", *["never"] * 4]


def test_typical_run_has_the_median_of_discovered_goals(tmp_path):
    averages = {0: [50, 50], 1: [10, 90], 2: [0, 20], 3: [99, 99]}  # Means 50, 50, 10, 99.
    paths = [
        make_counted_run(tmp_path / str(seed), seed=seed, averages=counts)
        for seed, counts in averages.items()
    ]
    (three,) = group_runs([load_run(path) for path in (paths[0], paths[2], paths[3])])
    assert three.typical.seed == 0
    (two,) = group_runs([load_run(path) for path in paths[2:]])
    assert two.typical.seed == 2


def test_interval_of_one_run_is_not_a_number():
    middle, low, high = summary.middle_and_interval(np.array([7]))
    assert middle == 7.0
    assert math.isnan(low)
    assert math.isnan(high)

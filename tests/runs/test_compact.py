"""Runs as small tables: exact where counted, thinned elsewhere, and the same after a round trip."""

import json

import numpy as np
import pytest

from lapis.runs import RunError, RunFolder
from lapis.runs.compact import read_table, thin_run, time_grid, write_table

GOALS = ("dirt", "log", "planks", "quartz")


def make_folder(path, success, evaluation=None):
    folder = RunFolder.create(
        path, config={"seed": 7}, recipe="r", command=["lapis", "train"], goals=GOALS
    )
    with folder.writing() as log:
        for index, row in enumerate(success, start=1):
            line = {"update": index, "frames": 100 * index, "success": row}
            line |= {"probabilities": [0.25] * 4, "losses": {"value": float(index)}}
            log.append(line)
    if evaluation is not None:
        (path / "evaluation.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in evaluation)
        )
    return folder


def test_grid_holds_both_ends_and_at_most_200_steps():
    assert time_grid(3).tolist() == [0, 1, 2, 3]
    assert len(time_grid(10_000)) == 201
    assert time_grid(10_000)[[0, 1, -1]].tolist() == [0, 50, 10_000]


def test_goals_are_counted_at_every_update(tmp_path):
    rows = [[0.05, 0.06, 0.6, 0.9], [0.5, 0.0, 0.0, 0.9], [0.51, 0.2, 0.04, 0.9]]
    table = thin_run(make_folder(tmp_path / "run", rows), ignored_goals=("quartz",))
    assert table.counts.tolist() == [[2, 1, 2], [1, 0, 1]]
    assert table.first_above.tolist() == [2, 1, 1, 1]
    assert table.updates.tolist() == [1, 2, 3]
    assert table.frames.tolist() == [100, 200, 300]
    assert table.scalars["losses.value"].tolist() == [1.0, 2.0, 3.0]
    assert table.evaluation is None


def test_counts_stay_exact_where_curves_are_thinned(tmp_path):
    success = np.zeros((1000, 4))
    success[501, 0] = 0.3  # One update, which is not among the points that are kept.
    success[600:, 1] = 0.7
    table = thin_run(make_folder(tmp_path / "run", success))
    assert len(table.points) == 200
    assert table.points[[0, 1, -1]].tolist() == [5, 10, 1000]
    assert 502 not in table.points
    assert table.counts[0, 500:503].tolist() == [0, 1, 0]
    assert table.first_above.tolist() == [502, 601, -1, -1]
    assert table.success[119].tolist() == [0.0, 0.0, 0.0, 0.0]  # Update 600 is the row before.
    assert table.success[120, 1] == np.float32(0.7)
    # The mean of updates 1 to 5, then of 6 to 10.
    assert table.scalars["losses.value"][:2].tolist() == [3.0, 8.0]


def test_table_survives_the_file(tmp_path):
    evaluation = [
        {"update": 2, "frames": 200, "successes": [1, 0, 0, 0], "attempts": [10, 10, 10, 0]},
        {"update": 4, "frames": 400, "successes": [300, 2, 0, 0], "attempts": [300, 10, 10, 0]},
    ]
    rows = np.random.default_rng(0).random((4, 4))
    folder = make_folder(tmp_path / "run", rows, evaluation)
    table = thin_run(folder)
    path = write_table(table, tmp_path / "deep" / "run.npz")
    again = read_table(path)
    assert again.config == {"seed": 7}
    assert again.goals == GOALS
    assert again.texts["recipe.txt"] == "recipe: r\ncommand: lapis train\n"
    assert again.texts["env.txt"] == table.texts["env.txt"]
    for name in ("updates", "frames", "counts", "first_above", "points"):
        assert getattr(again, name).tolist() == getattr(table, name).tolist()
    # Half precision has eleven bits.
    np.testing.assert_allclose(again.success, table.success, rtol=2**-11)
    np.testing.assert_allclose(again.sampling, table.sampling, rtol=2**-11)
    assert again.scalars["losses.value"].tolist() == [1.0, 2.0, 3.0, 4.0]
    assert again.evaluation is not None
    assert again.evaluation.successes.tolist() == [[1, 0, 0, 0], [300, 2, 0, 0]]
    assert again.evaluation.attempts[1].tolist() == [300, 10, 10, 0]
    assert again.evaluation.frames.tolist() == [200, 400]
    assert write_table(again, tmp_path / "second.npz").read_bytes() == path.read_bytes()


def test_diffs_are_left_out(tmp_path):
    folder = make_folder(tmp_path / "run", [[0.0] * 4])
    (folder.path / "git.txt").write_text(
        "repository: /a\ncommit: abc\nchanged files (...):\n M x.py\ndiff:\n+secret\n"
        "\nrepository: /b\ncommit: def\nchanged files (...):\ndiff:\n-more\n"
    )
    again = read_table(write_table(thin_run(folder), tmp_path / "run.npz"))
    assert again.texts["git.txt"] == (
        "repository: /a\ncommit: abc\nchanged files (...):\n M x.py\ndiff:\n"
        "repository: /b\ncommit: def\nchanged files (...):\ndiff:\n"
    )


def test_long_run_is_small(tmp_path):
    success = np.random.default_rng(0).random((2500, 113)).cumsum(axis=0) / 2500
    goals = tuple(f"goal {index}" for index in range(113))
    folder = RunFolder.create(tmp_path / "run", config={}, recipe="r", command=["c"], goals=goals)
    with folder.writing() as log:
        for index, row in enumerate(success, start=1):
            line = {
                "update": index,
                "frames": index,
                "success": row,
                "probabilities": row / row.sum(),
            }
            log.append(line)
    path = write_table(thin_run(folder), tmp_path / "run.npz")
    assert path.stat().st_size < 100_000


def test_metric_that_comes_later_is_unknown_before(tmp_path):
    folder = RunFolder.create(tmp_path / "r", config={}, recipe="r", command=["c"], goals=("a",))
    with folder.writing() as log:
        for update in (1, 2, 3):
            line = {"update": update, "frames": update, "success": [0.0], "probabilities": [1.0]}
            log.append(line | ({"late": 5.0} if update == 2 else {}))
    values = thin_run(folder).scalars["late"]
    assert values[1] == 5.0
    assert np.isnan(values[[0, 2]]).all()


def test_log_with_gaps_keeps_its_own_updates(tmp_path):
    folder = RunFolder.create(tmp_path / "r", config={}, recipe="r", command=["c"], goals=("a",))
    with folder.writing() as log:
        for update in (100, 300, 1000):
            fast = [update / 1000]
            log.append(
                {"update": update, "frames": update, "success": fast, "probabilities": [1.0]}
            )
    table = thin_run(folder)
    assert table.points.tolist() == [100, 300, 1000]
    assert table.success[:, 0].tolist() == pytest.approx([0.1, 0.3, 1.0])


@pytest.mark.parametrize("content", [b"", b"no table", b"PK\x03\x04broken"])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "other.npz"
    path.write_bytes(content)
    with pytest.raises(RunError, match="neither a run folder nor a compact table"):
        read_table(path)


def test_arrays_of_something_else_are_refused(tmp_path):
    path = tmp_path / "other.npz"
    np.savez(path, numbers=np.arange(3))
    with pytest.raises(RunError, match="nor a compact table"):
        read_table(path)
    np.save(tmp_path / "one.npy", np.arange(3))
    with pytest.raises(RunError, match="nor a compact table"):
        read_table(tmp_path / "one.npy")


def test_another_format_is_refused(tmp_path):
    path = tmp_path / "other.npz"
    np.savez(path, facts=np.frombuffer(json.dumps({"format": 99}).encode(), dtype=np.uint8))
    with pytest.raises(RunError, match="has format 99"):
        read_table(path)


def test_evaluation_of_other_goals_is_refused(tmp_path):
    row = {"update": 1, "frames": 1, "successes": [1], "attempts": [1]}
    folder = make_folder(tmp_path / "run", [[0.0] * 4], [row])
    with pytest.raises(RunError, match="'successes' does not have one value per goal"):
        thin_run(folder)

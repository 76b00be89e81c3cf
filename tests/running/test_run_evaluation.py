import contextlib
import dataclasses
import json
import os

import numpy as np
import pytest

from lapis.cli import main
from lapis.cli.evaluate import group_table, mean_success
from lapis.recipes import probes
from lapis.report.series import load_run
from lapis.running.run import RunOptions, restore, start
from lapis.runs import RunError, RunFolder
from lapis.terminal.training import View
from tests.running.fake_trainer import FakeTrainer
from tests.running.test_run import Crash, crashing_at, resume_run, signaling_at, start_run


def evaluated(path):
    return [row["update"] for row in rows(path)]


def rows(path):
    return [json.loads(line) for line in (path / "evaluation.jsonl").read_text().splitlines()]


def crashing_in_evaluation(update):
    """Dies after the line of metrics and before that of the evaluation."""

    class Trainer(FakeTrainer):
        def evaluate(self):
            if self.update == update:
                raise Crash
            return super().evaluate()

    return Trainer


def crashing_while_saving(update):
    """Dies after both lines and before the checkpoint."""

    class Trainer(FakeTrainer):
        def state_dict(self):
            if self.update == update:
                raise Crash
            return super().state_dict()

    return Trainer


def test_evaluations_come_at_intervals_and_after_the_last_update(tmp_path):
    assert start_run(tmp_path / "a", updates=10, evaluation_updates=4) == 0
    assert evaluated(tmp_path / "a") == [4, 8, 10]
    assert start_run(tmp_path / "b", updates=8, evaluation_updates=4) == 0
    assert evaluated(tmp_path / "b") == [4, 8]
    first = rows(tmp_path / "a")[0]
    assert first.keys() == {"update", "frames", "successes", "attempts"}
    assert (first["frames"], first["attempts"]) == (400, [10, 10, 10])


def test_without_evaluations_the_file_is_empty(tmp_path):
    start_run(tmp_path / "a", updates=10)
    assert (tmp_path / "a/evaluation.jsonl").read_bytes() == b""
    assert RunFolder.open(tmp_path / "a").read_evaluations() == {}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that never stopped."""
    path = tmp_path_factory.mktemp("runs") / "whole"
    assert start_run(path, updates=20, evaluation_updates=2) == 0
    return path


@pytest.mark.parametrize(
    "build",
    [
        *(crashing_at(update) for update in (0, 3, 4, 5, 13, 17, 19)),
        *(crashing_in_evaluation(update) for update in (2, 10, 12, 20)),
        *(crashing_while_saving(update) for update in (5, 10, 20)),
        *(signaling_at(update, 15) for update in (2, 7, 10)),
    ],
)
def test_a_crashed_and_resumed_run_has_each_evaluation_once(tmp_path, whole, build):
    broken = tmp_path / "broken"
    with contextlib.suppress(Crash):
        assert start_run(broken, build=build, updates=20, evaluation_updates=2) == 143
    assert resume_run(broken, from_start=True) == 0
    for name in ("evaluation.jsonl", "metrics.jsonl"):
        assert (broken / name).read_bytes() == (whole / name).read_bytes()
    assert evaluated(broken) == list(range(2, 21, 2))


def test_a_half_written_evaluation_is_written_again(tmp_path):
    path = tmp_path / "a"
    with pytest.raises(Crash):
        start_run(path, build=crashing_at(8), updates=10, evaluation_updates=2)
    with (path / "evaluation.jsonl").open("r+b") as file:
        file.truncate(os.path.getsize(path / "evaluation.jsonl") - 5)
    assert resume_run(path) == 0
    assert evaluated(path) == [2, 4, 6, 8, 10]


def test_lost_evaluations_are_not_passed_over(tmp_path):
    path = tmp_path / "a"
    with pytest.raises(Crash):
        start_run(path, build=crashing_at(8), updates=10, evaluation_updates=2)
    lines = (path / "evaluation.jsonl").read_bytes().splitlines(keepends=True)
    (path / "evaluation.jsonl").write_bytes(lines[0])
    message = r"update 5: evaluation.jsonl ends at update 2, before update 4"
    with pytest.raises(RunError, match=message):
        resume_run(path)


def test_an_extended_run_keeps_the_evaluation_of_its_former_end(tmp_path):
    path = tmp_path / "a"
    start_run(path, updates=5, evaluation_updates=4)
    assert resume_run(path, updates=9) == 0
    assert evaluated(path) == [4, 5, 8, 9]


def test_the_view_shows_each_evaluation_and_after_a_resume_the_last_one(
    tmp_path, capsys, monkeypatch
):
    with pytest.raises(Crash):
        start_run(tmp_path / "a", build=crashing_at(8), updates=10, evaluation_updates=2)
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("evaluated: ") for line in lines) == 4
    shown = []

    def open_view(progress, title, *, quiet):
        shown.append((progress.evaluation["update"], progress.evaluation["successes"].tolist()))
        return View()

    monkeypatch.setattr("lapis.running.run.open_view", open_view)
    assert resume_run(tmp_path / "a") == 0
    assert shown == [(4, rows(tmp_path / "a")[1]["successes"])]


def test_restore_gives_the_trainer_of_the_newest_checkpoint_and_writes_nothing(tmp_path):
    path = tmp_path / "a"
    start_run(path, updates=7)
    times = {file: file.stat().st_mtime_ns for file in path.rglob("*")}

    trainer = restore(path, make_trainer=FakeTrainer)
    assert trainer.update == 7
    assert {file: file.stat().st_mtime_ns for file in path.rglob("*")} == times
    with pytest.raises(Crash):
        start_run(tmp_path / "b", build=crashing_at(2), updates=7)
    with pytest.raises(RunError, match="b has no checkpoint yet"):
        restore(tmp_path / "b", make_trainer=FakeTrainer)


@pytest.fixture
def small_run(tmp_path):
    """A finished run of the real trainer, evaluated after updates 2 and 3."""
    config = dataclasses.replace(
        probes.two_goals(), world_count=8, updates=3, evaluation_updates=2, evaluation_attempts=6
    )
    start(
        tmp_path / "run",
        config=config,
        recipe="two-goals",
        command=["lapis"],
        options=RunOptions(quiet=True),
    )
    return tmp_path / "run"


def test_a_report_reads_the_evaluations(small_run):
    evaluation = load_run(small_run).evaluation
    assert evaluation is not None
    assert evaluation.updates.tolist() == [2, 3]
    assert evaluation.frames.tolist() == [2 * 8 * 32, 3 * 8 * 32]
    expected = np.array([row["successes"] for row in rows(small_run)]) / 6
    np.testing.assert_array_equal(evaluation.success, expected)


def test_the_command_repeats_the_last_evaluation_and_writes_nothing(small_run, capsys):
    before = (small_run / "evaluation.jsonl").read_bytes()
    assert main(["evaluate", str(small_run), "--per-goal"]) == 0
    output = capsys.readouterr().out
    assert f"{small_run} after update 3, 6 attempts per goal" in output
    log, planks = rows(small_run)[-1]["successes"]
    assert f"log     {log:>4} / 6\nplanks  {planks:>4} / 6\n" in output
    assert (small_run / "evaluation.jsonl").read_bytes() == before


def test_the_command_takes_a_number_of_attempts(small_run, capsys):
    assert main(["evaluate", str(small_run), "--attempts", "2"]) == 0
    assert "2 attempts per goal" in capsys.readouterr().out
    assert main(["evaluate", str(small_run), "--attempts", "0"]) == 2
    assert "--attempts is 0; it must be at least 1" in capsys.readouterr().err
    assert main(["evaluate", str(small_run / "nothing")]) == 1
    assert "is not a run folder" in capsys.readouterr().err


def test_the_table_counts_by_group_and_leaves_out_what_is_impossible():
    share = np.array([0.0, 0.05, 0.1, 0.5, 0.6, 1.0])
    groups = ("surface", "surface", "surface", "iron", "iron", "impossible")
    assert group_table(share, groups).splitlines() == [
        "group    goals  over 5 %  over 50 %",
        "surface      3         1          0",
        "iron         2         2          1",
        "all          5         3          1",
    ]
    assert group_table(share, ()).splitlines()[1:] == ["all        6         4          2"]


def test_the_mean_is_that_of_the_goals_that_can_be_obtained():
    successes, attempts = np.array([0, 2, 4, 0]), np.full(4, 4)
    groups = ("surface", "surface", "iron", "impossible")
    # Shares 0, 1/2 and 1; only the second varies: sqrt(1/2 * 1/2 / 4) / 3.
    told = "0.500 +- 0.083, of the 3 goals that can be obtained"
    assert mean_success(successes, attempts, groups) == told
    assert mean_success(successes, attempts, ()).startswith("0.375 +- 0.062, of the 4 goals")
    nothing = mean_success(successes, attempts, ("impossible",) * 4)
    assert nothing == "none of the goals can be obtained"

"""A run folder of a run with pairs of goals: evaluated, resumed, reported."""

import dataclasses
import json

import pytest

from lapis.cli import main
from lapis.recipes import combinations
from lapis.running.run import RunOptions, resume, start
from lapis.running.trained import load_run

QUIET = RunOptions(quiet=True)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    config = combinations()
    game = dataclasses.replace(
        config.simonsays, goals=("log", "planks", "stick", "sapling"), task_ticks=400
    )
    path = tmp_path_factory.mktemp("pairs") / "run"
    config = dataclasses.replace(
        config,
        simonsays=game,
        world_count=8,
        updates=2,
        threads=1,
        evaluation_updates=2,
        evaluation_attempts=2,
        evaluation_pairs=3,
    )
    command = ["lapis", "train", "combinations"]
    assert start(path, config=config, recipe="combinations", command=command, options=QUIET) == 0
    return path


def lines(run, name):
    return [json.loads(line) for line in (run / name).read_text().splitlines()]


def test_the_evaluation_names_its_pairs_and_counts_them_apart(run):
    (line,) = lines(run, "evaluation.jsonl")
    assert line["attempts"] == [2, 2, 2, 2]
    assert line["pair_attempts"] == [2, 2, 2]
    assert len(set(line["pairs"])) == 3
    assert all(4 <= task < 10 for task in line["pairs"])
    assert json.loads((run / "goals.json").read_text())["names"] == [
        "log", "planks", "stick", "sapling",
    ]  # fmt: skip


def test_lapis_evaluate_says_how_many_pairs_are_reached(run, capsys):
    assert main(["evaluate", str(run)]) == 0
    assert "pairs of goals over 5 %: " in (told := capsys.readouterr().out)
    assert "of the 3 that were played" in told
    assert len(load_run(run).success.successes) == 4


def test_reports_are_about_goals(run, tmp_path, capsys):
    assert main(["report", str(run), "--output", str(tmp_path / "out.html")]) == 0
    assert "sapling" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_a_run_goes_on(run):
    assert resume(run, command=["lapis", "resume"], updates=3, options=QUIET) == 0
    assert [line["update"] for line in lines(run, "metrics.jsonl")] == [1, 2, 3]
    assert len(lines(run, "evaluation.jsonl")) == 2

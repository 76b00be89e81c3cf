"""`lapis report`."""

import json
import shutil
import subprocess
import sys

import pytest

from lapis.cli import main
from lapis.report.command import find_runs, load_groups
from lapis.runs import RunFolder
from tests.report.synthetic import make_run


@pytest.fixture
def run(tmp_path):
    return make_run(tmp_path / "run", updates=6)


def test_report_is_written_where_told(run, tmp_path, capsys):
    output = tmp_path / "deep" / "out.html"
    assert main(["report", str(run), "--output", str(output)]) == 0
    assert capsys.readouterr().out == f"wrote {output}\n"
    assert output.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_report_replaces_an_older_one(run, tmp_path):
    output = tmp_path / "out.html"
    output.write_text("old")
    assert main(["report", str(run), "--output", str(output)]) == 0
    assert "Lapis report" in output.read_text(encoding="utf-8")


def test_figures_are_written_beside_it(run, tmp_path, capsys):
    folder = tmp_path / "figures"
    arguments = ["--output", str(tmp_path / "out.html"), "--figures", str(folder)]
    assert main(["report", str(run), *arguments]) == 0
    assert len(list(folder.iterdir())) == 16
    assert str(folder / "figure_1_discovered.png") in capsys.readouterr().out


def test_compact_tables_are_written_and_reported_in_place_of_folders(run, tmp_path, capsys):
    table = tmp_path / "tables" / "bidirectional-seed-0.npz"
    assert main(["report", str(run), "--compact", str(table.parent)]) == 0
    assert capsys.readouterr().out == f"wrote {table}\n"
    output = tmp_path / "out.html"
    assert main(["report", str(table), "--output", str(output)]) == 0
    assert str(table) in output.read_text(encoding="utf-8")


def test_a_seed_cannot_lead_out_of_the_folder_of_tables(run, tmp_path, capsys):
    stranger = shutil.copytree(run, tmp_path / "stranger")
    config = json.loads((stranger / "config.json").read_text())
    (stranger / "config.json").write_text(json.dumps(config | {"seed": "/../../outside"}))
    assert main(["report", str(stranger), "--compact", str(tmp_path / "tables")]) == 1
    assert "seed is '/../../outside'; it must be a whole number" in capsys.readouterr().err
    assert not (tmp_path / "tables").exists()
    assert not list(tmp_path.rglob("outside*"))


def test_file_that_is_no_table_gives_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("something else")
    assert main(["report", str(tmp_path / "file")]) == 1
    error = capsys.readouterr().err
    assert "neither a run folder nor a compact table" in error
    assert error.count("\n") == 1


def test_run_is_not_changed_by_a_report(run, tmp_path):
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    main(["report", str(run), "--output", str(tmp_path / "out.html")])
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_theory_needs_no_run(tmp_path, monkeypatch, capsys):
    drawn = []

    def draw(folder):
        drawn.append(folder)
        return [folder / "theory_5.png"]

    monkeypatch.setattr("lapis.report.theory.write_theory_figures", draw)
    assert main(["report", "theory", "--output", str(tmp_path)]) == 0
    assert drawn == [tmp_path]
    assert capsys.readouterr().out == f"wrote {tmp_path / 'theory_5.png'}\n"


@pytest.mark.parametrize("name", ["nothing-here", "empty"])
def test_what_is_no_run_gives_one_line(tmp_path, capsys, name):
    (tmp_path / "empty").mkdir()
    assert main(["report", str(tmp_path / name)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert "is not a run folder" in error
    assert error.count("\n") == 1


def test_run_without_an_update_gives_one_line(tmp_path, capsys):
    RunFolder.create(tmp_path / "run", config={}, recipe="r", command=["c"])
    assert main(["report", str(tmp_path / "run"), "--output", str(tmp_path / "o.html")]) == 1
    assert "no finished update yet" in capsys.readouterr().err
    assert not (tmp_path / "o.html").exists()


def test_folders_of_tables_and_of_runs_are_read(run, tmp_path):
    make_run(tmp_path / "runs" / "a", updates=3)
    make_run(tmp_path / "runs" / "b", seed=1, updates=3)
    (tmp_path / "runs" / "notes.txt").write_text("no run")
    assert find_runs([tmp_path / "runs"]) == [tmp_path / "runs" / "a", tmp_path / "runs" / "b"]
    tables = tmp_path / "tables"
    assert main(["report", str(tmp_path / "runs"), "--compact", str(tables)]) == 0
    assert [path.name for path in find_runs([tables])] == [
        f"bidirectional-seed-{seed}.npz" for seed in range(2)
    ]
    assert find_runs([run]) == [run]
    (group,) = load_groups([tables])
    assert len(group.runs) == 2


@pytest.mark.parametrize("flag", ["--figures", "--compact"])
def test_serving_writes_nothing(run, tmp_path, capsys, flag):
    assert main(["report", str(run), "--serve", flag, str(tmp_path / "out")]) == 2
    assert "--serve writes nothing" in capsys.readouterr().err


def test_serving_needs_paths_that_exist(tmp_path, capsys):
    assert main(["report", str(tmp_path / "none"), "--serve"]) == 2
    assert "there is no" in capsys.readouterr().err


def test_help_loads_no_drawing():
    script = (
        "import sys; from lapis.cli import main\n"
        "try: main(['report', '--help'])\n"
        "except SystemExit: pass\n"
        "print({'matplotlib', 'scipy', 'jinja2'} & set(sys.modules))"
    )
    output = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    assert output.splitlines()[-1] == "set()"


def test_report_without_runs_is_a_wrong_command_line(capsys):
    assert main(["report"]) == 2
    assert "there is no run to report" in capsys.readouterr().err

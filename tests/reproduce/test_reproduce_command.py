import json
import os

import pytest

from lapis.cli import main
from lapis.reproduce import command
from lapis.reproduce.calibrate import measure_speed
from lapis.reproduce.machine import PROCESSES_PER_GPU, job_environments
from lapis.reproduce.plan import Speed
from lapis.reproduce.schedule import State
from lapis.runs import RunError
from tests.reproduce.driver import call, tiny

SPEED = Speed(frames_per_second=100.0, evaluation_seconds=0.5, jobs=2, checkpoint_bytes=10**6)


@pytest.fixture
def calibrated(monkeypatch):
    """Jobs whose speeds were asked for; none is measured."""
    asked = []

    def measure(config, environments):
        asked.append(config)
        return SPEED

    monkeypatch.setattr(command, "measure_speed", measure)
    return asked


def test_a_dry_run_prints_the_plan_and_creates_nothing(tmp_path, calibrated, capsys):
    folder = tmp_path / "new" / "folder"
    arguments = ["--frames", "1000", "--seeds", "2", "--jobs", "2", "--dry-run"]
    assert call(folder, *arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"folder   {folder}" in lines
    assert (
        "runs     10: uniform, uniform_fixed, uniform_dynamic, unidirectional, bidirectional; "
        "seeds 0, 1" in lines
    )
    assert "budget   1,024 frames (16 updates) each" in lines
    assert "jobs     2 at a time on cpu, PyTorch threads each: 1" in lines
    assert "speed    100 frames/s per job, 0.5 s per evaluation" in lines
    assert "time     about 0:01:11" in lines  # 5 runs per job of 10.24 s and 8 evaluations
    assert "disk     about 40 MB" in lines
    assert len(calibrated) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_in_minutes_measures_once(tmp_path, calibrated, capsys):
    assert call(tmp_path / "new", "--minutes", "1", "--jobs", "2", "--dry-run") == 0
    assert "budget   6,016 frames (94 updates) each" in capsys.readouterr().out
    assert len(calibrated) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--treatments", "unifrom"], "did you mean 'uniform'?"),
        (["--treatments", ""], "treatments is empty"),
        (["--frames", "5", "--minutes", "1"], "both given"),
        (["--jobs", "0"], "jobs is 0; it must be at least 1"),
        (["--seeds", "0"], "seeds is 0; it must be at least 1"),
    ],
)
def test_a_wrong_command_line_is_answered_with_the_fix(tmp_path, capsys, arguments, message):
    assert main(["reproduce", "--folder", str(tmp_path / "new"), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_speed_is_measured_in_processes_of_their_own():
    speed = measure_speed(tiny(), [{"OMP_NUM_THREADS": "1"}], seconds=0.05)
    assert speed.frames_per_second > 0
    assert speed.evaluation_seconds > 0
    assert speed.jobs == 1
    assert speed.checkpoint_bytes > 1000


def test_there_is_one_job_per_core_and_its_threads(monkeypatch):
    monkeypatch.setattr("lapis.reproduce.machine.usable_cores", lambda: 6)
    assert job_environments(jobs=None, threads=1, device="cpu") == [{"OMP_NUM_THREADS": "1"}] * 6
    assert len(job_environments(jobs=None, threads=4, device="cpu")) == 1
    assert len(job_environments(jobs=None, threads=9, device="cpu")) == 1
    assert len(job_environments(jobs=3, threads=4, device="cpu")) == 3


def test_jobs_go_round_the_visible_gpus(monkeypatch):
    monkeypatch.setattr("lapis.reproduce.machine.usable_cores", lambda: 64)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    environments = job_environments(jobs=None, threads=1, device="cuda")
    visible = [each["CUDA_VISIBLE_DEVICES"] for each in environments]
    assert visible == ["0", "1"] * PROCESSES_PER_GPU
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,7")
    environments = job_environments(jobs=3, threads=1, device="cuda")
    assert [each["CUDA_VISIBLE_DEVICES"] for each in environments] == ["5", "7", "5"]
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    with pytest.raises(RunError, match="no CUDA device"):
        job_environments(jobs=None, threads=1, device="cuda")


def test_a_changed_budget_is_refused_and_changes_nothing(tmp_path, calibrated, monkeypatch, capsys):
    monkeypatch.setattr(command, "run_jobs", lambda *_, **__: None)
    arguments = ["--treatments", "uniform", "--seeds", "1"]
    assert call(tmp_path, *arguments, "--frames", "640") == 0
    before = (tmp_path / "plan.json").read_bytes()
    assert json.loads(before)["frames"] == 640
    capsys.readouterr()
    assert call(tmp_path, *arguments, "--frames", "6400") == 1
    assert "leave out --frames to keep the plan's" in capsys.readouterr().err
    assert (tmp_path / "plan.json").read_bytes() == before


def test_drafts_of_killed_processes_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "run_jobs", lambda *_, **__: None)
    draft = tmp_path / "uniform" / f".seed-0.creating-{os.getpid()}"
    draft.mkdir(parents=True)
    call(tmp_path, "--treatments", "uniform", "--seeds", "1", "--frames", "640")
    assert not draft.exists()


def test_a_failed_run_gives_exit_code_1_and_names_its_log(tmp_path, monkeypatch, capsys):
    def fail(jobs, *_, **__):
        jobs[0].state = State.FAILED

    monkeypatch.setattr(command, "run_jobs", fail)
    arguments = ["--treatments", "uniform", "--seeds", "2", "--frames", "640"]
    assert call(tmp_path, *arguments) == 1
    text = capsys.readouterr().out
    assert f"uniform seed 0 failed, see {tmp_path / 'uniform' / 'seed-0.log'}" in text
    assert "uniform seed 1 failed" not in text
    assert "start again with the same arguments to try them again" in text

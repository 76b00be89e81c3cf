import dataclasses
import json
import os

import pytest

from lapis.cli import main
from lapis.recipes import voxel
from lapis.reproduce import command
from lapis.reproduce.budget import Speed
from lapis.reproduce.jobs import State
from lapis.reproduce.machine import (
    BYTES_PER_UPDATE,
    PROCESSES_PER_GPU,
    disk_bytes,
    job_environments,
    measure_speed,
    run_seconds,
    seconds_for,
)
from lapis.running.options import RunOptions
from lapis.runs import RunError
from tests.reproduce.driver import call, tiny
from tests.reproduce.jobs import config

SPEED = Speed(frames_per_second=100.0, evaluation_seconds=0.5, jobs=2, checkpoint_bytes=10**6)


@pytest.fixture
def calibrated(monkeypatch):
    """Jobs whose speeds were asked for; none is measured."""
    asked = []

    def measure(config, jobs):
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


def test_a_wrong_command_line_is_answered_with_the_fix(tmp_path, capsys):
    for arguments, message in (
        (["--treatments", "unifrom"], "did you mean 'uniform'?"),
        (["--treatments", ""], "treatments is empty"),
        (["--frames", "5", "--minutes", "1"], "both given"),
        (["--jobs", "0"], "jobs is 0; it must be"),
        (["--checkpoint-updates", "0"], "checkpoint_updates is 0; it"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main(["reproduce", "--folder", str(tmp_path / "new"), *arguments])
        assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_speed_is_measured_in_processes_of_their_own():
    speed = measure_speed(dataclasses.replace(tiny(), threads=1), jobs=1, seconds=0.05)
    assert speed.frames_per_second > 0
    assert speed.evaluation_seconds > 0
    assert speed.jobs == 1
    assert speed.checkpoint_bytes > 1000


def test_free_jobs_take_the_next_run():
    # Two jobs: 3 s and 1 s begin; the second is free at 1 s and takes 4 s, so that it ends at 5 s.
    assert seconds_for([3.0, 1.0, 4.0], jobs=2) == 5.0
    assert seconds_for([3.0, 1.0, 4.0], jobs=1) == 8.0
    assert seconds_for([], jobs=3) == 0.0


def test_a_run_takes_its_training_its_evaluations_and_its_files():
    # 640 frames; evaluations after updates 4, 8 and 10; three checkpoints and one being written.
    speed = Speed(frames_per_second=64.0, evaluation_seconds=2.0, jobs=1, checkpoint_bytes=1000)
    run = config(updates=10, evaluation_updates=4)
    assert run_seconds(run, speed) == 10.0 + 3 * 2.0
    options = RunOptions(checkpoint_count=3)
    assert disk_bytes([run, run], speed, options) == 2 * (4 * 1000 + 10 * BYTES_PER_UPDATE)


def test_there_is_one_job_per_core_and_its_threads(monkeypatch):
    monkeypatch.setattr("lapis.reproduce.machine.usable_cores", lambda: 6)
    assert job_environments(config(threads=1), jobs=None) == [{"OMP_NUM_THREADS": "1"}] * 6
    assert len(job_environments(config(threads=4), jobs=None)) == 1
    assert len(job_environments(config(threads=9), jobs=None)) == 1
    assert len(job_environments(config(threads=4), jobs=3)) == 3


def test_jobs_go_round_the_visible_gpus(monkeypatch):
    monkeypatch.setattr("lapis.reproduce.machine.usable_cores", lambda: 64)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    on_gpu = config(threads=1, device="cuda")
    visible = [each["CUDA_VISIBLE_DEVICES"] for each in job_environments(on_gpu, jobs=None)]
    assert visible == ["0", "1"] * PROCESSES_PER_GPU
    from_pixels = dataclasses.replace(voxel(), threads=1)
    assert len(job_environments(from_pixels, jobs=None)) == 2
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,7")
    environments = job_environments(on_gpu, jobs=3)
    assert [each["CUDA_VISIBLE_DEVICES"] for each in environments] == ["5", "7", "5"]
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    with pytest.raises(RunError, match="no CUDA device"):
        job_environments(on_gpu, jobs=None)


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
    assert "start again with the same arguments to retry them" in text

"""A reproduction by Ray, one of whose processes is killed, against one by the local scheduler."""

import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

from lapis.reproduce import on_ray
from lapis.reproduce.jobs import State
from lapis.runs import RunFolder
from tests.reproduce.driver import FRAMES_PER_UPDATE, TWO, call, start
from tests.reproduce.jobs import make

pytest.importorskip("ray", reason="Ray is not installed: pip install 'lapis-rl[ray]'")
pytestmark = pytest.mark.slow

UPDATES = 60
PATIENCE = 600
"""Ray takes minutes to start on a busy machine [s]."""
TIMES = ("seconds", "frames_per_second")
ARGUMENTS = [
    *("--frames", str(UPDATES * FRAMES_PER_UPDATE), "--treatments", TWO, "--seeds", "2"),
    *("--checkpoint-updates", "5"),
]


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    """Both reproductions; a process of Ray's was killed in the middle of its run."""
    place = tmp_path_factory.mktemp("ray")
    by_ray, here = place / "by_ray", place / "here"
    process = start(by_ray, *ARGUMENTS, "--on", "ray", "--jobs", "2", output=place / "output")
    path = by_ray / "uniform" / "seed-0"
    deadline = time.monotonic() + PATIENCE
    while len(_rows(path)) < 7:
        assert time.monotonic() < deadline, (place / "output").read_text()
        time.sleep(0.01)
    log = path.with_name("seed-0.log")
    os.kill(int(re.findall(r"process (\d+) of", log.read_text())[-1]), signal.SIGKILL)
    code = process.wait()
    assert code == 0, (place / "output").read_text()
    assert call(here, *ARGUMENTS, "--jobs", "2") == 0
    return by_ray, here, (place / "output").read_text()


def test_the_killed_run_was_started_again_and_went_on(story):
    path = story[0] / "uniform" / "seed-0"
    text = path.with_name("seed-0.log").read_text()
    assert len(re.findall(r"process \d+ of", text)) == 2
    assert "resumed after update" in (path / "recipe.txt").read_text()


def test_runs_by_ray_have_the_logs_of_the_local_scheduler_bit_for_bit(story):
    by_ray, here, _ = story
    for name in TWO.split(","):
        for seed in range(2):
            one, other = (each / name / f"seed-{seed}" for each in (by_ray, here))
            assert [row["update"] for row in _rows(one)] == list(range(1, UPDATES + 1))
            assert _rows(one) == _rows(other)
            evaluations = [(each / "evaluation.jsonl").read_bytes() for each in (one, other)]
            assert evaluations[0] == evaluations[1]
            weights = [_newest(each) / "tensors.safetensors" for each in (one, other)]
            assert weights[0].read_bytes() == weights[1].read_bytes()


def test_the_tables_are_those_of_the_local_scheduler(story):
    by_ray, here, _ = story
    tables = [
        re.findall(r"<table.*?</table>", (each / "report.html").read_text(), re.DOTALL)
        for each in (by_ray, here)
    ]
    assert tables[0]
    assert tables[0] == tables[1]


def test_it_says_what_it_does(story):
    output = story[2]
    assert "jobs     by ray, on cpu, PyTorch threads each: 1" in output
    assert output.count(": started, log in") == 4
    assert output.count(": done after update 60") == 4


def test_a_stop_saves_what_was_trained_and_the_same_command_goes_on(tmp_path):
    folder, output = tmp_path / "folder", tmp_path / "output"
    arguments = [*ARGUMENTS[2:], "--frames", str(2000 * FRAMES_PER_UPDATE), "--on", "ray"]
    process = start(folder, *arguments, output=output)
    path = folder / "uniform" / "seed-0"
    deadline = time.monotonic() + PATIENCE
    while not _rows(path):
        assert time.monotonic() < deadline, output.read_text()
        time.sleep(0.05)
    process.terminate()
    assert process.wait() == 128 + signal.SIGTERM, output.read_text()
    assert len(_rows(path)) == int(_newest(path).name.removeprefix("update-")) < 2000
    assert "stopped by SIGTERM; start again with the same arguments" in output.read_text()


def test_a_run_asks_for_a_core_per_thread_and_a_part_of_a_gpu(tmp_path):
    job = make(tmp_path, "uniform")
    object.__setattr__(job.config, "threads", 3)
    assert on_ray.resources_of(job) == {"num_cpus": 3}
    object.__setattr__(job.config, "device", "cuda")
    assert on_ray.resources_of(job) == {"num_cpus": 3, "num_gpus": 0.25}
    assert job.state is State.WAITING


def _rows(path):
    file = path / "metrics.jsonl"
    lines = file.read_text().splitlines(keepends=True) if file.exists() else []
    rows = [json.loads(line) for line in lines if line.endswith("\n")]
    return [{name: row[name] for name in row if name not in TIMES} for row in rows]


def _newest(path) -> Path:
    return max(RunFolder(path).checkpoints.glob("update-*"))

"""A reproduction with the real trainer is killed, stopped, and killed again, then finished."""

import json
import os
import random
import signal
import subprocess
import time
from types import SimpleNamespace

import pytest

from lapis.reproduce import command
from lapis.reproduce.jobs import State
from lapis.runs import RunFolder
from tests.reproduce.driver import FRAMES_PER_UPDATE, TWO, call, fork, wait

UPDATES = 60
TIMES = ("seconds", "frames_per_second")
ARGUMENTS = [
    *("--frames", str(UPDATES * FRAMES_PER_UPDATE), "--treatments", TWO, "--seeds", "1"),
    *("--jobs", "2", "--checkpoint-updates", "5"),
]


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    """What happened: exit codes, processes that outlived their parent, what a rival was told."""
    place = tmp_path_factory.mktemp("kill")
    folder, output = place / "reproduction", place / "output"
    rng = random.Random(0)
    story = SimpleNamespace(folder=folder, output=output, codes=[], left=[], rival=None)

    process = fork(folder, *ARGUMENTS, output=output)
    _wait_until(lambda: _processes(folder))
    rival = fork(folder, *ARGUMENTS, output=place / "rival")
    story.rival = (wait(rival), (place / "rival").read_text())
    time.sleep(rng.uniform(0, 2))  # While the runs are being created.
    _end(story, process, signal.SIGKILL)

    process = fork(folder, *ARGUMENTS, output=output)
    _wait_until(lambda: all(_last_update(path) >= 5 for path in _paths(folder)))
    _end(story, process, signal.SIGTERM)
    story.stopped = {path: (_last_update(path), _last_saved(path)) for path in _paths(folder)}

    process = fork(folder, *ARGUMENTS, output=output)
    _wait_until(lambda: any(_last_update(path) > story.stopped[path][0] for path in _paths(folder)))
    time.sleep(rng.uniform(0, 0.2))
    _end(story, process, signal.SIGKILL)

    story.codes.append(wait(fork(folder, *ARGUMENTS, output=output)))
    story.rows = {path: _rows(path) for path in _paths(folder)}
    return story


def test_a_killed_or_stopped_reproduction_goes_on_to_the_end(story):
    assert story.codes == [-signal.SIGKILL, 128 + signal.SIGTERM, -signal.SIGKILL, 0]
    for path, rows in story.rows.items():
        assert [row["update"] for row in rows] == list(range(1, UPDATES + 1)), path
        assert path.with_name("seed-0.done").exists()
        assert "resumed after update" in (path / "recipe.txt").read_text()
    assert not list(story.folder.glob("*/.*"))


def test_no_process_outlives_its_parent(story):
    assert story.left == [[], [], []]


def test_a_polite_stop_saves_what_was_trained(story):
    assert len(story.stopped) == 2
    for trained, saved in story.stopped.values():
        assert 5 <= trained < UPDATES
        assert saved == trained


def test_a_second_reproduction_is_refused(story):
    code, text = story.rival
    assert code == 1
    assert f"another `lapis reproduce` is running in {story.folder}" in text


def test_the_end_is_reported(story):
    assert "The report is" in story.output.read_text()
    assert (story.folder / "report.html").stat().st_size > 10_000
    assert list((story.folder / "figures").glob("*.png"))
    tables = sorted(path.name for path in (story.folder / "tables").iterdir())
    assert tables == ["bidirectional-seed-0.npz", "uniform-seed-0.npz"]


def test_a_finished_reproduction_starts_nothing(story, capsys, monkeypatch):
    reported = []
    monkeypatch.setattr(command, "_report", lambda jobs, folder: reported.extend(jobs))
    assert call(story.folder, *ARGUMENTS) == 0
    assert "started" not in capsys.readouterr().out
    assert [job.state for job in reported] == [State.DONE, State.DONE]
    assert {path: _rows(path) for path in story.rows} == story.rows


def test_runs_equal_those_that_were_never_stopped(story, tmp_path):
    """In a process of its own, which has as many threads as the runs had."""
    path = story.folder / "bidirectional" / "seed-0"
    process = os.fork()
    if process == 0:
        from lapis.running.run import RunOptions, start
        from lapis.train.config import load_config

        options = RunOptions(quiet=True)
        code = start(
            tmp_path / "whole",
            config=load_config(RunFolder(path).read_config()),
            recipe="",
            command=[],
            options=options,
        )
        os._exit(code)
    assert wait(process) == 0
    assert _rows(tmp_path / "whole") == story.rows[path]
    evaluations = (tmp_path / "whole" / "evaluation.jsonl").read_text()
    assert (path / "evaluation.jsonl").read_text() == evaluations


def _end(story, process, number):
    os.kill(process, number)
    story.codes.append(wait(process))
    deadline = time.monotonic() + 20
    while _processes(story.folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    story.left.append(_processes(story.folder))


def _processes(folder):
    """The processes of runs in the folder."""
    listing = subprocess.run(
        ["ps", "-axwwo", "pid=,command="], capture_output=True, text=True, check=True
    ).stdout
    return [line for line in listing.splitlines() if f"reproduce.child {folder}/" in line]


def _paths(folder):
    return [folder / name / "seed-0" for name in TWO.split(",")]


def _rows(path):
    """The log without what depends on the machine's mood."""
    lines = (path / "metrics.jsonl").read_text().splitlines(keepends=True)
    rows = [json.loads(line) for line in lines if line.endswith("\n")]
    return [{name: row[name] for name in row if name not in TIMES} for row in rows]


def _last_update(path):
    return _rows(path)[-1]["update"] if path.exists() and _rows(path) else 0


def _last_saved(path):
    names = [each.name for each in RunFolder(path).checkpoints.glob("update-*")]
    return max((int(name.removeprefix("update-")) for name in names), default=0)


def _wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)

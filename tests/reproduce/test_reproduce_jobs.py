import json
import os
import signal
import subprocess
import time

import pytest

from lapis.reproduce import children
from lapis.reproduce.jobs import (
    State,
    last_row,
    make_job,
    reportable,
    require_same_settings,
    run_jobs,
)
from lapis.runs import RunError, RunFolder
from lapis.train.config import to_dict
from tests.reproduce.driver import FRAMES_PER_UPDATE
from tests.reproduce.jobs import config, make, write_rows


@pytest.fixture
def inherited(tmp_path):
    descriptor = os.open(tmp_path / ".lock", os.O_RDWR | os.O_CREAT)
    yield descriptor
    os.close(descriptor)


def run(jobs, inherited, *, job_count=1, is_stopped=lambda: False, look=lambda: None):
    """Runs the jobs; returns what was said."""
    said = []
    run_jobs(
        jobs,
        [{"SLOT": str(index)} for index in range(job_count)],
        inherited=inherited,
        is_stopped=is_stopped,
        look=look,
        say=said.append,
    )
    return said


def is_gone(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_jobs_run_in_their_order_and_so_many_at_a_time(tmp_path, inherited):
    code = "import time; time.sleep(0.2)"
    jobs = [make(tmp_path, name, code=code) for name in ("c", "a", "b")]
    most = []

    def look():
        most.append([job.name for job in jobs if job.state is State.RUNNING])

    said = run(jobs, inherited, job_count=2, look=look)
    started = [line.partition(" ")[0] for line in said if "started" in line]
    assert started == ["c", "a", "b"]
    assert most[0] == ["c", "a"]
    assert max(map(len, most)) == 2
    assert [job.state for job in jobs] == [State.DONE] * 3


def test_a_process_gets_its_task_its_environment_and_its_log(tmp_path, inherited):
    code = "import os, sys; print(os.environ['SLOT'], sys.stdin.readline(), flush=True)"
    job = make(tmp_path, "a", code=code)
    run([job], inherited)
    slot, _, task = job.log.read_text().partition(" ")
    assert slot == "0"
    assert json.loads(task) == {"name": "a"}
    assert job.log == tmp_path / "a" / "seed-0.log"


def test_a_failing_run_does_not_stop_the_others_and_is_tried_again(tmp_path, inherited):
    bad = make(tmp_path, "bad", code="import sys; print('no luck'); sys.exit(3)")
    killed = make(tmp_path, "killed", code="import os; os.kill(os.getpid(), 9)")
    good = make(tmp_path, "good")
    said = run([bad, killed, good], inherited)
    assert [bad.state, killed.state, good.state] == [State.FAILED, State.FAILED, State.DONE]
    assert f"bad seed 0: failed (exit code 3), see {bad.log}" in said
    assert f"killed seed 0: failed (killed by SIGKILL), see {killed.log}" in said
    assert bad.log.read_text() == "no luck\n"
    assert not bad.marker.exists()
    assert good.marker.exists()


def test_a_run_that_ends_before_it_gets_its_task_is_a_failed_one(tmp_path, inherited, monkeypatch):
    class EndsAtOnce(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.wait()

    monkeypatch.setattr(subprocess, "Popen", EndsAtOnce)
    bad = make(tmp_path, "bad", code="import sys; sys.exit(3)")
    assert f"bad seed 0: failed (exit code 3), see {bad.log}" in run([bad], inherited)


def test_a_stop_is_a_polite_signal_and_starts_nothing_more(tmp_path, inherited):
    ready = tmp_path / "ready"
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        f"open({str(ready)!r}, 'w').close()\n"
        "time.sleep(60)"
    )
    jobs = [make(tmp_path, "a", code=code), make(tmp_path, "b")]
    run(jobs, inherited, is_stopped=ready.exists)
    assert [job.state for job in jobs] == [State.STOPPED, State.WAITING]
    assert jobs[0].process.returncode == 143
    assert not jobs[0].marker.exists()


def test_an_error_leaves_no_process_behind(tmp_path, inherited):
    job = make(tmp_path, "a", code="import time; time.sleep(60)")

    def look():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run([job], inherited, look=look)
    assert job.process.returncode == -signal.SIGKILL
    assert is_gone(job.process.pid)
    assert job.state is State.STOPPED


def test_a_process_learns_that_its_parent_is_gone(tmp_path, inherited):
    """Its parent is a fork that is killed; the process notes the SIGTERM it sends itself."""
    noted, ready = tmp_path / "noted", tmp_path / "ready"
    job = make(tmp_path, "a")
    source = (
        "import importlib.util, os, signal, sys, time\n"
        f"spec = importlib.util.spec_from_file_location('children', {children.__file__!r})\n"
        "children = importlib.util.module_from_spec(spec); spec.loader.exec_module(children)\n"
        f"note = lambda *_: (open({str(noted)!r}, 'w').write(str(os.getpid())), sys.exit(143))\n"
        "signal.signal(signal.SIGTERM, note)\n"
        "children.receive_task()\n"
        f"open({str(ready)!r}, 'w').close()\n"
        "time.sleep(60)"
    )
    job.command = [*job.command[:-1], source]
    process = os.fork()
    if process == 0:
        run([job], inherited)
        os._exit(0)
    _wait_until(ready.exists)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    _wait_until(lambda: noted.exists() and noted.read_text())
    _wait_until(lambda: is_gone(int(noted.read_text())))


def _wait_until(condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_finished_runs_are_kept_and_others_wait(tmp_path):
    paths = [tmp_path / "a" / f"seed-{seed}" for seed in range(3)]
    for path in paths[:2]:
        write_rows(path, (4, 2))
    paths[0].with_name("seed-0.done").touch()
    jobs = [make_job(path, config(seed), {}) for seed, path in enumerate(paths)]
    assert [job.state for job in jobs] == [State.DONE, State.WAITING, State.WAITING]
    assert [job.update for job in jobs] == [4, 4, 0]
    assert [job.title for job in jobs] == ["a seed 0", "a seed 1", "a seed 2"]
    assert jobs[0].frame_total == 10 * FRAMES_PER_UPDATE
    assert reportable(jobs) == jobs[:1]
    assert reportable(jobs[1:]) == jobs[1:2]


def test_runs_of_a_treatment_with_other_settings_are_refused(tmp_path):
    RunFolder.create(
        tmp_path / "seed-0", config=to_dict(config(0)), recipe="tiny", command=["lapis"]
    )
    require_same_settings(tmp_path, config(5))
    require_same_settings(tmp_path / "elsewhere", config(0, world_count=4))
    with pytest.raises(
        RunError, match=r"seed-0 has other .*: world_count was 8, now 4\..*--folder"
    ):
        require_same_settings(tmp_path, config(1, world_count=4))


def test_the_last_whole_line_is_read(tmp_path, monkeypatch):
    path = tmp_path / "metrics.jsonl"
    assert last_row(path) is None
    for text, expected in (
        ("", None),
        ('{"update": 1', None),
        ('{"update": 1}\n', {"update": 1}),
        ('{"update": 1}\n{"update": 2}\n{"upd', {"update": 2}),
    ):
        path.write_text(text)
        assert last_row(path) == expected
    monkeypatch.setattr("lapis.reproduce.jobs.TAIL_BYTES", 64)
    path.write_text("no line of metrics\n" * 100 + '{"update": 5}\n')
    assert last_row(path) == {"update": 5}


def test_numbers_follow_the_logs(tmp_path):
    job = make(tmp_path, "a")
    job.read_logs()
    assert (job.update, job.discovered, job.evaluated) == (0, None, None)
    write_rows(job.path, (1, 0), (2, 3))
    (job.path / "evaluation.jsonl").write_text(
        '{"update":1,"frames":64,"successes":[9,9,9,9],"attempts":[20,20,20,20]}\n'
        '{"update":2,"frames":128,"successes":[1,2,20,0],"attempts":[20,20,20,0]}\n'
    )
    job.read_logs()
    assert (job.update, job.frames, job.discovered) == (2, 2 * FRAMES_PER_UPDATE, 3)
    assert job.evaluated == 2  # 1 of 20 is not above 5 %, 0 of 0 neither.

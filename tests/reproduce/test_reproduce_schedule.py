import json
import os
import signal
import time

import pytest

from lapis.reproduce.schedule import State, make_job, reportable, run_jobs
from lapis.runs import RunError, RunFolder
from lapis.train.config import to_dict
from tests.reproduce.jobs import make, planned, write_rows


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
        most.append([job.run.name for job in jobs if job.state is State.RUNNING])

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
    assert jobs[0].exit_code == 143
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
        f"spec = importlib.util.spec_from_file_location('parent', {_parent_source()!r})\n"
        "parent = importlib.util.module_from_spec(spec); spec.loader.exec_module(parent)\n"
        f"note = lambda *_: (open({str(noted)!r}, 'w').write(str(os.getpid())), sys.exit(143))\n"
        "signal.signal(signal.SIGTERM, note)\n"
        "parent.receive_task()\n"
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


def _parent_source():
    import lapis.reproduce.parent

    return lapis.reproduce.parent.__file__


def _wait_until(condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_finished_runs_are_kept_and_others_wait(tmp_path):
    runs = [planned("a", seed) for seed in range(3)]
    for each in runs[:2]:
        RunFolder.create(
            each.path(tmp_path), config=to_dict(each.config), recipe="tiny", command=["lapis"]
        )
        write_rows(each.path(tmp_path), (4, 2))
    (tmp_path / "a" / "seed-0.done").touch()
    jobs = [make_job(each, tmp_path, task={}) for each in runs]
    assert [job.state for job in jobs] == [State.DONE, State.WAITING, State.WAITING]
    assert [job.watch.update for job in jobs] == [4, 4, 0]
    assert reportable(jobs) == jobs[:1]
    assert reportable(jobs[1:]) == jobs[1:2]


def test_a_run_with_other_settings_is_refused(tmp_path):
    asked = planned("a", 0, updates=10)
    other = to_dict(planned("a", 0, updates=11).config)
    RunFolder.create(asked.path(tmp_path), config=other, recipe="tiny", command=["lapis"])
    with pytest.raises(RunError, match=r"seed-0 was made with other settings .*--folder"):
        make_job(asked, tmp_path, task={})

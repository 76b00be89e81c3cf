import io
import re
from datetime import datetime, timedelta

import pytest
from rich.console import Console

from lapis.report.command import load_groups
from lapis.reproduce.display import LINE_SECONDS, Display
from lapis.reproduce.jobs import State
from lapis.reproduce.results import terminal_table
from tests.report.synthetic import make_run
from tests.reproduce.jobs import make, write_rows


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def jobs(tmp_path):
    """Two treatments, two seeds, ten updates each: done, running at 20 %, failed, waiting."""
    jobs = [make(tmp_path, name, seed) for seed in (0, 1) for name in ("slow", "quick")]
    states = (State.DONE, State.RUNNING, State.FAILED, State.WAITING)
    for job, state in zip(jobs, states, strict=True):
        job.state = state
    write_rows(jobs[0].path, (10, 30))
    (jobs[0].path / "evaluation.jsonl").write_text(
        '{"update":10,"frames":640,"successes":[1,1,0],"attempts":[2,2,2]}\n'
    )
    write_rows(jobs[1].path, (2, 1))
    for job in jobs:
        job.read_logs()
    return jobs


def train(display, job, clock, *, update, discovered, seconds):
    """The job's log gets a line after so many seconds, and the display looks at it."""
    clock.now += seconds
    write_rows(job.path, (update, discovered))
    job.read_logs()
    display.look()


def text_of(display, width=120):
    console = Console(file=io.StringIO(), width=width)
    console.print(display.render())
    return console.file.getvalue()


@pytest.fixture
def display(jobs, clock):
    """The running job has trained two updates in four seconds."""
    display = Display(jobs, "lapis reproduce", console=Console(file=io.StringIO()), clock=clock)
    train(display, jobs[1], clock, update=3, discovered=9, seconds=0.0)
    train(display, jobs[1], clock, update=5, discovered=20, seconds=4.0)
    return display


def test_the_table_shows_every_run_and_the_means(display):
    lines = text_of(display).splitlines()
    slow = next(line for line in lines if "slow" in line)
    assert slow.split()[1:-1] == ["slow", "done", "30/2", "failed", "30", "2"]
    quick = next(line for line in lines if "quick" in line)
    assert quick.split()[1:-1] == ["quick", "50", "%", "20", "waiting", "20", "-"]


def test_the_panel_shows_progress_speed_and_failures(display):
    text = text_of(display, width=150)
    assert "1/4 runs" in text
    assert "38%" in text  # 15 of 40 updates.
    # Two updates in four seconds: 32 frames/s, and 25 updates are left.
    times = re.search(r"0:00:04 elapsed, 0:00:50 left \(until (\w+ \d\d:\d\d)\), 32 frames/s", text)
    end = datetime.now() + timedelta(seconds=50)
    # A minute may have passed since.
    assert times[1] in {f"{end - timedelta(seconds=back):%a %H:%M}" for back in (0, 60)}
    assert "slow seed 1 failed, see" in text
    assert "seed-1.log" in text


def test_what_an_earlier_session_trained_is_no_speed_of_this_one(jobs, clock):
    display = Display(jobs, "", console=Console(file=io.StringIO()), clock=clock)
    clock.now = 4.0
    display.look()
    assert "-:--:-- left, - frames/s" in display.line()


def test_many_seeds_are_counted(tmp_path):
    jobs = [make(tmp_path, "a", seed) for seed in range(9)]
    for job in jobs[:5]:
        job.state = State.DONE
    text = text_of(Display(jobs, "lapis reproduce"))
    assert "4 waiting  5 done" in text
    assert "seed 8" not in text


def test_without_a_terminal_a_line_comes_now_and_then(jobs, clock):
    console = Console(file=io.StringIO())
    with Display(jobs, "lapis reproduce", console=console, clock=clock) as display:
        display.look()
        assert console.file.getvalue() == ""
        clock.now = LINE_SECONDS
        display.look()
        display.look()
    assert console.file.getvalue() == (
        "30.0 %, 1/4 runs done  0:00:30 elapsed, -:--:-- left, - frames/s  quick seed 0 20 % 1\n"
    )


def test_the_results_are_means_with_intervals_and_the_papers_numbers(tmp_path):
    runs = [
        make_run(tmp_path / f"{name}-{seed}", name, seed, updates=20)
        for name in ("uniform", "bidirectional")
        for seed in (0, 1)
    ]
    console = Console(file=io.StringIO(), width=120)
    console.print(terminal_table(load_groups(runs)))
    text = console.file.getvalue()
    assert "discovered goals after 40,960 frames" in text
    cells = next(line for line in text.splitlines() if "bidirectional" in line).split("│")
    assert [cell.strip() for cell in cells[2:4]] == ["2", "82"]
    assert " to " in cells[4]

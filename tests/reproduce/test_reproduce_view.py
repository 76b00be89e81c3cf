import dataclasses
import io

import pytest
from rich.console import Console

from lapis.reproduce.board import Board, mean
from lapis.reproduce.estimate import BYTES_PER_UPDATE, disk_bytes, run_seconds, seconds_for
from lapis.reproduce.plan import Speed
from lapis.reproduce.schedule import State
from lapis.reproduce.view import PlainView, plain_line, render
from lapis.running.run import RunOptions
from tests.reproduce.driver import FRAMES_PER_UPDATE
from tests.reproduce.jobs import make, planned, write_rows


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def board(tmp_path, clock):
    """Two treatments, two seeds, ten updates each: done, running at 40 %, failed, waiting."""
    done, running, failed, waiting = (
        make(tmp_path, name, seed, clock=clock) for seed in (0, 1) for name in ("slow", "quick")
    )
    running.state = State.RUNNING
    running.watch.begin()
    write_rows(running.path, (2, 1))
    board = Board([done, running, failed, waiting], job_count=2, clock=clock)
    board.poll()
    clock.now = 4.0
    write_rows(running.path, (4, 20))
    done.state, failed.state = State.DONE, State.FAILED
    write_rows(done.path, (10, 30))
    (done.path / "evaluation.jsonl").write_text(
        '{"update":10,"frames":640,"successes":[1,1,0],"attempts":[2,2,2]}\n'
    )
    done.watch.poll()
    board.poll()
    return board


def text_of(board, width=100):
    console = Console(file=io.StringIO(), width=width)
    console.print(render(board, "lapis reproduce", "SIGINT: finishing"))
    return console.file.getvalue()


def test_free_jobs_take_the_next_run():
    # Two jobs: 3 s and 1 s begin; the second is free at 1 s and takes 4 s, so that it ends at 5 s.
    assert seconds_for([3.0, 1.0, 4.0], jobs=2) == 5.0
    assert seconds_for([3.0, 1.0, 4.0], jobs=1) == 8.0
    assert seconds_for([], jobs=3) == 0.0


def test_a_run_takes_its_training_and_its_evaluations():
    run = planned("a", updates=10)  # 640 frames, evaluations after updates 4, 8 and 10
    run = dataclasses.replace(run, config=dataclasses.replace(run.config, evaluation_updates=4))
    speed = Speed(frames_per_second=64.0, evaluation_seconds=2.0, jobs=1, checkpoint_bytes=1)
    assert run_seconds(run, speed) == 10.0 + 3 * 2.0


def test_disk_counts_checkpoints_and_lines():
    speed = Speed(frames_per_second=1.0, evaluation_seconds=0.0, jobs=1, checkpoint_bytes=1000)
    runs = [planned("a", 0, updates=10), planned("a", 1, updates=10)]
    options = RunOptions(checkpoint_count=3)
    assert disk_bytes(runs, speed, options) == 2 * (4 * 1000 + 10 * BYTES_PER_UPDATE)


def test_speed_and_time_left_are_those_of_this_session(board, clock):
    assert board.frames_per_second == 2 * FRAMES_PER_UPDATE / 4.0
    # Six updates of the running job and, beside it, ten of the waiting one, two seconds each.
    assert board.seconds_left == 20.0
    assert board.share == (10 + 4) / 40
    clock.now = 9.0
    assert board.elapsed == 9.0


def test_before_anything_is_trained_the_expected_speed_counts(tmp_path, clock):
    jobs = [make(tmp_path, "a", clock=clock)]
    assert Board(jobs, job_count=1, clock=clock).seconds_left is None
    expected = Board(jobs, job_count=1, frames_per_second=64.0, clock=clock)
    assert expected.seconds_left == 10 * FRAMES_PER_UPDATE / 64.0


def test_the_table_shows_every_run_and_the_means(board):
    lines = text_of(board).splitlines()
    slow = next(line for line in lines if "slow" in line)
    assert slow.split()[1:-1] == ["slow", "done", "30/2", "failed", "30", "2"]
    quick = next(line for line in lines if "quick" in line)
    assert quick.split()[1:-1] == ["quick", "40", "%", "waiting", "20", "-"]


def test_the_panel_shows_progress_speed_failures_and_notices(board):
    text = text_of(board, width=200)
    assert "1 / 4 runs" in text
    assert "35%" in text
    assert "0:00:20 left" in text
    now = next(line for line in text.splitlines() if "quick seed 0" in line)
    assert now.split()[-7:-1] == ["40", "%", "256", "32", "20", "-"]
    assert "slow seed 1 failed, see" in text
    assert "seed-1.log" in text
    assert "SIGINT: finishing" in text


def test_many_seeds_are_counted(tmp_path, clock):
    jobs = [make(tmp_path, "a", seed, clock=clock) for seed in range(9)]
    for job in jobs[:5]:
        job.state = State.DONE
    text = text_of(Board(jobs, job_count=1, clock=clock))
    assert "4 waiting  5 done" in text
    assert "seed 8" not in text


def test_a_plain_line_says_the_same(board):
    assert plain_line(board) == (
        "35.0%, 1/4 runs done  elapsed 0:00:04, 0:00:20 left  32 frames/s per job  "
        "quick seed 0 40 %, 20 goals"
    )


def test_plain_lines_come_at_intervals(board, capsys):
    rare, often = PlainView(board, interval=1000.0), PlainView(board, interval=0.0)
    rare.look()
    assert capsys.readouterr().out == ""
    often.look()
    assert capsys.readouterr().out == plain_line(board) + "\n"


def test_a_mean_leaves_out_what_is_not_known():
    assert mean([None, 1, 2]) == 1.5
    assert mean([None]) is None

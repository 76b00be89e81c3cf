import os
import signal

import numpy as np
import pytest
from rich.console import Console

from lapis.running.signals import StopRequest
from lapis.terminal.progress import Progress, duration, resample, short
from lapis.terminal.training import LiveView, PlainView, View, open_view, render, sparkline

GOALS = ("log", "planks", "cobblestone", "diamond", "beacon")
GROUPS = ("surface", "surface", "stone", "diamond", "impossible")


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def progress(clock):
    return Progress(update_total=200, goals=GOALS, groups=GROUPS, clock=clock)


def metrics(update, **changes):
    return {
        "update": update,
        "discovered": 2,
        "success": np.array([0.9, 0.3, 0.02, 0.0, 0.0]),
        "probabilities": np.array([0.1, 0.5, 0.2, 0.15, 0.05]),
        "losses": {"policy": -0.0123, "value": 0.5},
        "kl": 0.0067,
        "seconds": {"world": 0.2, "update": 0.3},
        "frames_per_second": 26134.2,
        **changes,
    }


def text_of(renderable, width=100):
    console = Console(record=True, width=width, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(renderable)
    return console.export_text()


def feed(progress, clock, updates, seconds=2.0):
    for update in updates:
        clock.now += seconds
        progress.take(metrics(update))


def test_time_left_is_that_of_the_remaining_updates_at_the_recent_rate(progress, clock):
    assert progress.seconds_left is None
    feed(progress, clock, [1])
    assert progress.seconds_left is None
    feed(progress, clock, range(2, 101))
    assert progress.seconds_left == pytest.approx(100 * 2.0)
    feed(progress, clock, range(101, 151), seconds=4.0)
    assert progress.seconds_left == pytest.approx(50 * 4.0)


def test_a_resumed_run_counts_its_rate_from_the_resume(clock):
    progress = Progress(update_total=200, goals=GOALS, discovered=[0, 1], clock=clock)
    feed(progress, clock, [101, 102])
    assert progress.seconds_left == pytest.approx(98 * 2.0)
    assert progress.discovered == [0, 1, 2, 2]


def test_the_frontier_is_what_is_sampled_most(progress):
    progress.take(metrics(1))
    assert progress.frontier(2) == [("planks", 0.5, 0.3), ("cobblestone", 0.2, 0.02)]


def test_under_uniform_sampling_the_frontier_is_nearest_to_even_odds(progress):
    progress.take(metrics(1, probabilities=np.full(5, 0.2)))
    assert [goal for goal, _, _ in progress.frontier(2)] == ["planks", "log"]


def test_groups_count_goals_above_five_percent_and_leave_out_what_is_impossible(progress):
    assert progress.group_counts() == [("surface", 0, 2), ("stone", 0, 1), ("diamond", 0, 1)]
    progress.take(metrics(1, success=np.array([0.9, 0.05, 0.051, 0.0, 0.0])))
    assert progress.group_counts() == [("surface", 1, 2), ("stone", 1, 1), ("diamond", 0, 1)]
    assert progress.goal_total == 4


def test_resampling_keeps_the_first_and_the_last():
    assert resample([1, 2, 3], 5) == [1, 2, 3]
    assert resample(list(range(101)), 5) == [0, 25, 50, 75, 100]


def test_a_sparkline_runs_from_zero_to_the_largest_value():
    assert sparkline([0, 1, 2, 4], 10) == "\u2581\u2583\u2585\u2588"
    assert sparkline([0, 1, 2, 4], 10, ascii_only=True) == "_-=#"
    assert sparkline([0, 0], 10) == "\u2581\u2581"
    assert sparkline([], 10) == ""
    assert len(sparkline(list(range(1000)), 30)) == 30


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "-:--:--"),
        (0, "0:00:00"),
        (3661.4, "1:01:01"),
        (59.6, "0:01:00"),
        (90_000, "1 d 1:00:00"),
    ],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (950, "950"), (26134.2, "26.1k"), (3.4e6, "3.4M"), (2e9, "2.0G")]
)
def test_short_numbers(number, text):
    assert short(number) == text


def test_the_panel_shows_everything(progress, clock):
    feed(progress, clock, range(1, 51))
    text = text_of(render(progress, "lapis runs/a", "SIGINT: finishing"))
    for part in (
        "lapis runs/a", "update 50 / 200", "25%", "26.1k frames/s", "0:05:00 left",
        "discovered 2 / 4", "planks", "50.0%", "30%", "surface", "2 / 2", "0 / 1",
        "policy loss -0.0123", "kl 0.0067",
        "value loss 0.5", "world 40%", "update 60%", "SIGINT: finishing",
    ):  # fmt: skip
        assert part in text
    assert "impossible" not in text
    assert "\u2588" in text


def evaluation(*successes, update=1200):
    return {"update": update, "successes": np.array(successes), "attempts": np.full(5, 20)}


def test_evaluated_goals_are_above_the_threshold_and_possible(progress):
    assert progress.evaluated() is None
    progress.evaluation = evaluation(20, 1, 2, 0, 20)
    assert progress.evaluated() == 2
    assert progress.evaluated(0.5) == 1


def test_the_last_evaluation_is_one_line(progress, clock, capsys):
    feed(progress, clock, range(1, 3))
    assert "evaluated" not in text_of(render(progress, "lapis"))
    view = PlainView(progress, clock=clock)
    view.take_evaluation(evaluation(20, 0, 0, 0, 0, update=600))
    view.take_evaluation(evaluation(20, 11, 2, 0, 0))
    line = "evaluated: 3 of 4 (2 above 50 %) after update 1,200"
    assert capsys.readouterr().out.splitlines()[1] == line
    assert line in text_of(render(progress, "lapis"))
    View().take_evaluation(evaluation(20, 11, 2, 0, 0))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_the_panel_fits_the_width_and_loses_no_number(progress, clock, width):
    feed(progress, clock, range(1, 151))
    text = text_of(render(progress, "lapis", width=width), width)
    assert all(len(line) == width for line in text.splitlines())
    if width >= 80:
        assert "50.0%" in text
        assert "2 / 2" in text


def test_the_panel_shows_something_before_the_first_update(progress):
    text = text_of(render(progress, "lapis"))
    assert "update 0 / 200" in text
    assert "-:--:-- left" in text


def test_the_panel_without_groups_has_no_group_table(clock):
    progress = Progress(update_total=10, goals=GOALS, clock=clock)
    progress.take(metrics(1))
    text = text_of(render(progress, "lapis"))
    assert "planks" in text
    assert "group" not in text
    assert "discovered 2 / 5" in text


def test_the_live_view_draws_on_a_terminal_and_gives_the_cursor_back(
    progress, tmp_path, monkeypatch
):
    monkeypatch.setenv("TERM", "xterm")  # A dumb terminal has no cursor to hide.
    with (tmp_path / "screen").open("w") as file:
        console = Console(file=file, force_terminal=True, width=100)
        with LiveView(progress, "lapis", console) as view:
            view.take(metrics(7))
            view.announce("SIGTERM: finishing")
            view.say("a line [of] text")
    screen = (tmp_path / "screen").read_text()
    assert "update 7 / 200" in screen
    assert "SIGTERM: finishing" in screen
    assert "a line [of] text" in screen
    assert screen.rindex("\x1b[?25h") > screen.rindex("\x1b[?25l")


def test_plain_lines_come_first_then_every_so_many_seconds_and_last(progress, clock, capsys):
    view = PlainView(progress, clock=clock)
    for update in range(1, 201):
        clock.now += 0.125
        view.take(metrics(update))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("update 1/200 (0.5 %)  discovered 2/4  26.1k frames/s  -:--:-- left")
    assert lines[0].endswith("frontier: planks 30%, cobblestone 2%, diamond 0%")
    assert lines[1].startswith("update 81/200")
    assert lines[3].startswith("update 200/200 (100.0 %)")


def test_without_a_terminal_there_are_lines_and_quiet_is_quiet(progress, capsys):
    assert isinstance(open_view(progress, "lapis"), PlainView)
    quiet = open_view(progress, "lapis", quiet=True)
    assert type(quiet) is View
    with quiet as view:
        view.take(metrics(1))
        view.say("text")
    assert capsys.readouterr().out == ""


def test_a_stop_request_notes_the_first_signal_and_restores_the_handlers():
    before = signal.getsignal(signal.SIGTERM)
    notices = []
    with StopRequest(notices.append) as stop:
        assert (stop.signal, stop.exit_code) == (None, 0)
        os.kill(os.getpid(), signal.SIGTERM)
        assert (stop.signal, stop.exit_code) == (signal.SIGTERM, 143)
        assert len(notices) == 1
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is before

import os
import time

import pytest

from lapis.cli import main
from lapis.reproduce.jobs import State, run_jobs
from lapis.reproduce.sweep import BelowMedian, choices, folder_name
from tests.reproduce.jobs import make, write_rows

TWO = {"ppo.clip": "0.1,0.2", "seed-free": "a,b,c"}


def test_a_grid_has_all_combinations():
    found = choices(TWO, samples=None)
    assert len(found) == 6
    assert found[0] == {"ppo.clip": "0.1", "seed-free": "a"}
    assert found[-1] == {"ppo.clip": "0.2", "seed-free": "c"}


def test_samples_of_a_grid_differ_from_each_other_and_are_the_same_for_a_seed():
    found = choices(TWO, samples=5, seed=1)
    assert len({folder_name(each) for each in found}) == 5
    assert found == choices(TWO, samples=5, seed=1)
    assert found != choices(TWO, samples=5, seed=2)
    assert all(each in choices(TWO, samples=None) for each in found)


def test_ranges_are_drawn_with_all_orders_of_magnitude_alike():
    varied = {"rate": "1e-4..1e-2", "count": "1..1000"}
    found = choices(varied, samples=400)
    rates = [float(each["rate"]) for each in found]
    assert all(1e-4 <= rate <= 1e-2 for rate in rates)
    below = sum(rate < 1e-3 for rate in rates)
    assert 160 < below < 240  # Half of 400, four deviations of 10 to each side.
    counts = [int(each["count"]) for each in found]
    assert min(counts) >= 1
    assert max(counts) <= 1000
    assert 80 < sum(count < 10 for count in counts) < 190  # 9.5 is a third of the way up: 130.


@pytest.mark.parametrize(
    ("low", "high", "samples"), [(0.99, 0.9999, 11), (0.9995, 0.9999, 4), (1.0041, 1.0049, 4)]
)
def test_rounding_leads_out_of_no_range(low, high, samples):
    found = choices({"ppo.discount": f"{low}..{high}"}, samples=samples)
    assert all(low <= float(each["ppo.discount"]) <= high for each in found)
    assert max(len(each["ppo.discount"]) for each in found) <= 7


@pytest.mark.parametrize(
    ("varied", "samples", "message"),
    [
        ({"rate": "1e-4..1e-2"}, None, "say how many --samples"),
        ({"rate": "1e-2..1e-4"}, 3, "a range is LOW..HIGH with 0 < LOW < HIGH"),
        ({"rate": "0..1"}, 3, "a range is LOW..HIGH"),
        ({"rate": "a..b"}, 3, "a range is LOW..HIGH"),
        (TWO, 7, "samples is 7, but only 6 combinations"),
    ],
)
def test_what_cannot_be_drawn_is_refused(varied, samples, message):
    with pytest.raises(ValueError, match=message):
        choices(varied, samples=samples)


def test_a_name_is_one_folder():
    assert folder_name({"a.b": "x/../y", "c": "1e-4:2e-4:5"}) == "a.b=x_.._y,c=1e-4:2e-4:5"


def jobs_with(folder, *discovered, update=25):
    """Runs of 100 updates, each with so many goals at this update."""
    jobs = [make(folder, name, updates=100) for name in "abcdef"[: len(discovered)]]
    for job, count in zip(jobs, discovered, strict=True):
        write_rows(job.path, (update - 1, 0), (update, count))
        job.read_logs()
    return jobs


def test_a_run_below_the_median_of_the_others_is_dropped(tmp_path):
    jobs = jobs_with(tmp_path, 1, 5, 5, 9)
    is_below = BelowMedian(jobs)
    # The others' medians: 5 of (5, 5, 9), 5 of (1, 5, 9) twice, 5 of (1, 5, 5).
    assert [is_below(job) for job in jobs] == [True, False, False, False]


def test_nobody_is_dropped_before_three_others_have_come_as_far(tmp_path):
    jobs = jobs_with(tmp_path, 1, 5, 9)
    assert not any(map(BelowMedian(jobs), jobs))


def test_nobody_is_dropped_before_a_quarter(tmp_path):
    jobs = jobs_with(tmp_path, 1, 5, 5, 9, update=24)
    assert not any(map(BelowMedian(jobs), jobs))


def test_what_counts_is_what_was_found_by_then(tmp_path):
    """The first run found more later, and those that are ahead had no more by then."""
    jobs = jobs_with(tmp_path, 6, 5, 5, 9)
    write_rows(jobs[1].path, (30, 100))
    jobs[1].read_logs()
    assert not BelowMedian(jobs)(jobs[0])


def test_a_dropped_run_ends_alone_and_is_not_started_again(tmp_path):
    lasting = "import time; time.sleep(60)"
    jobs = [make(tmp_path, "a", code=lasting), make(tmp_path, "b"), make(tmp_path, "c")]
    said = []
    descriptor = os.open(tmp_path / ".lock", os.O_RDWR | os.O_CREAT)
    begin = time.monotonic()
    run_jobs(
        jobs,
        [{}],
        inherited=descriptor,
        is_stopped=lambda: False,
        look=lambda: None,
        say=said.append,
        is_dropped=lambda job: job.name != "b",
    )
    os.close(descriptor)
    assert time.monotonic() - begin < 50
    assert [job.state for job in jobs] == [State.STOPPED, State.DONE, State.STOPPED]
    assert not any("a seed 0: failed" in each for each in said)


def test_a_dry_run_lists_what_would_be_run(tmp_path, capsys):
    arguments = ["--vary", "ppo.clip=0.1,0.2", "--seeds", "3", "--folder", str(tmp_path / "new")]
    assert main(["sweep", "demo", *arguments, "--dry-run"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[1:4] == ["runs     6: 2 settings", "ppo.clip=0.1", "ppo.clip=0.2"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--vary", "ppo.clip"], "'ppo.clip' is not a setting with values"),
        (["--vary", "ppo.clip=0.1..0.2"], "say how many --samples"),
    ],
)
def test_a_wrong_command_line_is_answered(tmp_path, capsys, arguments, message):
    assert main(["sweep", "demo", *arguments, "--folder", str(tmp_path / "new")]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_value_that_no_run_can_have_is_answered(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["sweep", "demo", "--vary", "ppo.clip=0.1,-1", "--folder", str(tmp_path / "new")])
    assert "clip is -1.0; it must be" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_sweep_trains_and_reports(tmp_path, capsys):
    folder = tmp_path / "sweep"
    small = ["updates=3", "world-count=8", "policy.width=16", "evaluation-attempts=1"]
    arguments = ["techtree", "--vary", "ppo.clip=0.1,0.2", "--folder", str(folder), "--jobs", "2"]
    arguments += ["--set", *small, "rollout-steps=8", "ppo.sequence-steps=8", "--drop-below-median"]
    assert main(["sweep", *arguments]) == 0
    output = capsys.readouterr().out
    assert output.count("done after update 3") == 2
    assert "clip 0.1" in output
    assert (folder / "report.html").stat().st_size > 10_000
    assert main(["sweep", *arguments]) == 0  # All are done.
    assert "started" not in capsys.readouterr().out

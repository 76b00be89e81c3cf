"""`lapis train` under the real torchrun: signals, kills, and another number of ranks."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lapis.cli import main
from lapis.running import checkpoint
from lapis.runs import RunFolder
from lapis.train.config import load_config
from lapis.train.state import rank_count, unflatten
from tests.train.ranks_driver import free_port

TINY = [
    *("techtree", "--world-count", "8", "--rollout-steps", "8", "--ppo.sequence-steps", "8"),
    *("--policy.width", "16", "--evaluation-updates", "0", "--threads", "1"),
    *("--simonsays.goals", "dirt", "log", "planks", "--simonsays.task-ticks", "60"),
]
TIMES = ("seconds", "frames_per_second")


def torchrun(folder, *arguments, ranks=2, restarts=0, meeting=("--standalone",), **environment):
    """A process of torchrun; its output goes to a file next to the run."""
    options = [*meeting, "--nproc-per-node", str(ranks), "--max-restarts", str(restarts)]
    command = [sys.executable, "-m", "torch.distributed.run", *options, "-m", "--", "lapis"]
    with folder.with_suffix(".txt").open("ab") as output:
        return subprocess.Popen(
            [*command, *arguments],
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, **environment},
        )


def train(folder, *, updates, every=1, **options):
    keep = ["--checkpoint-updates", str(every), "--updates", str(updates), "--run", str(folder)]
    return torchrun(folder, "train", *TINY, *keep, **options)


def output(folder):
    return folder.with_suffix(".txt").read_text()


def rank_processes(process):
    """The ids of the ranks that torchrun has started, by rank."""
    found = {}
    for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        try:
            environment = Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
        except OSError:  # It has just ended.
            continue
        rank = [each for each in environment if each.startswith(b"RANK=")]
        if rank:
            found[int(rank[0].removeprefix(b"RANK="))] = int(child)
    return found


def logged_updates(folder):
    path = folder / "metrics.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for_updates(folder, process, least):
    deadline = time.monotonic() + 120
    while logged_updates(folder) < least:
        assert process.poll() is None, output(folder)
        assert time.monotonic() < deadline, output(folder)
        time.sleep(0.02)


def rows(folder):
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    return [
        {name: value for name, value in json.loads(line).items() if name not in TIMES}
        for line in lines
    ]


def newest(folder):
    return checkpoint.load(checkpoint.latest(folder / "checkpoints"))


def assert_each_attempt_counted_once(folder):
    """The counts of the log, one update after the other, give the curriculum of the checkpoint."""
    saved = newest(folder)
    state = unflatten(saved.tensors, saved.state)
    config = load_config(RunFolder(folder).read_config())
    goal_count = len(config.simonsays.goals)
    curriculum, exploration = (
        each.build(goal_count) for each in (config.curriculum, config.exploration)
    )
    logged = rows(folder)
    assert [row["update"] for row in logged] == list(range(1, saved.update + 1))
    for row in logged:
        successes, attempts = (np.array(row[name]) for name in ("successes", "attempts"))
        curriculum.update(successes, attempts)
        exploration.update(successes, attempts)
    assert sum(sum(row["attempts"]) for row in logged) > saved.update
    np.testing.assert_equal(state["curriculum"], curriculum.state_dict())
    np.testing.assert_equal(state["exploration"], exploration.state_dict())


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A run of two ranks, of which the second alone got a signal."""
    folder = tmp_path_factory.mktemp("torchrun") / "run"
    process = train(folder, updates=100_000, every=100_000)
    wait_for_updates(folder, process, 5)
    os.kill(rank_processes(process)[1], signal.SIGTERM)
    process.wait(timeout=60)
    return folder


def test_a_signal_to_one_rank_stops_all_at_the_same_update(stopped):
    update = logged_updates(stopped)
    assert f"stopped by SIGTERM after update {update}, saved" in output(stopped)
    saved = newest(stopped)
    assert saved.update == update
    assert rank_count(saved.tensors) == 2


def test_the_first_rank_alone_writes_and_shows(stopped):
    assert output(stopped).count("starting") == 1
    assert output(stopped).count("stopped by") == 1
    assert "2 ranks" in (stopped / "env.txt").read_text()
    assert_each_attempt_counted_once(stopped)


def test_one_process_goes_on_and_says_that_the_worlds_are_new(stopped, capsys):
    update = logged_updates(stopped)
    assert main(["resume", str(stopped), "--updates", str(update + 2)]) == 0
    told = f"after update {update}, with new worlds: ranks were 2 and are 1 now"
    assert told in capsys.readouterr().out
    assert_each_attempt_counted_once(stopped)


@pytest.mark.slow
def test_a_signal_to_torchrun_stops_all_ranks_and_saves(tmp_path):
    folder = tmp_path / "run"
    process = train(folder, updates=100_000, every=100_000)
    wait_for_updates(folder, process, 5)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)
    update = logged_updates(folder)
    assert f"stopped by SIGINT after update {update}, saved" in output(folder)
    assert newest(folder).update == update
    process = torchrun(folder, "resume", str(folder), "--updates", str(update + 3), ranks=4)
    assert process.wait(timeout=120) == 0
    assert "with new worlds: ranks were 2 and are 4 now" in output(folder)
    assert newest(folder).update == update + 3


@pytest.mark.slow
def test_ten_kills_of_random_ranks_change_nothing(tmp_path):
    """The run ends with all its updates, and in every bit as one that was never killed."""
    kills, updates = 10, 400
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    rng = random.Random(0)
    process = train(killed, updates=updates, restarts=kills)
    places = []
    for kill in range(kills):
        wait_for_updates(killed, process, 20 * (kill + 1))
        time.sleep(rng.uniform(0, 0.3))
        ranks = rank_processes(process)
        rank = rng.choice(sorted(ranks))
        os.kill(ranks[rank], signal.SIGKILL)
        places.append((rank, logged_updates(killed)))
        _wait_until_gone(process, ranks)
    assert process.wait(timeout=300) == 0, output(killed)
    assert {rank for rank, _ in places} == {0, 1}
    assert (killed / "recipe.txt").read_text().count("resumed after update") == kills
    assert_each_attempt_counted_once(killed)
    assert newest(killed).update == updates
    assert not list((killed / "checkpoints").glob(".*"))
    assert train(whole, updates=updates).wait(timeout=300) == 0, output(whole)
    assert rows(killed) == rows(whole)
    last = f"checkpoints/update-{updates:09d}/tensors.safetensors"
    assert (killed / last).read_bytes() == (whole / last).read_bytes()


def two_machines(folder, **environment):
    """Two processes of torchrun that know of each other by an address alone, one rank each."""
    place = ("--rdzv-backend", "c10d", "--rdzv-endpoint", f"127.0.0.1:{free_port()}")
    meeting = ("--nnodes", "2", "--rdzv-id", "test", *place)
    options = {"updates": 300, "ranks": 1, "restarts": 3, "meeting": meeting, **environment}
    return [train(folder, **options) for _ in range(2)]


@pytest.mark.slow
def test_a_kill_on_one_of_two_machines_restarts_both(tmp_path):
    folder = tmp_path / "run"
    machines = two_machines(folder, TORCH_DISABLE_SHARE_RDZV_TCP_STORE="1")
    wait_for_updates(folder, machines[0], 20)
    (rank,) = rank_processes(machines[1]).values()
    os.kill(rank, signal.SIGKILL)
    assert [each.wait(timeout=120) for each in machines] == [0, 0], output(folder)
    assert newest(folder).update == 300
    assert "resumed after update" in (folder / "recipe.txt").read_text()
    assert_each_attempt_counted_once(folder)


@pytest.mark.slow
def test_restarts_that_would_hang_are_refused_with_the_fix(tmp_path):
    machines = two_machines(tmp_path / "run")
    assert all(each.wait(timeout=300) for each in machines)
    assert "set TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1 for torchrun" in output(tmp_path / "run")


@pytest.mark.slow
def test_restarts_need_the_name_of_the_run(tmp_path):
    assert torchrun(tmp_path / "run", "train", *TINY, ranks=1, restarts=1).wait(timeout=120)
    assert "with --max-restarts of torchrun, name the run's folder" in output(tmp_path / "run")


def _wait_until_gone(process, ranks):
    """All of them have ended, and torchrun has started others."""
    deadline = time.monotonic() + 120
    while set(rank_processes(process).values()) & set(ranks.values()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    while len(rank_processes(process)) < len(ranks):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)

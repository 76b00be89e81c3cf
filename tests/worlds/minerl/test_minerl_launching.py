"""Games that MineRL's client starts itself: a toy in place of Minecraft, and its own watcher."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest
import torch

from lapis.worlds.minerl import MineRLConfig

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


@pytest.fixture
def processes(client, tmp_path, monkeypatch):
    """The file with the numbers of all games that were started."""
    game = tmp_path / "Minecraft"
    game.mkdir()
    script = game / "launchClient.sh"
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    command = f'{sys.executable} -m tests.worlds.minerl.fake_launch "$@"'
    script.write_text(f"#!/bin/sh\nPYTHONPATH={path} exec {command}\n")
    script.chmod(0o755)
    monkeypatch.setenv("TOY_GAME", str(game))
    monkeypatch.setenv("TOY_PROCESSES", str(tmp_path / "processes"))
    monkeypatch.setenv("MALMO_MINECRAFT_OUTPUT_LOGDIR", str(tmp_path))
    monkeypatch.setattr(
        "lapis.worlds.minerl.config.FACTORY", "tests.worlds.minerl.launched:LaunchedWorlds"
    )
    return tmp_path / "processes"


def started(processes):
    return [int(line) for line in processes.read_text().split()]


def wait_for_the_end_of(process, seconds=30.0):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError(f"{process} still runs")


def test_games_are_started_replaced_and_ended(processes):
    world = MineRLConfig(frame_size=16).build(1, seed=0, device="cpu", first_world=0)
    idle = torch.zeros((1, 9), dtype=torch.int32)
    everywhere = torch.ones(1, dtype=torch.bool)
    world.step(idle)
    (first,) = started(processes)

    os.kill(first, signal.SIGKILL)  # The game dies: its process notices, and starts another.
    world.step(idle)
    assert world.lost.all()
    world.reset(everywhere)
    world.step(idle)
    assert (world.lost.tolist(), world.ends.losses) == ([False], 0)
    second = started(processes)[-1]
    assert second != first

    # The process dies: MineRL's watcher ends its game, and the next process starts another.
    os.kill(world.ends._lines[0].process_id, signal.SIGKILL)
    world.step(idle)
    assert world.lost.all()
    wait_for_the_end_of(second)
    world.reset(everywhere)
    world.step(idle)
    assert (world.lost.tolist(), world.ends.losses) == ([False], 1)

    world.close()
    for process in started(processes):
        wait_for_the_end_of(process)
    assert len(started(processes)) == 3

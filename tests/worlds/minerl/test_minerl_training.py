"""Training through MineRL's client goes on when a game breaks off; its policy can be filmed."""

import json

import pytest

from lapis.cli import main

pytestmark = pytest.mark.slow

SMALL = (
    *(
        "--world-count",
        "2",
        "--rollout-steps",
        "16",
        "--updates",
        "6",
        "--ppo.sequence-steps",
        "16",
    ),
    *("--ppo.minibatch-sequences", "2", "--policy.width", "32", "--policy.frames.filters", "8"),
    *("--simonsays.task-ticks", "60", "--simonsays.episode-ticks", "200", "--device", "cpu"),
    *("--policy.no-compile", "--no-cuda-graphs", "--evaluation-updates", "0", "--quiet"),
)


def test_a_run_outlives_a_game_that_breaks_off(serve, tmp_path):
    servers = serve(2)
    servers[1].break_at = 200
    run, ports = tmp_path / "run", [str(server.port) for server in servers]
    world = ["--world", "minerl", "--world.ports", *ports]
    assert main(["train", "voxel", "--run", str(run), *world, *SMALL]) == 0
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert lines[-1]["update"] == 6
    assert servers[1].steps > 200
    assert len(servers[1].missions) > 2

    film = tmp_path / "film.gif"
    arguments = ["watch", str(run), "--world", "minerl", "--world.ports", ports[0]]
    assert main([*arguments, "--steps", "5", "--output", str(film)]) == 0
    assert film.stat().st_size > 1000

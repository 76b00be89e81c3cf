"""Games that hang, die or break off: a reset follows, no count is wrong, and the run goes on."""

import threading

import numpy as np
import pytest
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from tests import contract
from tests.worlds.minerl.fake_malmo import FakeMalmo

pytestmark = pytest.mark.slow

CONFIG = SimonSaysConfig(goals=("dirt", "planks"), task_ticks=200, episode_ticks=800, bonus="none")


def idle(world):
    return torch.zeros((world.world_count, len(world.action_sizes)), dtype=torch.int32)


@pytest.mark.parametrize("trouble", ["end_at", "break_at", "hang_at"])
def test_a_game_that_fails_loses_its_own_episode_alone(serve, connect, trouble, caplog):
    """It ends the mission while the player lives, closes the connection, or hangs."""
    servers = serve(2)
    world = connect(servers, step_seconds=3.0)
    setattr(servers[1], trouble, servers[1].steps + 6)
    world.step(idle(world))
    assert world.lost.tolist() == [False, False]
    world.step(idle(world))
    assert world.lost.tolist() == [False, True]
    assert world.ticks.tolist() == [4, 0]
    world.step(idle(world))
    assert (servers[0].game.ticks, len(servers[1].missions)) == (12, 1)
    world.reset(world.lost.clone())
    world.step(idle(world))
    assert world.ticks.tolist() == [4, 4]
    assert [len(server.missions) for server in servers] == [1, 2]
    # A process is lost only if it does not answer; what the game itself tells, it handles.
    assert world.ends.losses == (trouble == "hang_at")
    seeds = [seed for _, seed in servers[1].missions]
    assert len(set(seeds)) == 2, "an episode that broke off is not played again"


def test_a_server_that_is_gone_for_a_while_is_waited_for(serve, connect):
    (server,) = serve()
    world = connect([server], retries=5)
    port, back = server.port, []
    server.close()
    world.step(idle(world))
    assert world.lost.all()
    timer = threading.Timer(2.0, lambda: back.extend(serve(port=port)))
    timer.start()
    world.reset(world.lost.clone())
    timer.join()
    world.step(idle(world))
    assert (world.ticks.tolist(), world.lost.tolist()) == ([4], [False])
    assert world.ends.losses >= 1
    assert len(back[0].missions) == 1


def test_a_server_that_stays_away_ends_the_run_with_its_cause(serve, connect):
    (server,) = serve()
    world = connect([server], retries=1)
    server.close()
    world.step(idle(world))
    with pytest.raises(RuntimeError, match=r"worlds 0 to 0 were lost 2 times in a row: exit sta"):
        world.reset(world.lost.clone())


def test_counts_of_other_worlds_are_those_of_a_calm_run(serve, connect):
    """The second game breaks off five times, in the middle of tasks, at resets and by a hang."""
    calm_servers, servers = serve(2), serve(2)
    calm = SimonSays(connect(calm_servers), CONFIG)
    game = SimonSays(connect(servers, step_seconds=3.0), CONFIG)
    rng, counted = np.random.default_rng(0), torch.zeros(2, 2, dtype=torch.int64)
    troubles = {20: "end_at", 70: "break_at", 71: "end_at", 130: "break_at", 200: "hang_at"}
    seen_lost = 0
    for step in range(280):
        if step in troubles:
            setattr(servers[1], troubles[step], servers[1].steps + 3)
        action = contract.allowed_action(game.world, rng)
        other = contract.allowed_action(calm.world, rng)
        other[0] = action[0]
        goals = game.goal.clone()
        calm.step(other)
        game.step(action)
        for name in ("goal", "task_over", "task_succeeded", "terminated", "truncated"):
            assert getattr(calm, name)[0] == getattr(game, name)[0], f"{name} in step {step}"
        assert torch.equal(calm.world.inventory[0], game.world.inventory[0])
        lost = game.world.lost
        assert not (game.task_over & lost).any()
        assert (game.truncated | ~lost).all()
        seen_lost += int(lost[1])
        for row, goal in enumerate(goals.tolist()):
            counted[0, goal] += game.task_succeeded[row]
            counted[1, goal] += game.task_over[row]
    assert seen_lost >= len(troubles) - 1
    assert np.array(game.take_counts()).tolist() == counted.tolist()
    assert counted[1].min() > 3


def test_servers_refuse_what_is_not_malmo():
    server = FakeMalmo([], {})
    try:
        import socket

        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(b"\0\0\0\5hello")
            assert connection.recv(1) == b""
    finally:
        server.close()

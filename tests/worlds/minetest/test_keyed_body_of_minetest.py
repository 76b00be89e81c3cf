"""The body that moves by keys: the formulas of the engine's client, computed by hand."""

import numpy as np
import pytest

from lapis.minecraft.blocks import SOLID, Block
from lapis.worlds.minetest.voxel_far import MinetestVoxelWorlds
from tests.worlds.minetest.keyed import AHEAD, SOUTH, WEST, Keyed

TIGHT = 1e-3
"""Places are multiples of 1 / 16384 node, five a tick, and are told in single precision."""


@pytest.fixture(scope="module")
def worlds(engine):
    worlds = MinetestVoxelWorlds(1, seed=0, frame_size=8)
    yield worlds
    worlds.close()


@pytest.fixture
def player(worlds):
    return lambda **given: Keyed(worlds, **given)


def open_way(worlds, length, height=2, **given):
    """A player who looks along level ground with nothing in the way for so many nodes."""
    for episode in range(100):
        one = Keyed(worlds, episode=episode, **given)
        for facing, (dx, dz) in AHEAD.items():
            ways = [(dx * n, dz * n) for n in range(length + 1)]
            is_free = not any(SOLID[one.block(x, y, z)] for x, z in ways for y in range(height))
            if is_free and all(SOLID[one.block(x, -1, z)] for x, z in ways):
                one.look_ahead(facing)
                return one, np.array([dx, 0.0, dz])
    raise AssertionError("no open way was found")


def test_walking_takes_off_and_goes_at_the_games_speed(worlds):
    one, ahead = open_way(worlds, 5)
    before = one.place
    assert one.do(walk=1) == 4
    # 30 nodes/s for each second: 1.5, 3, 4 and 4 nodes/s, in ticks of 0.05 s.
    assert one.place - before == pytest.approx(0.625 * ahead, abs=TIGHT)
    before = one.place
    one.do(walk=1)
    assert one.place - before == pytest.approx(0.8 * ahead, abs=TIGHT)
    before = one.place
    one.do()  # 2.5, 1, 0 and 0 nodes/s.
    assert one.place - before == pytest.approx(0.175 * ahead, abs=TIGHT)


def test_sneaking_is_slower_and_sprinting_is_masked(worlds):
    one, ahead = open_way(worlds, 3)
    one.do(walk=1, gait=1)
    before = one.place
    one.do(walk=1, gait=1)
    assert one.place - before == pytest.approx(4 * 0.05 * 1.35 * ahead, abs=TIGHT)
    assert not worlds.action_mask[0, 3 + 3 + 3 + 2 + 2]


def test_left_is_left_and_back_is_back(worlds):
    one, (dx, _, dz) = open_way(worlds, 3)
    before = one.place
    one.do(walk=2)
    assert one.place - before == pytest.approx([-0.625 * dx, 0, -0.625 * dz], abs=TIGHT)
    one, (dx, _, dz) = open_way(worlds, 3)
    one.dig_down(1)
    before = one.place
    one.do(strafe=1)
    # Seen from above, with x to the right and z up, left is a quarter turn to the left: (-dz, dx).
    # Walls leave 0.5 - 0.3 nodes on each side.
    moved = one.place - before
    assert moved[[0, 2]] == pytest.approx([-0.2 * dz, 0.2 * dx], abs=TIGHT)


def test_walls_stop_the_body_where_it_touches_them(player):
    one = player()
    one.dig_down(2)
    one.look_ahead(SOUTH)
    middle = np.floor(one.place + 0.5)
    for facing, (x, z) in {SOUTH: (0, -0.2), WEST: (-0.2, -0.2)}.items():
        assert facing in AHEAD
        one.do(walk=1)
        one.do(walk=1)
        assert one.place[[0, 2]] - middle[[0, 2]] == pytest.approx([x, z], abs=TIGHT)
        one.do(yaw=8)
        one.do(yaw=8)


def test_jump_is_as_high_as_the_games(player):
    one = player()
    one.dig_down(2)
    before = one.place[1]
    one.do(jump=1)
    # 6.5 nodes/s up and twice 9.81 nodes/s for each second down, in 20 parts of 0.01 s:
    # 20 * 0.065 - 0.001962 * (1 + 2 + ... + 20).
    assert one.place[1] - before == pytest.approx(1.3 - 0.001962 * 210, abs=TIGHT)
    assert one.feels("on_ground") == 0
    one.do()
    assert one.place[1] - before == pytest.approx(2.6 - 0.001962 * 820, abs=TIGHT)
    for _ in range(3):
        one.do()
    assert one.place[1] == pytest.approx(before, abs=TIGHT)
    assert one.feels("on_ground") == 1


def test_who_walks_and_jumps_gets_out_of_a_hole_of_one_node(player):
    one = player()
    before = one.place[1]
    one.dig_down(1)
    assert one.place[1] == pytest.approx(before - 1, abs=TIGHT)
    (facing,) = [
        f for f, (x, z) in AHEAD.items() if not any(SOLID[one.block(x, y, z)] for y in (1, 2))
    ][:1]
    one.look_ahead(facing)
    for _ in range(4):
        one.do(walk=1, jump=1)
    assert one.place[1] >= before - TIGHT


def test_who_jumps_is_lifted_by_what_it_puts_under_its_feet(worlds):
    one, _ = open_way(worlds, 1, 5, cobblestone=1)
    before = one.place[1]
    one.look_down()
    assert not one.can("place cobblestone")
    one.do(jump=1)
    assert one.can("place cobblestone")
    one.do("place cobblestone")
    one.do()
    assert one.held() == {}
    assert one.place[1] == pytest.approx(before + 1, abs=TIGHT)


def test_ladders_hold_and_are_climbed_at_the_games_speed(player):
    one = player(ladder=1)
    one.dig_down(2)
    one.look_level()
    one.do(pitch=9 + 4)  # 60 degrees down: to the wall beside the feet.
    one.do("place ladder")
    assert "ladder" not in one.held()
    before = one.place[1]
    one.do(jump=1)
    # Up to 3 nodes/s at 30 nodes/s for each second: 1.5, 3, 3 and 3 nodes/s.
    assert one.place[1] - before == pytest.approx(0.525, abs=TIGHT)
    one.do(gait=1)  # Down: 1.5, 0, -1.5 and -3 nodes/s.
    assert one.place[1] - before == pytest.approx(0.525 - 0.15, abs=TIGHT)
    height = one.place[1]
    for _ in range(2):
        one.do()
    height, last = one.place[1], height
    assert height < last
    one.do()
    assert one.place[1] == height


@pytest.mark.parametrize(("nodes", "health"), [(5, 20), (7, 18), (10, 14)])
def test_falls_hurt_by_the_clients_formula(worlds, nodes, health):
    """Health is lost for each node/s beyond 14; half a one counts."""
    # After n parts of 0.01 s the speed is 0.1962 n, and the way 0.000981 n (n + 1), in nodes.
    parts = next(n for n in range(1000) if 0.001962 * n * (n + 1) / 2 >= nodes)
    speed = 0.1962 * parts
    assert health == 20 - max(0, int(speed - 14 + 0.5))
    one, _ = tower(worlds, nodes)
    height = one.place[1]
    for _ in range(20):
        one.do(walk=int(one.place[1] == height))
    assert height - one.place[1] == pytest.approx(nodes, abs=TIGHT)
    assert one.feels("health") == pytest.approx(health / 20)


def tower(worlds, nodes):
    """A player on a tower of its own so high above level ground, and the way that it looks."""
    one, ahead = open_way(worlds, 4, nodes + 3, cobblestone=nodes)
    one.look_down()
    for _ in range(20 * nodes):
        if one.can("place cobblestone"):
            one.do("place cobblestone")
        else:
            one.do(jump=1)
        if not one.held():
            break
    one.look_level()
    for _ in range(2):
        one.do()
    return one, ahead


def test_sneaking_players_stay_on_the_edge(worlds):
    one, ahead = tower(worlds, 3)
    middle, height = np.floor(one.place + 0.5), one.place[1]
    for _ in range(10):
        one.do(walk=1, gait=1)
    assert one.place[1] == height
    # The body reaches over the edge by all but a bit of its width.
    assert 0.75 < ahead @ (one.place - middle) < 0.8


def test_the_feet_are_where_the_picture_is_drawn_from(player):
    one = player()
    assert Block(one.block(0, -1, 0)) in (Block.GRASS, Block.DIRT)
    assert not SOLID[one.block(0, 0, 0)]
    assert not SOLID[one.block(0, 1, 0)]

"""Where tables and furnaces are believed to be, and from where they can be worked at."""

import numpy as np
import pytest

from lapis.worlds.remote.far.minerl.env import Seen, Sight
from lapis.worlds.remote.far.minerl.mask import can_use, has_room
from lapis.worlds.remote.far.minerl.stations import Stations, cell_before, cell_of, gaze, in_view


def seen(x=0.5, y=64.0, z=0.5, *, pitch=0.0, yaw=0.0, sight=None, hand=""):
    frame = np.zeros((1, 1, 3), np.uint8)
    vitals = {"health": 20, "food": 20, "saturation": 5, "air": 300, "experience": 0}
    return Seen(
        frame=frame,
        stacks=[],
        hand=hand,
        tool_left=0.0,
        position=(x, y, z),
        pitch=pitch,
        yaw=yaw,
        sight=sight,
        **vitals,
    )


def looking_at(kind, point, *, in_reach=True, hit="block", **place):
    return seen(sight=Sight(hit, kind, point, in_reach), **place)


@pytest.mark.parametrize(
    ("pitch", "yaw", "direction"),
    [
        (0, 0, (0, 0, 1)),
        (0, 90, (-1, 0, 0)),
        (0, -90, (1, 0, 0)),
        (90, 0, (0, -1, 0)),
        (-30, 180, (0, 0.5, -np.sqrt(0.75))),
    ],
)
def test_yaw_0_is_south_and_positive_pitch_is_down(pitch, yaw, direction):
    np.testing.assert_allclose(gaze(seen(pitch=pitch, yaw=yaw)), direction, atol=1e-12)


@pytest.mark.parametrize(
    ("place", "cell", "expected"),
    [
        ({}, (0, 65, 3), True),  # Straight ahead, 3 blocks away.
        ({}, (0, 65, 5), False),  # The middle is 5.001 blocks away.
        ({"yaw": 34.9}, (0, 65, 3), True),
        ({"yaw": 35.1}, (0, 65, 3), False),
        ({"yaw": 180}, (0, 65, 3), False),  # Behind.
        ({"pitch": 34.0}, (0, 65, 3), True),
        ({"pitch": 34.0}, (0, 67, 3), False),
        ({"pitch": 90.0}, (0, 63, 0), True),
    ],
)
def test_a_station_is_near_within_5_blocks_and_35_degrees(place, cell, expected):
    # The middle of the cell is 0.1 below the height from which the game measures.
    assert in_view(seen(**place), cell) == expected


def test_away_from_the_horizon_the_corners_of_the_view_are_cut():
    """The game's projections are too short by the cosine of the pitch: at 60 degrees, by half.

    3 blocks deep, 33 degrees to the side and 33 up. By right projections both angles are 33. With
    half of the height left in, the way to the side is atan(hypot(tan 33, tan 33 / 2)) = 36 degrees.
    """
    aside = 3 * np.tan(np.radians(33))
    for pitch, expected in ((0, True), (60, False)):
        look = gaze(seen(pitch=pitch))
        up = np.cross(np.cross(look, [0, 1, 0]), look)
        away = 3 * look + aside * (np.array([1, 0, 0]) + up / np.linalg.norm(up))
        x, y, z = np.array([0.5, 64.5, 0.5]) - away - np.array([0, 1.6, 0])
        assert in_view(seen(x, y, z, pitch=pitch), (0, 64, 0)) == expected


def test_what_is_looked_at_and_the_place_before_it():
    top = looking_at("grass", (0.5, 64.0, 2.3), pitch=42)
    assert cell_of(top, top.sight) == (0, 63, 2)
    assert cell_before(top, top.sight) == (0, 64, 2)
    below = looking_at("log", (0.5, 67.0, 2.3), pitch=-38)
    assert cell_of(below, below.sight) == (0, 67, 2)
    assert cell_before(below, below.sight) == (0, 66, 2)
    side = looking_at("log", (2.0, 65.3, 0.5), yaw=-90)
    assert cell_of(side, side.sight) == (2, 65, 0)
    assert cell_before(side, side.sight) == (1, 65, 0)


def test_a_placed_table_is_remembered_until_it_is_looked_through():
    stations = Stations()
    before = looking_at("grass", (0.5, 64.0, 2.5), pitch=39)
    stations.placed("crafting_table", before, seen(yaw=90))
    assert stations.cells["crafting_table"] == [(0, 64, 2)]
    stations.looked(looking_at("crafting_table", (0.5, 64.5, 2.0), pitch=36))
    stations.looked(looking_at("grass", (0.5, 64.0, 1.5), pitch=58))  # In front of it.
    stations.looked(seen(yaw=180, sight=None))
    assert stations.cells["crafting_table"] == [(0, 64, 2)]
    stations.looked(looking_at("stone", (0.5, 64.66, 5.0), pitch=12))
    assert stations.cells["crafting_table"] == [(0, 64, 2)], "the ray passes above it"
    stations.looked(looking_at("stone", (0.5, 64.0, 2.9), pitch=34))
    assert stations.cells["crafting_table"] == []


@pytest.mark.parametrize(
    "after",
    [
        looking_at("planks", (0.5, 64.5, 2.0), pitch=36),
        looking_at("crafting_table", (0.5, 64.2, 2.5), pitch=36, hit="item"),
    ],
)
def test_a_table_is_forgotten_where_something_else_is(after):
    stations = Stations()
    stations.cells["crafting_table"] = [(0, 64, 2), (5, 64, 5)]
    stations.looked(after)
    assert stations.cells["crafting_table"] == [(5, 64, 5)]


def test_a_table_placed_into_grass_lies_where_it_is_seen_then():
    stations = Stations()
    # The grass is met inside its cell, and the table stands on the near side of that cell.
    before = looking_at("tallgrass", (0.5, 64.4, 2.3), pitch=34)
    after = looking_at("crafting_table", (0.5, 65.0, 1.42), pitch=34)
    stations.placed("crafting_table", before, after)
    assert cell_before(before, before.sight) == (0, 64, 2)
    assert stations.cells["crafting_table"] == [(0, 64, 1)]


def test_a_craft_in_vain_forgets_the_tables_in_view_alone():
    stations = Stations()
    stations.cells["crafting_table"] = [(0, 65, 3), (0, 65, -3)]
    stations.failed("crafting_table", seen())
    assert stations.cells["crafting_table"] == [(0, 65, -3)]


def test_there_is_no_room_where_the_player_stands():
    assert has_room(looking_at("grass", (0.5, 64.0, 2.0), pitch=45))
    assert not has_room(looking_at("grass", (0.5, 64.0, 0.5), pitch=90))
    # 0.3 to either side belong to the player as well.
    assert not has_room(looking_at("grass", (0.5, 64.0, 1.1), z=0.8, pitch=80))
    assert has_room(looking_at("grass", (0.5, 64.0, 1.1), z=0.6, pitch=73))
    assert not has_room(looking_at("grass", (0.5, 64.0, 9.0), pitch=10, in_reach=False))
    assert not has_room(looking_at("cow", (0.5, 64.0, 2.0), hit="entity"))
    assert not has_room(seen())


def test_hands_use_doors_and_hoes_till_but_no_window_is_opened():
    point = (0.5, 65.0, 2.0)
    assert can_use(looking_at("wooden_door", point))
    assert can_use(looking_at("dirt", point, hand="stone_hoe"))
    assert not can_use(looking_at("dirt", point, hand="stone_axe"))
    assert not can_use(looking_at("lever", point, in_reach=False))
    for window in ("crafting_table", "furnace", "chest", "anvil"):
        assert not can_use(looking_at(window, point, hand="stone_hoe"))

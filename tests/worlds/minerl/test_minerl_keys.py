"""What MineRL is told in each of the four ticks of a step (paper P15 to P18)."""

import pytest

from lapis.worlds.minerl.tables import make_tables
from lapis.worlds.remote.far.minerl.keys import KEYS, masked, told_in_ticks
from lapis.worlds.remote.far.minerl.mask import idle_mask, pitch_after
from lapis.worlds.remote.far.minerl.tables import Component, Tables
from lapis.worlds.voxel.actions import SPECIAL
from tests.worlds.minerl.test_minerl_stations import seen

TABLES = Tables(make_tables())
TURNS = (0, -1.5, 1.5, -5, 5, -15, 15, -45, 45)


def told(hand="", pitch=0.0, **chosen):
    choices = [chosen.get(name, 0) for name in vars(Component) if name.isupper()]
    return told_in_ticks(choices, seen(pitch=pitch, hand=hand), TABLES)


def pressed(tick):
    return [key for key in KEYS if tick[key]]


@pytest.mark.parametrize(
    ("chosen", "keys"),
    [
        ({}, []),
        ({"ATTACK": 1}, ["attack"]),
        ({"WALK": 1}, ["forward"]),
        ({"WALK": 2}, ["back"]),
        ({"STRAFE": 1}, ["left"]),
        ({"STRAFE": 2}, ["right"]),
        ({"JUMP": 1}, ["jump"]),
        ({"GAIT": 1}, ["sneak"]),
        ({"GAIT": 2}, ["sprint"]),
        ({"ATTACK": 1, "WALK": 1, "STRAFE": 2, "JUMP": 1, "GAIT": 2}, None),
    ],
)
def test_buttons_are_held_for_all_four_ticks(chosen, keys):
    ticks = told(**chosen)
    keys = ["forward", "right", "jump", "sprint", "attack"] if keys is None else keys
    assert [pressed(tick) for tick in ticks] == [keys] * 4
    assert [sorted(tick) for tick in ticks] == [sorted(KEYS)] * 4, "no camera, no special action"


def test_the_camera_turns_on_the_first_tick_alone():
    for choice, angle in enumerate(TURNS):
        expected = [[0.0, angle], None, None, None] if choice else [None] * 4
        assert [tick.get("camera") for tick in told(YAW=choice)] == expected
        expected = [[angle, 0.0], None, None, None] if choice else [None] * 4
        assert [tick.get("camera") for tick in told(PITCH=choice)] == expected
    assert told(PITCH=6, YAW=7)[0]["camera"] == [15.0, -45.0]


@pytest.mark.parametrize(
    ("level", "pitch", "turn"),
    [(9, 12.5, -102.5), (10, 0.0, -45.0), (11, -30.0, 30.0), (12, 60.0, -30.0), (14, -90.0, 180.0)],
)
def test_one_turn_leads_straight_to_an_angle(level, pitch, turn):
    assert told(PITCH=level, pitch=pitch)[0]["camera"] == [turn, 0.0]


def test_nobody_looks_further_than_straight_up_or_down():
    assert pitch_after(80.0, 8, TABLES) == 90.0
    assert told(PITCH=8, pitch=80.0)[0]["camera"] == [10.0, 0.0]
    assert pitch_after(-90.0, 7, TABLES) == -90.0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("place furnace", {"place": "furnace"}),
        ("equip stone_axe", {"equip": "stone_axe"}),
        ("smelt gold_ingot", {"nearbySmelt": "gold_ingot"}),
        ("smelt charcoal", {"nearbySmelt": "coal"}),
        ("craft stick", {"craft": "stick"}),
        ("craft stone_pickaxe", {"nearbyCraft": "stone_pickaxe"}),
    ],
)
def test_special_actions_are_told_on_the_first_tick_alone(name, said):
    ticks = told(SPECIAL=SPECIAL[name], ATTACK=1, WALK=1, USE=1, YAW=2)
    extra = [{key: tick[key] for key in tick if key not in KEYS} for tick in ticks]
    assert extra == [{"camera": [0.0, 1.5], **said}, {}, {}, {}]
    assert [pressed(tick) for tick in ticks] == [["forward"]] * 4, "attack and use rest"


def test_what_is_used_is_what_was_seen_so_the_camera_waits():
    ticks = told(USE=1, ATTACK=1, WALK=2, PITCH=1)
    assert [pressed(tick) for tick in ticks] == [["back", "use"], *[["back"]] * 3]
    assert [tick.get("camera") for tick in ticks] == [None, [-1.5, 0.0], None, None]


def test_a_channel_attack_holds_no_other_key_but_sneak():
    ticks = told(ATTACK=2, WALK=1, STRAFE=1, JUMP=1, GAIT=1, YAW=4)
    assert [pressed(tick) for tick in ticks] == [["sneak", "attack"]] * 4
    assert ticks[0]["camera"] == [0.0, 5.0]


@pytest.mark.parametrize(("hand", "again"), [("iron_axe", "iron_axe"), ("", None)])
def test_a_shield_goes_to_the_off_hand_and_the_tool_comes_back(hand, again):
    ticks = told(hand, SPECIAL=SPECIAL["equip shield"])
    assert [tick.get("equip") for tick in ticks] == ["shield", None, again, None]
    assert [tick["swapHands"] for tick in ticks] == [0, 1, 0, 0]


def test_what_the_mask_forbids_counts_as_nothing():
    choices = [2, 1, 2, 1, 2, 1, 14, 8, SPECIAL["craft stick"]]
    mask = idle_mask(TABLES)
    assert masked(choices, mask, TABLES) == [0] * 9
    mask[TABLES.first_choice[Component.STRAFE] + 2] = True
    mask[TABLES.first_choice[Component.SPECIAL] + SPECIAL["craft stick"]] = True
    assert masked(choices, mask, TABLES) == [0, 0, 2, 0, 0, 0, 0, 0, SPECIAL["craft stick"]]

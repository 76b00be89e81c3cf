"""From keys and mouse to actions of the voxel world."""

import pytest

from lapis.play.voxel.controls import CONTROLS, Aim, action_of
from lapis.worlds.voxel.actions import ACTION_SIZES, CAMERA_ANGLES, SPECIAL, Component


def chosen(*held: str, **others) -> dict[str, int]:
    """The components of the action that are not 0."""
    action = action_of(held, others.pop("turns", {}), **others)
    return {part.name.lower(): action[part] for part in Component if action[part]}


@pytest.mark.parametrize(
    ("held", "action"),
    [
        ([], {}),
        (["forward"], {"walk": 1}),
        (["back", "left"], {"walk": 2, "strafe": 1}),
        (["right", "jump", "sprint"], {"strafe": 2, "jump": 1, "gait": 2}),
        (["attack", "sneak"], {"attack": 1, "gait": 1}),
        (["channel"], {"attack": 2}),
        (["use"], {"use": 1}),
    ],
)
def test_controls_choose_their_component(held, action):
    assert chosen(*held) == action


def test_opposites_cancel_out():
    assert chosen("forward", "back") == {}
    assert chosen("left", "right", "jump") == {"jump": 1}


def test_sneaking_wins_over_sprinting_and_channeling_over_attacking():
    assert chosen("sprint", "sneak") == {"gait": 1}
    assert chosen("attack", "channel") == {"attack": 2}


def test_every_choice_of_the_keys_has_a_control():
    choices = {
        (part, choice) for part in list(Component)[:6] for choice in range(1, ACTION_SIZES[part])
    }
    assert set(CONTROLS.values()) == choices


def test_turns_and_special_actions_are_part_of_the_action():
    turns = {Component.YAW: 3, Component.PITCH: 8}
    action = chosen("forward", turns=turns, special="craft planks")
    assert action == {"walk": 1, "yaw": 3, "pitch": 8, "special": SPECIAL["craft planks"]}


def test_what_there_is_not_is_refused():
    with pytest.raises(ValueError, match=r"held has \['fly'\]"):
        action_of(["fly"], {})
    with pytest.raises(ValueError, match="special is 'craft nothing'"):
        action_of([], {}, "craft nothing")


def follow(aim: Aim, yaw: int, pitch: int) -> tuple[int, int, int]:
    """Turns a camera until it stays; where it is then, and the steps it took."""
    for step in range(100):
        choices = aim.choices(yaw, pitch)
        if not any(choices.values()):
            return yaw, pitch, step
        yaw = (yaw + CAMERA_ANGLES[choices[Component.YAW]]) % 3600
        pitch = max(-900, min(900, pitch + CAMERA_ANGLES[choices[Component.PITCH]]))
    raise AssertionError("the camera does not come to rest")


def test_the_camera_takes_the_turn_that_brings_it_nearest():
    aim = Aim(0, 0)
    aim.turn(370, -40)
    # Of 45, 15, 5 and 1.5 degrees 45 is nearest to 37, and -5 to -4.
    choices = aim.choices(0, 0)
    assert CAMERA_ANGLES[choices[Component.YAW]] == 450
    assert CAMERA_ANGLES[choices[Component.PITCH]] == -50
    # 370 = 450 - 50 - 15 - 15, and -40 = -50 + 15 - 5: the rest is too small to turn.
    assert follow(aim, 0, 0) == (370, -35, 4)


def test_a_turn_smaller_than_half_the_least_one_is_left():
    aim = Aim(100, 0)
    aim.turn(7, -7)
    assert follow(aim, 100, 0) == (100, 0, 0)
    aim.turn(2, 0)
    assert follow(aim, 100, 0) == (115, 0, 1)


def test_the_camera_turns_the_shorter_way_round():
    aim = Aim(3590, 0)
    aim.turn(30, 0)
    assert aim.yaw == 20
    assert CAMERA_ANGLES[aim.choices(3590, 0)[Component.YAW]] == 15
    aim.turn(-60, 0)
    assert CAMERA_ANGLES[aim.choices(20, 0)[Component.YAW]] == -50


def test_nobody_looks_farther_than_straight_up_or_down():
    aim = Aim(0, 800)
    aim.turn(0, 5000)
    assert aim.pitch == 900
    assert follow(aim, 0, 880)[1] in (895, 900)
    aim.turn(0, -5000)
    assert aim.pitch == -900


@pytest.mark.parametrize(
    "turn", [(5, float("nan")), (float("inf"), 0), (-1e9, 0), (0, 10**400), (0, -(10**400))]
)
def test_turns_that_no_mouse_makes_are_refused(turn):
    aim = Aim(10, 20)
    with pytest.raises(ValueError, match="from -360000 to 360000"):
        aim.turn(*turn)
    assert (aim.yaw, aim.pitch) == (10, 20)

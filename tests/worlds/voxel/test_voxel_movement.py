"""Walking, sprinting, sneaking, jumping, swimming and bumping into things."""

import dataclasses

import numpy as np
import pytest

from lapis.minecraft.blocks import Block
from tests.worlds.voxel.play_scenes import GROUND, SMALL, Scene

GRID = 1 / 16384
TOLERANCE = 1e-4
"""Positions are rounded to 1 / 16384 of a block, each tick by at most half of that."""


def walked(scene: Scene, *keys: str, steps: int) -> float:
    """Blocks along z per tick in the last of some steps."""
    scene.play(*keys, times=steps - 1)
    before = scene.z
    scene.play(*keys)
    return ((scene.z - before) % 16) / 4


# A tick of walking leaves 0.546 of the speed and adds 0.098: 0.098 / (1 - 0.546) = 0.2159.
# The game: 4.317 m/s walking, 5.612 sprinting, 1.295 sneaking.
@pytest.mark.parametrize(
    ("keys", "blocks_per_tick"),
    [
        (("forward",), 0.098 / 0.454),
        (("forward", "sprint"), 1.3 * 0.098 / 0.454),
        (("forward", "sneak"), 0.3 * 0.098 / 0.454),
        # Two keys push together no harder than 1, not 0.98: 0.1 / 0.454 along the diagonal.
        (("forward", "left"), 0.1 / 0.454 / np.sqrt(2)),
        (("sprint",), 0.0),
    ],
)
def test_steady_speed_on_the_ground(keys, blocks_per_tick):
    assert walked(Scene(), *keys, steps=8) == pytest.approx(blocks_per_tick, abs=TOLERANCE)


def test_walking_speed_is_the_games():
    assert walked(Scene(), "forward", steps=8) * 20 == pytest.approx(4.317, abs=2e-3)


def test_the_first_ticks_of_a_walk():
    # 0.098, then 0.098 + 0.546 * 0.098, and so on: 0.098 * (1 + 1.546 + 1.844116 + 2.006887336).
    scene = Scene()
    scene.play("forward")
    assert scene.z - 8.5 == pytest.approx(0.098 * 6.397003, abs=TOLERANCE)


@pytest.mark.parametrize(
    ("yaw", "key", "direction"),
    [
        (0, "forward", (0, 1)),
        (900, "forward", (-1, 0)),
        (1800, "forward", (0, -1)),
        (2700, "forward", (1, 0)),
        (0, "back", (0, -1)),
        (0, "left", (1, 0)),
        (0, "right", (-1, 0)),
    ],
)
def test_directions(yaw, key, direction):
    scene = Scene(yaw=yaw)
    scene.play(key)
    way = np.array([scene.x - 8.5, scene.z - 8.5])
    assert way == pytest.approx(0.6269 * np.array(direction), abs=1e-3)


def test_the_camera_turns_before_the_walk():
    scene = Scene()
    scene.play("forward", yaw=450, pitch=150)
    assert (scene.get("yaw"), scene.get("pitch")) == (450, 150)
    assert scene.x - 8.5 == pytest.approx(-(scene.z - 8.5), abs=TOLERANCE)
    scene.play(yaw=-450, pitch=-450)
    scene.play(yaw=-450, pitch=-450)
    assert (scene.get("yaw"), scene.get("pitch")) == (3600 - 450, -750)
    scene.play(pitch=-450)
    assert scene.get("pitch") == -900, "the view stops straight up"


def test_sprinting_needs_food():
    hungry = Scene(food=6)
    assert not hungry.allows("sprint")
    assert Scene(food=7).allows("sprint")


def test_a_jump_rises_to_five_quarters_of_a_block():
    # 0.42, then (v - 0.08) * 0.98 each tick: 0.42 + 0.3332 + 0.248136 + 0.16477328 + 0.0830778 +
    # 0.0030162 = 1.2522.
    scene = Scene()
    scene.play("jump")
    assert scene.y - GROUND == pytest.approx(0.42 + 0.3332 + 0.248136 + 0.16477328, abs=TOLERANCE)
    assert scene.get("fall_from") == scene.y
    scene.play()
    assert scene.get("fall_from") - GROUND == pytest.approx(1.2522, abs=2 * TOLERANCE)
    # The whole jump takes 12 ticks: the 12th ends on the ground.
    scene.play()
    assert (scene.y, scene.get("on_ground")) == (GROUND, 1)


def test_a_jump_gets_onto_a_block_and_not_onto_two():
    for height, y in ((1, GROUND + 1), (2, GROUND)):
        scene = Scene()
        scene.fill(slice(None), slice(GROUND, GROUND + height), slice(10, 16), Block.STONE)
        scene.play("forward", "jump", times=4)
        scene.play(times=3)
        assert scene.y == y


def test_walls_stop_the_body_at_its_face():
    scene = Scene()
    scene.fill(slice(None), slice(GROUND, GROUND + 2), slice(10, 11), Block.STONE)
    scene.play("forward", times=5)
    assert scene.z == 10 - 4915 * GRID  # half of the width, 0.3, on the grid
    assert scene.get("velocity")[2] == 0.0
    scene.play("back", times=8)
    assert scene.z < 10 - 1, "who touches a wall can walk away from it"


def test_who_slides_along_a_wall_keeps_the_other_direction():
    scene = Scene(yaw=450)
    scene.fill(slice(None), slice(GROUND, GROUND + 2), slice(10, 11), Block.STONE)
    scene.play("forward", times=6)
    before = scene.x
    scene.play("forward")
    assert scene.z == 10 - 4915 * GRID
    assert before - scene.x == pytest.approx(4 * 0.098 / 0.454 / np.sqrt(2), abs=1e-3)


def test_ceilings_stop_a_jump():
    scene = Scene()
    scene.fill(slice(None), slice(GROUND + 2, GROUND + 3), slice(None), Block.STONE)
    top = max(GROUND, *(_y_after(scene, tick) for tick in range(3)))
    assert top <= GROUND + 2 - 29491 * GRID
    assert scene.get("on_ground") == 1


def _y_after(scene: Scene, step: int) -> float:
    scene.play(*(("jump",) if step == 0 else ()))
    return scene.y


def test_a_gap_as_wide_as_a_block_lets_the_body_fall():
    scene = Scene(position=(8.5, GROUND, 8.5))
    scene.build({(8, 63, 8): Block.AIR, (8, 62, 8): Block.AIR})
    scene.play(times=4)
    assert scene.y == GROUND - 2


@pytest.mark.parametrize("gait", ["sneak", "none"])
def test_sneaking_keeps_from_the_edge(gait):
    scene = Scene()
    scene.fill(slice(None), slice(55, GROUND), slice(10, 16), Block.AIR)
    keys = ("forward", "sneak") if gait == "sneak" else ("forward",)
    scene.play(*keys, times=20)
    if gait == "sneak":
        assert scene.y == GROUND
        # The body hangs over by almost its half, and no more.
        assert 10.0 < scene.z < 10 + 4915 * GRID
        assert 10 + 4915 * GRID - scene.z <= 0.05
    else:
        assert scene.y < GROUND


def test_the_torus_has_no_edge():
    scene = Scene(position=(8.5, GROUND, 15.5))
    scene.play("forward", times=3)
    assert 0 <= scene.z < 16
    # The way of n ticks is s (n - 0.546 - 0.546^2 - ... - 0.546^n), s being the steady speed.
    way = 0.098 / 0.454 * (12 - sum(0.546**tick for tick in range(1, 13)))
    assert scene.z == pytest.approx(15.5 + way - 16, abs=1e-3)
    west = Scene(position=(0.25, GROUND, 8.5), yaw=900)
    west.play("forward")
    assert west.x == pytest.approx(0.25 - 0.6269 + 16, abs=1e-3)


def test_walls_across_the_seam_stop_the_body():
    scene = Scene(position=(8.5, GROUND, 15.5))
    scene.fill(slice(None), slice(GROUND, GROUND + 2), slice(0, 1), Block.STONE)
    scene.play("forward", times=4)
    assert scene.z == 16 - 4915 * GRID
    east = Scene(position=(0.5, GROUND, 8.5), yaw=900)
    east.fill(slice(15, 16), slice(GROUND, GROUND + 2), slice(None), Block.STONE)
    east.play("forward", times=4)
    assert east.x == 4915 * GRID


def sea(depth: int) -> Scene:
    scene = Scene()
    scene.fill(slice(None), slice(GROUND - depth, GROUND), slice(None), Block.WATER)
    return scene


def test_who_rests_in_water_sinks_a_tenth_of_a_block_a_tick():
    scene = sea(12)
    scene.set(position=(8.5, GROUND - 3, 8.5), on_ground=0, food=20)
    scene.play(times=8)
    before = scene.y
    scene.play()
    assert before - scene.y == pytest.approx(4 * 0.02 / 0.2, abs=2e-3)


def test_the_jump_key_swims_up_a_tenth_of_a_block_a_tick():
    # A tick moves v + 0.04 and leaves 0.8 of it minus 0.02: 0.02 / 0.2 = 0.1 in the long run.
    scene = sea(12)
    scene.set(position=(8.5, GROUND - 11, 8.5), on_ground=0)
    scene.play("jump", times=8)
    before = scene.y
    scene.play("jump")
    assert scene.y - before == pytest.approx(0.4, abs=2e-3)


def test_swimming_is_slower_than_walking():
    # 0.02 * 0.98 a tick against a drag of 0.8: 0.0196 / 0.2 = 0.098.
    scene = sea(12)
    scene.set(position=(8.5, GROUND - 10, 8.5), on_ground=0)
    assert walked(scene, "forward", "jump", steps=12) == pytest.approx(0.098, abs=1e-3)


def test_lava_is_slower_still():
    # 0.0196 against a drag of 0.5: 0.0392.
    scene = Scene(health=20_000)
    scene.fill(slice(None), slice(GROUND - 12, GROUND), slice(None), Block.LAVA)
    scene.set(position=(8.5, GROUND - 8, 8.5), on_ground=0)
    assert walked(scene, "forward", steps=4) == pytest.approx(0.0392, abs=1e-3)


def test_a_swimmer_climbs_out_onto_the_shore():
    scene = Scene()
    scene.fill(slice(None), slice(GROUND - 6, GROUND), slice(4, 10), Block.WATER)
    scene.set(position=(8.5, GROUND - 2, 8.5), on_ground=0)
    for _ in range(20):
        scene.play("forward", "jump")
        if scene.y >= GROUND:
            break
    scene.play("forward", times=4)
    assert scene.y == GROUND
    assert not 4 <= scene.z < 10


def test_jumping_and_sprinting_tire():
    scene = Scene()
    scene.play("jump")
    assert scene.get("exhaustion") == 50
    scene = Scene()
    scene.play("jump", "sprint", "forward")
    assert scene.get("exhaustion") == 200, "the way through the air costs nothing"
    scene = Scene()
    scene.play("sprint", "forward")
    # 0.1274, 0.197, 0.2349 and 0.2557 blocks, each rounded to hundredths.
    assert scene.get("exhaustion") == 13 + 20 + 23 + 26
    scene = Scene()
    scene.play("forward")
    assert scene.get("exhaustion") == 0


def test_swimming_tires():
    scene = sea(12)
    scene.set(position=(8.5, GROUND - 11, 8.5), on_ground=0)
    scene.play("jump", times=8)
    before = scene.get("exhaustion")
    scene.play("jump")
    assert scene.get("exhaustion") - before == 4


def test_a_day_passes_by_ticks():
    scene = Scene(time=23_998)
    scene.play()
    assert scene.get("time") == 2
    still = Scene(config=dataclasses.replace(SMALL, day_cycle=False))
    still.play()
    assert still.get("time") == 6000


def test_a_new_player_stands():
    scene = Scene()
    scene.play()
    assert scene.get("on_ground") == 1
    assert (scene.x, scene.y, scene.z) == (8.5, GROUND, 8.5)

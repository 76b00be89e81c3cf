"""What falls or breaks with a broken block; what worlds remember of torches and stations."""

import numpy as np
import pytest

from lapis.minecraft.blocks import Block
from tests.worlds.voxel.play_scenes import Scene, summaries


def break_target(scene: Scene) -> None:
    """Breaks the one block in front of the eye."""
    place = scene.get("looked_at")
    assert place >= 0
    for _ in range(100):
        scene.play("channel")
        if scene.all("blocks")[0].reshape(-1)[place] == Block.AIR or scene.get("target") == -1:
            return
    raise AssertionError("the block did not break")


def column(scene: Scene, x: int, z: int, low: int, high: int) -> list[Block]:
    return [scene.at(x, y, z) for y in range(low, high)]


def assert_summaries(scene: Scene) -> None:
    wanted = summaries(scene.all("blocks"))
    assert np.array_equal(scene.all("top"), wanted["top"])
    assert (scene.all("bricks") >= wanted["bricks"]).all()
    assert (scene.all("ceiling") >= wanted["ceiling"]).all()


def test_sand_and_gravel_come_down():
    scene = Scene()
    scene.build(
        {
            (8, 65, 9): Block.DIRT,
            (8, 66, 9): Block.SAND,
            (8, 67, 9): Block.GRAVEL,
            (8, 68, 9): Block.STONE,
            (8, 69, 9): Block.SAND,
        }
    )
    break_target(scene)
    expected = [Block.SAND, Block.GRAVEL, Block.AIR, Block.AIR, Block.STONE, Block.SAND]
    assert column(scene, 8, 9, 64, 70) == expected
    assert_summaries(scene)


def test_sand_falls_through_water_and_grass():
    scene = Scene()
    scene.fill(slice(8, 9), slice(60, 63), slice(9, 10), Block.WATER)
    scene.build(
        {
            (8, 63, 9): Block.TALL_GRASS,
            (8, 65, 9): Block.DIRT,
            (8, 66, 9): Block.SAND,
        }
    )
    break_target(scene)
    assert column(scene, 8, 9, 60, 67) == [
        Block.SAND,
        Block.WATER,
        Block.WATER,
        Block.TALL_GRASS,
        Block.AIR,
        Block.AIR,
        Block.AIR,
    ]
    assert_summaries(scene)


def test_sand_does_not_bury_the_player():
    scene = Scene(pitch=-900)
    scene.build({(8, 66, 8): Block.DIRT, (8, 67, 8): Block.SAND, (8, 68, 8): Block.SAND})
    break_target(scene)
    assert column(scene, 8, 8, 64, 69) == [
        Block.AIR,
        Block.AIR,
        Block.SAND,
        Block.SAND,
        Block.AIR,
    ]


def test_plants_break_with_the_ground():
    scene = Scene()
    scene.build({(8, 65, 9): Block.DIRT, (8, 66, 9): Block.RED_FLOWER})
    break_target(scene)
    assert scene.at(8, 66, 9) == Block.AIR
    assert scene.held() == {"dirt": 1, "red_flower": 1}
    assert_summaries(scene)


def test_a_cactus_breaks_with_its_foot():
    scene = Scene()
    scene.build({(8, y, 9): Block.CACTUS for y in range(65, 68)})
    break_target(scene)
    assert scene.held() == {"cactus": 3}


def test_a_torch_falls_when_nothing_holds_it():
    scene = Scene()
    scene.build({(8, 65, 9): Block.DIRT, (8, 66, 9): Block.TORCH, (9, 65, 9): Block.TORCH})
    lights = [scene.place(8, 66, 9), scene.place(9, 65, 9)]
    assert set(scene.get("torch")) == {*lights, -1}
    break_target(scene)
    assert scene.held() == {"dirt": 1, "torch": 2}
    assert set(scene.get("torch")) == {-1}


@pytest.mark.parametrize("side", [(-1, 0), (1, 0), (0, 1)])
def test_torches_at_every_side_fall(side):
    scene = Scene()
    scene.build({(8, 65, 10): Block.DIRT, (8 + side[0], 65, 10 + side[1]): Block.TORCH})
    break_target(scene)
    assert scene.held() == {"dirt": 1, "torch": 1}


def test_a_torch_stays_while_another_block_holds_it():
    scene = Scene()
    blocks = {(8, 65, 9): Block.DIRT, (8, 66, 9): Block.TORCH, (9, 65, 9): Block.TORCH}
    scene.build(blocks | {(9, 66, 9): Block.STONE, (9, 64, 9): Block.STONE})
    break_target(scene)
    assert scene.held() == {"dirt": 1}
    assert (scene.at(8, 66, 9), scene.at(9, 65, 9)) == (Block.TORCH, Block.TORCH)


def test_broken_stations_are_forgotten_and_put_the_fire_out():
    scene = Scene(burn=700, hand="diamond_pickaxe")
    scene.build({(8, 65, 9): Block.FURNACE, (7, 64, 9): Block.CRAFTING_TABLE})
    assert (scene.get("station_count"), scene.get("near")) == (2, 3)
    break_target(scene)
    assert (scene.get("station_count"), scene.get("near")) == (1, 1)
    assert scene.get("station")[0] == scene.place(7, 64, 9)
    assert scene.get("burn") == 0
    assert scene.held() == {"furnace": 1, "diamond_pickaxe": 1}


def test_the_highest_block_is_known_after_digging():
    scene = Scene(pitch=900)
    scene.play("channel", times=3)
    assert scene.at(8, 63, 8) == Block.AIR
    assert_summaries(scene)


def test_who_digs_the_ground_away_falls():
    scene = Scene(pitch=900, hand="diamond_shovel")
    scene.play("attack", times=6)
    assert scene.y < 63
    assert scene.get("health") == 20_000


@pytest.mark.parametrize("block", [Block.OAK_LEAVES, Block.SANDSTONE])
def test_water_does_not_flow(block):
    scene = Scene(hand="diamond_pickaxe")
    scene.build({(8, 65, 9): block, (8, 65, 10): Block.WATER})
    break_target(scene)
    assert scene.at(8, 65, 9) == Block.AIR

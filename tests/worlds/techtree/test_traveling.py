"""Moving on, digging down, climbing up: times, yields and effort."""

import pytest

from lapis.minecraft.biomes import Biome
from lapis.worlds.techtree.config import LOWEST, SURFACE
from tests.worlds.techtree.scenes import TOOL, Scene, quiet

IRON = {"inventory": {"iron_pickaxe": 1}, "hand": "iron_pickaxe"}


def test_a_move_on_the_surface_is_a_sprint_of_eight_blocks(device):
    # 8 blocks at 5.612 m/s are 28.51 ticks; sprinting tires by 0.1 a block.
    scene = Scene(device=device)
    assert scene.play("move on") == 29
    assert scene.get("exhaustion") == 800
    assert scene.get("height") == SURFACE


def test_a_hungry_player_walks(device):
    # 8 blocks at 4.317 m/s are 37.06 ticks; walking does not tire.
    scene = Scene(food=6, saturation=0, device=device)
    assert scene.play("move on") == 38
    assert scene.get("exhaustion") == 0


def test_sprinting_needs_more_than_six_points_of_food():
    assert Scene(food=7, saturation=0).play("move on") == 29


def test_digging_down_by_hand_takes_four_blocks_of_dirt(device):
    scene = Scene(biome=Biome.PLAINS, device=device)
    assert scene.play("dig down") == 4 * 15
    assert scene.held() == {"dirt": 4}
    assert scene.get("height") == SURFACE - 4
    assert scene.get("exhaustion") == 4 * 5


def test_a_desert_is_dug_for_sand():
    scene = Scene(biome=Biome.DESERT)
    assert scene.play("dig down") == 4 * 15
    assert scene.held() == {"sand": 4}


def test_below_the_soil_lies_stone(device):
    scene = Scene(height=60, **IRON, device=device)
    assert scene.play("dig down") == 4 * 8
    assert scene.count("cobblestone") == 4
    assert scene.get("height") == 56


def test_digging_stone_by_hand_is_slow_and_gives_nothing(device):
    scene = Scene(height=60, device=device)
    assert scene.play("dig down") == 4 * 150
    assert scene.held() == {}


def test_climbing_clears_two_blocks_and_jumps_for_each_block_of_height(device):
    scene = Scene(height=52, **IRON, device=device)
    assert scene.play("climb up") == 8 * 8 + 4 * 12
    assert scene.count("cobblestone") == 8
    assert scene.get("height") == 56
    assert scene.get("exhaustion") == 8 * 5 + 4 * 50


def test_the_last_climb_goes_through_soil(device):
    scene = Scene(height=60, biome=Biome.PLAINS, device=device)
    assert scene.play("climb up") == 8 * 15 + 4 * 12
    assert scene.held() == {"dirt": 8}
    assert scene.get("height") == SURFACE


def test_a_tunnel_is_two_blocks_high_and_four_long(device):
    # Eight stones of 8 ticks, and 4 blocks at 4.317 m/s: 18.53 ticks.
    scene = Scene(height=40, **IRON, device=device)
    assert scene.play("move on") == 8 * 8 + 19
    assert scene.count("cobblestone") == 8
    assert scene.get("height") == 40
    assert scene.get("exhaustion") == 8 * 5


def test_a_move_through_a_cave_digs_nothing(device):
    scene = Scene(height=40, in_cave=1, **IRON, device=device)
    assert scene.play("move on") == 29
    assert scene.count("cobblestone") == 0


def test_a_tunnel_wears_the_tool_by_eight(device):
    scene = Scene(height=40, **IRON, device=device)
    scene.play("move on")
    assert int(scene.world.state.wear[0, TOOL["iron_pickaxe"]]) == 8


def test_a_tool_that_breaks_in_a_tunnel_leaves_the_rest_to_bare_hands(device):
    # Three uses left: 3 stones of 8 ticks with a drop, then 5 of 150 without, then the walk.
    scene = Scene(height=40, **IRON, wear={"iron_pickaxe": 247}, device=device)
    assert scene.play("move on") == 3 * 8 + 5 * 150 + 19
    assert scene.held() == {"cobblestone": 3}
    assert scene.get("hand") == -1


def test_there_is_no_way_below_the_lowest_level_and_none_above_the_surface():
    low, high = Scene(height=LOWEST), Scene()
    assert "dig down" not in low.allowed()
    assert "climb up" in low.allowed()
    assert "climb up" not in high.allowed()
    assert "dig down" in high.allowed()


@pytest.mark.parametrize("action", ["move on", "dig down", "climb up"])
def test_traveling_loses_the_progress_of_digging(action):
    scene = Scene(height=40, reach={"stone": 1})
    scene.play("gather stone", action)
    assert (scene.get("target"), scene.get("dug")) == (-1, 0)


def test_the_scale_follows_the_config():
    scene = Scene(height=40, **IRON, config=quiet(tunnel_blocks=2))
    assert scene.play("move on") == 4 * 8 + 10  # 2 blocks at 4.317 m/s are 9.27 ticks
    assert Scene(config=quiet(walk_blocks=4)).play("move on") == 15  # 14.26 ticks

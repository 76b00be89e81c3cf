"""Moving on, digging down, climbing up: times, yields and effort."""

import pytest

from lapis.minecraft.biomes import Biome
from lapis.worlds.techtree.observe import FEATURES
from tests.worlds.techtree.scenes import TOOL, Scene, quiet

IRON = {"inventory": {"iron_pickaxe": 1}, "hand": "iron_pickaxe"}


def test_a_move_on_the_surface_is_a_sprint_of_eight_blocks(device):
    # 8 blocks at 5.612 m/s are 28.51 ticks; sprinting tires by 0.1 a block.
    scene = Scene(device=device)
    assert scene.play("move on") == 29
    assert scene.get("exhaustion") == 800
    assert scene.get("height") == 64


def test_a_hungry_player_walks(device):
    # 8 blocks at 4.317 m/s are 37.06 ticks; walking does not tire.
    scene = Scene(food=6, saturation=0, device=device)
    assert scene.play("move on") == 38
    assert scene.get("exhaustion") == 0


def test_sprinting_needs_more_than_six_points_of_food():
    assert Scene(food=7, saturation=0).play("move on") == 29


def test_a_shaft_from_the_surface_goes_through_four_blocks_of_soil_and_eleven_of_stone(device):
    # Iron breaks stone in 8 ticks; dirt takes a pickaxe as long as a hand, 15.
    scene = Scene(biome=Biome.PLAINS, **IRON, device=device)
    assert scene.play("dig down") == 4 * 15 + 11 * 8
    assert scene.held() == {"dirt": 4, "cobblestone": 11, "iron_pickaxe": 1}
    assert scene.get("height") == 49
    assert scene.get("exhaustion") == 15 * 5
    assert int(scene.world.state.wear[0, TOOL["iron_pickaxe"]]) == 15


def test_by_hand_the_first_shaft_takes_over_a_minute_and_gives_soil_alone(device):
    scene = Scene(biome=Biome.PLAINS, device=device)
    assert scene.play("dig down") == 4 * 15 + 11 * 150
    assert scene.held() == {"dirt": 4}
    assert scene.get("height") == 49


def test_a_shovel_is_fast_in_the_soil_and_useless_in_the_stone():
    # An iron shovel digs dirt in 3 ticks; stone it breaks no faster than a hand does.
    scene = Scene(biome=Biome.PLAINS, inventory={"iron_shovel": 1}, hand="iron_shovel")
    assert scene.play("dig down") == 4 * 3 + 11 * 150
    assert scene.held() == {"dirt": 4, "iron_shovel": 1}


def test_a_desert_is_dug_for_sand():
    scene = Scene(biome=Biome.DESERT, **IRON)
    assert scene.play("dig down") == 4 * 15 + 11 * 8
    assert scene.held() == {"sand": 4, "cobblestone": 11, "iron_pickaxe": 1}


@pytest.mark.parametrize(("top", "bottom"), [(49, 34), (34, 19), (19, 4)])
def test_below_the_first_level_a_shaft_goes_through_fifteen_blocks_of_stone(top, bottom):
    scene = Scene(height=top, biome=Biome.PLAINS, **IRON)
    assert scene.play("dig down") == 15 * 8
    assert scene.held() == {"cobblestone": 15, "iron_pickaxe": 1}
    assert scene.get("height") == bottom
    assert scene.get("exhaustion") == 15 * 5


def test_digging_stone_by_hand_is_slow_and_gives_nothing(device):
    scene = Scene(height=49, device=device)
    assert scene.play("dig down") == 15 * 150
    assert scene.held() == {}


def test_a_shaft_goes_through_soil_before_stone(device):
    # Six uses left: 4 blocks of soil and 2 stones with a drop, then 9 stones by hand.
    scene = Scene(biome=Biome.PLAINS, **IRON, wear={"iron_pickaxe": 244}, device=device)
    assert scene.play("dig down") == 4 * 15 + 2 * 8 + 9 * 150
    assert scene.held() == {"dirt": 4, "cobblestone": 2}
    assert scene.get("hand") == -1


def test_climbing_clears_two_blocks_and_jumps_for_each_block_of_height(device):
    scene = Scene(height=34, biome=Biome.PLAINS, **IRON, device=device)
    assert scene.play("climb up") == 30 * 8 + 15 * 12
    assert scene.held() == {"cobblestone": 30, "iron_pickaxe": 1}
    assert scene.get("height") == 49
    assert scene.get("exhaustion") == 30 * 5 + 15 * 50


@pytest.mark.parametrize(("biome", "soil"), [(Biome.PLAINS, "dirt"), (Biome.DESERT, "sand")])
def test_the_last_stair_leads_through_stone_into_soil(biome, soil):
    scene = Scene(height=49, biome=biome, **IRON)
    assert scene.play("climb up") == 8 * 15 + 22 * 8 + 15 * 12
    assert scene.held() == {soil: 8, "cobblestone": 22, "iron_pickaxe": 1}
    assert scene.get("height") == 64
    assert scene.get("exhaustion") == 30 * 5 + 15 * 50


def test_a_stair_goes_through_stone_before_soil(device):
    # 26 uses left: 22 stones, 4 blocks of soil, then 4 by hand, which is as fast in soil.
    scene = Scene(height=49, biome=Biome.PLAINS, **IRON, wear={"iron_pickaxe": 224}, device=device)
    assert scene.play("climb up") == 22 * 8 + 8 * 15 + 15 * 12
    assert scene.held() == {"dirt": 8, "cobblestone": 22}
    assert scene.get("hand") == -1


def test_the_last_stair_by_hand_takes_three_minutes_and_gives_soil_alone(device):
    scene = Scene(height=49, biome=Biome.PLAINS, device=device)
    assert scene.play("climb up") == 8 * 15 + 22 * 150 + 15 * 12
    assert scene.held() == {"dirt": 8}


def test_a_tunnel_is_two_blocks_high_and_four_long(device):
    # Eight stones of 8 ticks, and 4 blocks at 4.317 m/s: 18.53 ticks.
    scene = Scene(height=34, **IRON, device=device)
    assert scene.play("move on") == 8 * 8 + 19
    assert scene.count("cobblestone") == 8
    assert scene.get("height") == 34
    assert scene.get("exhaustion") == 8 * 5


def test_a_move_through_a_cave_digs_nothing(device):
    scene = Scene(height=34, in_cave=1, **IRON, device=device)
    assert scene.play("move on") == 29
    assert scene.count("cobblestone") == 0


def test_a_tunnel_wears_the_tool_by_eight(device):
    scene = Scene(height=34, **IRON, device=device)
    scene.play("move on")
    assert int(scene.world.state.wear[0, TOOL["iron_pickaxe"]]) == 8


def test_a_tool_that_breaks_in_a_tunnel_leaves_the_rest_to_bare_hands(device):
    # Three uses left: 3 stones of 8 ticks with a drop, then 5 of 150 without, then the walk.
    scene = Scene(height=34, **IRON, wear={"iron_pickaxe": 247}, device=device)
    assert scene.play("move on") == 3 * 8 + 5 * 150 + 19
    assert scene.held() == {"cobblestone": 3}
    assert scene.get("hand") == -1


def test_four_shafts_lead_from_the_surface_to_the_lowest_level_and_four_stairs_back():
    scene = Scene(inventory={"iron_pickaxe": 1}, hand="iron_pickaxe")
    heights = []
    for action in ["dig down"] * 4 + ["climb up"] * 4:
        scene.play(action)
        heights.append(scene.get("height"))
    assert heights == [49, 34, 19, 4, 19, 34, 49, 64]


@pytest.mark.parametrize(("height", "level"), [(4, 0), (19, 1), (34, 2), (49, 3), (64, 4)])
def test_the_player_sees_which_of_five_heights_it_stands_at(height, level):
    seen = Scene(height=height).world.observation["vector"][0, FEATURES["level"]]
    assert seen.tolist() == [float(number == level) for number in range(5)]


def test_there_is_no_way_below_the_lowest_level_and_none_above_the_surface():
    low, high = Scene(height=4), Scene()
    assert "dig down" not in low.allowed()
    assert "climb up" in low.allowed()
    assert "climb up" not in high.allowed()
    assert "dig down" in high.allowed()


@pytest.mark.parametrize("action", ["move on", "dig down", "climb up"])
def test_traveling_loses_the_progress_of_digging(action):
    scene = Scene(height=34, reach={"stone": 1})
    scene.play("gather stone", action)
    assert (scene.get("target"), scene.get("dug")) == (-1, 0)


def test_the_scale_follows_the_config():
    scene = Scene(height=34, **IRON, config=quiet(tunnel_blocks=2))
    assert scene.play("move on") == 4 * 8 + 10  # 2 blocks at 4.317 m/s are 9.27 ticks
    assert Scene(config=quiet(walk_blocks=4)).play("move on") == 15  # 14.26 ticks

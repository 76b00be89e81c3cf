"""What players with the keys of the voxel world do with their hands, by the game's own numbers."""

import numpy as np
import pytest

from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEM
from lapis.worlds.minetest import counterparts
from lapis.worlds.minetest.voxel_far import MinetestVoxelWorlds
from tests.worlds.minetest.keyed import Keyed
from tests.worlds.minetest.test_keyed_body_of_minetest import open_way


@pytest.fixture(scope="module")
def worlds(engine):
    worlds = MinetestVoxelWorlds(1, seed=0, frame_size=16)
    yield worlds
    worlds.close()


def facing_something(worlds, **given):
    """A player whose crosshair is on the ground two nodes ahead, with nothing on it."""
    one, _ = open_way(worlds, 3, **given)
    one.do(pitch=9 + 3)  # 30 degrees down: the eye is 1.47 high.
    return one


@pytest.mark.parametrize("name", counterparts.PLACED)
def test_what_can_be_placed_is_placed_and_shown(worlds, name):
    one = facing_something(worlds, **{name: 2})
    before = worlds.observation["frame"].copy()
    shown = worlds._view._state.blocks[0].clone()
    assert one.can(f"place {name}")
    assert one.do(f"place {name}") == 4
    assert one.held() == {name: 1}
    assert (worlds.observation["frame"] != before).any()
    changed = worlds._view._state.blocks[0] != shown
    assert int(changed.sum()) == 1
    block = Block(int(worlds._view._state.blocks[0][changed]))
    expected = {"log": "OAK_LOG", "sapling": "OAK_SAPLING", "oak_stairs": "OAK_STAIRS"}
    assert block.name == expected.get(name, name.upper())


def test_dirt_by_hand_takes_the_games_time(worlds):
    one = facing_something(worlds)
    # 0.7 s are 14 ticks: three steps of 4, and 2 of the fourth.
    for step in range(1, 4):
        assert one.do(attack=1) == 4
        assert one.feels("dug") == pytest.approx(4 * step / 14)
    one.do(attack=1)
    assert one.held() == {"dirt": 1}


def test_channel_attack_lasts_until_the_block_breaks(worlds):
    one = facing_something(worlds)
    one.do(pitch=9 + 4)  # Steeper, so that what lies behind is in reach.
    assert one.do(attack=2) == 14
    assert one.held() == {"dirt": 1}
    # A fifth of the time to dig, 3 ticks, is the pause to the next.
    assert one.do(attack=2) == 3 + 14


def test_trunk_by_hand_takes_as_long_as_the_game_says(worlds):
    one = facing_something(worlds, log=1)
    one.do("place log")
    assert one.do(attack=2) == 70  # 3.5 s.
    assert one.held() == {"log": 1}


def test_axe_is_faster_and_wears(worlds):
    one = facing_something(worlds, log=1, stone_axe=1)
    one.do("equip stone_axe")
    assert one.feels("tool_left") == 1
    one.do("place log")
    assert one.do(attack=2) == 40  # choppy = 2: 2.0 s with an axe of stone.
    assert one.held() == {"log": 1, "stone_axe": 1}
    assert 0.9 < one.feels("tool_left") < 1


def test_stone_yields_to_a_pick_alone(worlds):
    one = facing_something(worlds, stone=1, wooden_pickaxe=1)
    one.do("place stone")
    assert one.do(attack=2) == 4
    assert one.feels("dug") == 0
    assert one.do("equip wooden_pickaxe") == 4
    assert one.do(attack=2) == 32  # 1.6 s.
    assert one.held() == {"cobblestone": 1, "wooden_pickaxe": 1}


def test_crafts_follow_the_games_recipes_and_need_no_table(worlds):
    one = Keyed(worlds, log=2)
    assert not one.can("craft crafting_table")
    one.do("craft planks")
    assert one.held() == {"log": 1, "planks": 4}
    one.do("craft stick")
    assert one.held() == {"log": 1, "planks": 3, "stick": 4}
    one.do("craft wooden_pickaxe")
    assert one.held() == {"log": 1, "stick": 2, "wooden_pickaxe": 1}
    assert not one.can("craft wooden_axe")


def test_furnace_smelts_iron_in_its_own_time(worlds):
    one = facing_something(worlds, furnace=1, iron_ore=2, coal=1)
    assert not one.can("smelt iron_ingot")
    one.do("place furnace")
    assert one.do("smelt iron_ingot") == 60  # 3 s.
    assert one.held() == {"iron_ore": 1, "iron_ingot": 1}
    assert one.can("smelt iron_ingot")  # 40 s of fire are enough.
    assert not one.can("smelt glass")


def test_what_the_game_lacks_is_kept_and_of_no_use(worlds):
    lacking = {"redstone": 3, "crafting_table": 1, "golden_pickaxe": 1, "cobblestone": 1}
    one = Keyed(worlds, stick=1, **lacking)
    assert one.held() == {"stick": 1, **lacking}
    assert not one.can("place crafting_table")
    assert not one.can("equip golden_pickaxe")
    assert not one.can("craft redstone_torch")
    one.do("craft redstone_torch")  # Counts as doing nothing.
    assert one.held() == {"stick": 1, **lacking}


def test_what_is_seen_has_the_shape_of_the_voxel_world(worlds):
    one = Keyed(worlds, cobblestone=3, iron_sword=1)
    one.do("equip iron_sword")
    seen = worlds.observation
    assert seen["frame"].shape == (1, 16, 16, 3)
    assert seen["inventory"][0, ITEM["cobblestone"]] == pytest.approx(2 / 6)  # log2(1 + 3) / 6
    assert seen["hand"][0].sum() == 1
    assert seen["hand"][0, 0] == 0
    assert np.array_equal(seen["off_hand"][0], [1, 0])
    assert one.feels("health") == one.feels("food") == one.feels("air") == 1
    assert one.feels("saturation") == 0.25

"""Placing, equipping, crafting and smelting."""

import pytest
import torch

from lapis.minecraft.blocks import BLOCK_OF_ITEM, Block
from lapis.minecraft.goals import GOALS
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.recipes import CRAFT_ITEM
from lapis.minecraft.smelting import SMELT_ITEM
from lapis.worlds.voxel.actions import PLACE_ITEMS, TOOL_ITEMS
from tests.worlds.techtree.scenes import assert_share
from tests.worlds.voxel.play_scenes import GROUND, Scene

FACES = [
    # yaw, pitch, block that is looked at, cell at the face that is hit
    (0, 0, (8, 65, 11), (8, 65, 10)),
    (1800, 0, (8, 65, 5), (8, 65, 6)),
    (900, 0, (5, 65, 8), (6, 65, 8)),
    (2700, 0, (11, 65, 8), (10, 65, 8)),
    (0, -900, (8, 69, 8), (8, 68, 8)),
]


@pytest.mark.parametrize(("yaw", "pitch", "block", "cell"), FACES)
def test_blocks_are_placed_on_the_face_that_is_hit(yaw, pitch, block, cell):
    scene = Scene(yaw=yaw, pitch=pitch, inventory={"cobblestone": 2})
    scene.build({block: Block.STONE})
    assert scene.play("place cobblestone") == 4
    assert scene.at(*cell) == Block.COBBLESTONE
    assert scene.held() == {"cobblestone": 1}
    assert scene.get("looked_at") == scene.place(*cell)


def test_blocks_are_placed_on_top():
    # From the eye at 1.62, 45 degrees down, the view meets the ground 1.62 blocks ahead.
    scene = Scene(pitch=450, inventory={"dirt": 1})
    assert scene.get("looked_at") == scene.place(8, 63, 10)
    scene.play("place dirt")
    assert scene.at(8, 64, 10) == Block.DIRT
    assert int(scene.world.state.top[0, 8, 10]) == 65


def test_blocks_are_placed_across_the_seam():
    scene = Scene(position=(8.5, GROUND, 13.5), inventory={"dirt": 1})
    scene.build({(8, 65, 0): Block.STONE})
    scene.play("place dirt")
    assert scene.at(8, 65, 15) == Block.DIRT
    east = Scene(position=(13.5, GROUND, 8.5), yaw=2700, inventory={"dirt": 1})
    east.build({(1, 65, 8): Block.STONE})
    east.play("place dirt")
    assert east.at(0, 65, 8) == Block.DIRT


def test_every_item_that_can_be_placed_becomes_its_block():
    for item in PLACE_ITEMS:
        name = ITEMS[item]
        scene = Scene(pitch=450, inventory={name: 1})
        # A wall for what hangs on one.
        scene.build({(9, 64, 10): Block.STONE})
        assert scene.allows(f"place {name}")
        scene.play(f"place {name}")
        assert scene.at(8, 64, 10) == BLOCK_OF_ITEM[item]
        assert scene.held() == {}


def test_every_goal_that_is_a_block_can_be_placed():
    placed = {ITEMS[item] for item in PLACE_ITEMS}
    assert placed - set(GOALS) == {"sand", "gravel"}
    assert {"rail", "redstone", "repeater", "sign", "ladder", "anvil", "sapling"} <= placed
    # Boats are entities; the rest is no block either.
    assert not placed & {"boat", "bucket", "bowl", "stick", "shield", "iron_ingot", "compass"}


def test_nothing_solid_is_placed_into_the_player():
    scene = Scene(pitch=900, inventory={"dirt": 1, "torch": 1})
    assert scene.get("looked_at") == scene.place(8, 63, 8)
    assert not scene.allows("place dirt")
    scene.play("place torch")
    assert scene.at(8, 64, 8) == Block.TORCH
    # The body's face reaches into the next column: its cell is the player's too.
    close = Scene(position=(8.5, GROUND, 8.75), inventory={"dirt": 1}, pitch=750)
    assert close.get("looked_at") == close.place(8, 63, 9)
    assert not close.allows("place dirt")
    away = Scene(position=(8.5, GROUND, 8.625), inventory={"dirt": 1}, pitch=600)
    assert away.get("looked_at") == away.place(8, 63, 9)
    assert away.allows("place dirt")


def test_nothing_is_placed_where_nothing_is_looked_at():
    scene = Scene(inventory={"dirt": 1})
    assert scene.get("looked_at") == -1
    assert not scene.allows("place dirt")


@pytest.mark.parametrize("block", [Block.WATER, Block.LAVA, Block.TALL_GRASS])
def test_liquids_and_grass_are_replaced(block):
    scene = Scene(inventory={"dirt": 1})
    scene.build({(8, 65, 11): Block.STONE, (8, 65, 10): block})
    scene.play("place dirt")
    assert scene.at(8, 65, 10) == Block.DIRT
    assert scene.held() == {}


@pytest.mark.parametrize("block", [Block.RED_FLOWER, Block.TORCH, Block.STONE])
def test_flowers_torches_and_cubes_are_not_replaced(block):
    scene = Scene(inventory={"dirt": 1})
    scene.build({(8, 65, 11): Block.STONE, (8, 65, 10): block})
    scene.play("place dirt")
    assert scene.at(8, 65, 10) == block
    assert scene.at(8, 65, 9) == Block.DIRT


def test_grass_is_replaced_itself():
    scene = Scene(inventory={"stone": 1, "torch": 1})
    scene.build({(8, 65, 10): Block.TALL_GRASS})
    assert not scene.allows("place torch"), "there is nothing below it"
    scene.play("place stone")
    assert scene.at(8, 65, 10) == Block.STONE


def test_nothing_is_placed_above_the_world():
    scene = Scene(position=(8.5, 79.0, 8.5), pitch=450, inventory={"dirt": 1})
    scene.fill(slice(None), slice(78, 80), slice(None), Block.STONE)
    scene.set(position=(8.5, 80.0, 8.5))
    assert scene.get("looked_at") == scene.place(8, 79, 10)
    assert not scene.allows("place dirt")


def test_torches_hold_on_top_and_sides_of_solid_blocks_only():
    side = Scene(inventory={"torch": 1})
    side.build({(8, 65, 10): Block.STONE})
    side.play("place torch")
    assert side.at(8, 65, 9) == Block.TORCH
    assert side.get("torch")[0] == side.place(8, 65, 9)
    assert side.get("torch_count") == 1
    ceiling = Scene(inventory={"torch": 1, "dirt": 1}, pitch=-900)
    ceiling.build({(8, 69, 8): Block.STONE})
    assert ceiling.allows("place dirt")
    assert not ceiling.allows("place torch")
    plant = Scene(inventory={"torch": 1, "dirt": 1})
    plant.build({(8, 65, 10): Block.TORCH, (9, 65, 10): Block.STONE})
    assert plant.allows("place dirt")
    assert not plant.allows("place torch")


def test_the_oldest_torch_beyond_thirty_two_gives_no_light():
    scene = Scene(inventory={"torch": 5})
    scene.build({(8, 65, 10): Block.STONE})
    scene.world.state.torch[:] = 7
    scene.world.state.torch_count.fill_(33)
    scene.play("place torch")
    assert scene.get("torch")[1] == scene.place(8, 65, 9)
    assert scene.get("torch").count(7) == 31


def test_placed_sand_falls():
    scene = Scene(inventory={"sand": 1, "gravel": 1})
    scene.build({(8, 65, 11): Block.STONE})
    scene.play("place sand")
    assert (scene.at(8, 64, 10), scene.at(8, 65, 10)) == (Block.SAND, Block.AIR)
    scene.play("place gravel")
    assert scene.at(8, 65, 10) == Block.GRAVEL


def test_there_is_room_for_sixty_four_stations():
    inventory = {"crafting_table": 1, "furnace": 1, "dirt": 1}
    scene = Scene(pitch=450, inventory=inventory)
    scene.world.state.station_count.fill_(64)
    scene.world.state.station[:] = scene.place(0, 0, 0)
    scene.world.load_state_dict(scene.world.state_dict())
    assert not scene.allows("place crafting_table")
    assert not scene.allows("place furnace")
    assert scene.allows("place dirt")


def test_equipping_takes_a_tool_in_hand():
    scene = Scene(inventory={"stone_pickaxe": 1, "wooden_axe": 1})
    assert scene.allowed() == {"equip stone_pickaxe", "equip wooden_axe"}
    assert scene.play("equip wooden_axe") == 4
    assert scene.get("hand") == ITEM["wooden_axe"]
    assert scene.allowed() == {"equip stone_pickaxe"}
    tools = [ITEMS[item] for item in TOOL_ITEMS]
    shown = scene.world.observation["hand"][0]
    assert shown.sum() == 1
    assert shown[1 + tools.index("wooden_axe")] == 1


def test_a_shield_goes_to_the_off_hand():
    scene = Scene(inventory={"shield": 1}, hand="stone_axe")
    assert scene.world.observation["off_hand"].tolist() == [[1, 0]]
    scene.play("equip shield")
    assert scene.get("off_hand") == ITEM["shield"]
    assert scene.get("hand") == ITEM["stone_axe"]
    assert scene.world.observation["off_hand"].tolist() == [[0, 1]]
    assert scene.world.observation["hand"][0, 1 + list(TOOL_ITEMS).index(ITEM["stone_axe"])] == 1
    assert scene.allowed() == set(), "both are held"
    scene.world.reset(torch.ones(1, dtype=torch.bool))
    assert scene.get("off_hand") == -1
    assert scene.world.observation["off_hand"].tolist() == [[1, 0]]


@pytest.mark.parametrize("attack", ["attack", "channel"])
def test_attack_rests_while_a_special_action_acts(attack):
    # A torch breaks at once.
    scene = Scene(inventory={"torch": 2, "apple": 1}, food=10)
    scene.build({(8, 65, 10): Block.STONE})
    assert scene.play("place torch", attack) == 4
    assert scene.at(8, 65, 9) == Block.TORCH
    assert scene.get("target") == -1
    scene.play(attack)
    assert scene.at(8, 65, 9) == Block.AIR
    # So does eating.
    assert scene.play("place torch", "use") == 4
    assert scene.count("apple") == 1


def test_crafting_without_a_table():
    scene = Scene(inventory={"log": 2})
    assert scene.allowed() == {"craft planks"}
    scene.play("craft planks")
    assert scene.held() == {"log": 1, "planks": 4}
    scene.play("craft stick")
    assert scene.held() == {"log": 1, "planks": 2, "stick": 4}


def test_crafting_with_a_table_nearby():
    scene = Scene(pitch=450, inventory={"planks": 3, "stick": 2, "crafting_table": 1})
    assert not scene.allows("craft wooden_pickaxe")
    scene.play("place crafting_table")
    assert scene.allows("craft wooden_pickaxe")
    scene.play("craft wooden_pickaxe")
    assert scene.held() == {"wooden_pickaxe": 1}
    assert scene.at(8, 64, 10) == Block.CRAFTING_TABLE


def furnace_scene(**arguments) -> Scene:
    scene = Scene(**arguments)
    scene.build({(8, 64, 10): Block.FURNACE})
    return scene


def test_smelting_takes_one_item_and_the_first_fuel():
    scene = furnace_scene(inventory={"iron_ore": 2, "coal": 1, "stick": 5})
    assert scene.play("smelt iron_ingot") == 4
    assert scene.held() == {"iron_ore": 1, "iron_ingot": 1, "stick": 5}
    assert scene.get("burn") == 1400
    scene.play("smelt iron_ingot")
    assert scene.held() == {"iron_ingot": 2, "stick": 5}
    assert scene.get("burn") == 1200


def test_weak_fuel_burns_until_it_lasts():
    scene = furnace_scene(inventory={"iron_ore": 1, "stick": 1})
    assert not scene.allows("smelt iron_ingot")
    scene.set(inventory={"stick": 2})
    scene.play("smelt iron_ingot")
    assert scene.held() == {"iron_ingot": 1}
    assert scene.get("burn") == 0


def test_a_log_is_not_its_own_fuel():
    scene = furnace_scene(inventory={"log": 1})
    assert not scene.allows("smelt charcoal")
    scene.set(inventory={"log": 2})
    scene.play("smelt charcoal")
    assert scene.held() == {"charcoal": 1}
    assert scene.get("burn") == 100


def test_smelting_needs_a_furnace_nearby():
    assert not Scene(inventory={"iron_ore": 1, "coal": 1}).allows("smelt iron_ingot")


def test_the_fire_may_take_the_tool_in_hand():
    scene = furnace_scene(inventory={"iron_ore": 1}, hand="wooden_pickaxe")
    scene.set(wear={"wooden_pickaxe": 30})
    scene.play("smelt iron_ingot")
    assert scene.held() == {"iron_ingot": 1}
    assert scene.get("hand") == -1
    assert not scene.all("wear").any()


def test_smelting_gives_experience_by_chance():
    count = 1200
    scene = furnace_scene(world_count=count, inventory={"iron_ore": 1, "gold_ore": 1, "coal": 1})
    scene.play("smelt iron_ingot")
    points = scene.all("experience")
    assert set(points.tolist()) == {0, 1}
    assert_share(points.sum(), count, 0.7)
    scene.play("smelt gold_ingot")
    assert ((scene.all("experience") - points) == 1).all()


def test_special_actions_see_the_world_before_the_camera_turns():
    scene = Scene(inventory={"dirt": 1})
    scene.build({(8, 65, 11): Block.STONE})
    scene.play("place dirt", yaw=450)
    assert scene.at(8, 65, 10) == Block.DIRT


def test_every_craft_and_smelt_has_its_action():
    scene = Scene(inventory=dict.fromkeys(ITEMS, 64))
    scene.build({(8, 64, 10): Block.FURNACE, (8, 64, 11): Block.CRAFTING_TABLE})
    allowed = scene.allowed()
    assert {f"craft {ITEMS[item]}" for item in CRAFT_ITEM} <= allowed
    assert {f"smelt {ITEMS[item]}" for item in SMELT_ITEM} <= allowed
    assert {f"equip {ITEMS[item]}" for item in TOOL_ITEMS} <= allowed

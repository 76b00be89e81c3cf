"""The use button: doors, trapdoors and gates open and close, hoes till."""

import pytest

from lapis.minecraft.blocks import SOLID, Block
from lapis.minecraft.items import ITEM
from lapis.minecraft.tools import DURABILITY
from lapis.worlds.voxel.rules import OPENED
from tests.worlds.voxel.play_scenes import Scene


@pytest.mark.parametrize(("closed", "opened"), OPENED.items())
def test_hands_open_and_close(closed, opened):
    scene = Scene()
    scene.build({(8, 65, 10): closed})
    assert scene.allows("use")
    assert scene.play("use", "attack") == 4
    assert scene.at(8, 65, 10) == opened
    assert scene.get("dug") == 0, "attack rests"
    scene.play("use")
    assert scene.at(8, 65, 10) == closed
    assert SOLID[closed]
    assert not SOLID[opened]


@pytest.mark.parametrize("block", [Block.IRON_DOOR, Block.IRON_TRAPDOOR, Block.STONE, Block.CHEST])
def test_other_blocks_are_not_used(block):
    scene = Scene()
    scene.build({(8, 65, 10): block})
    assert not scene.allows("use")


def test_an_open_door_lets_the_player_through():
    doors = {(8, 64, 10): Block.WOODEN_DOOR, (8, 65, 10): Block.WOODEN_DOOR}
    scene = Scene()
    scene.build({(x, y, 10): Block.STONE for x in range(16) for y in (64, 65)} | doors)
    scene.play("forward", times=10)
    assert scene.z < 10
    scene.play("use")
    scene.set(pitch=750)
    scene.play("use")
    scene.play("forward", times=4)
    assert scene.z > 11


def test_a_door_does_not_close_on_the_player():
    scene = Scene(pitch=900)
    scene.build({(8, 64, 8): Block.OPEN_TRAPDOOR})
    assert scene.get("looked_at") == scene.place(8, 64, 8)
    assert not scene.allows("use")


def test_what_is_open_drops_as_it_was():
    scene = Scene()
    scene.build({(8, 65, 10): Block.OPEN_FENCE_GATE})
    scene.play("channel")
    assert scene.held() == {"fence_gate": 1}


def test_nothing_hangs_on_a_door():
    scene = Scene(inventory={"torch": 1, "dirt": 1})
    scene.build({(8, 65, 10): Block.WOODEN_DOOR})
    assert scene.allows("place dirt")
    assert not scene.allows("place torch")


@pytest.mark.parametrize("block", [Block.DIRT, Block.GRASS])
def test_a_hoe_tills(block):
    scene = Scene(pitch=450, hand="stone_hoe", inventory={"apple": 1}, food=10)
    scene.build({(8, 63, 10): block})
    assert scene.play("use") == 4
    assert scene.at(8, 63, 10) == Block.FARMLAND
    assert scene.all("wear").sum() == 1
    assert scene.count("apple") == 1
    # Farmland is used up: what is left is to eat.
    assert scene.play("use") == 32
    assert scene.count("apple") == 0


def test_hoes_till_only_what_lies_open():
    covered = Scene(pitch=450, hand="stone_hoe")
    covered.build({(8, 64, 10): Block.TALL_GRASS})
    covered.build({(8, 65, 9): Block.AIR})
    assert covered.get("looked_at") == covered.place(8, 64, 10)
    assert not covered.allows("use")
    assert not Scene(pitch=450, hand="stone_shovel").allows("use")
    below = Scene(pitch=-900, hand="stone_hoe")
    below.build({(8, 67, 8): Block.DIRT})
    assert not below.allows("use"), "from below"


def test_a_hoe_wears_out():
    last = int(DURABILITY[ITEM["stone_hoe"]]) - 1
    scene = Scene(pitch=450, hand="stone_hoe", wear={"stone_hoe": last})
    scene.play("use")
    assert scene.held() == {}
    assert scene.get("hand") == -1


def test_farmland_gives_dirt():
    scene = Scene(pitch=450)
    scene.build({(8, 63, 10): Block.FARMLAND})
    scene.play("channel")
    assert scene.held() == {"dirt": 1}

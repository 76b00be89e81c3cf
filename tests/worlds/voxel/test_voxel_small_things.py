"""Things that need something to rest on, and ladders."""

import pytest

from lapis.minecraft.blocks import BLOCK_OF_ITEM, SOLID, Block
from lapis.minecraft.digging import dig_ticks
from lapis.minecraft.items import ITEM, ITEMS
from lapis.worlds.voxel.actions import PLACE_ITEMS
from lapis.worlds.voxel.rules import ON_FLOOR, ON_SOIL, ON_WALL, RESTS_ON
from tests.worlds.voxel.play_scenes import GROUND, Scene

SMALL = [item for item in PLACE_ITEMS if BLOCK_OF_ITEM[item] in RESTS_ON]


def rests_on(item: int) -> int:
    return RESTS_ON[Block(BLOCK_OF_ITEM[item])]


def test_only_what_is_small_rests_on_something():
    placed = {Block(BLOCK_OF_ITEM[item]) for item in PLACE_ITEMS}
    assert {block for block in placed if not SOLID[block]} == placed & RESTS_ON.keys()


def test_where_small_things_can_be_placed():
    for item in SMALL:
        name = ITEMS[item]
        bits = rests_on(item)
        floor = Scene(pitch=450, inventory={name: 1})
        assert floor.allows(f"place {name}") == bool(bits & (ON_FLOOR | ON_SOIL))
        floor.fill(slice(None), slice(63, 64), slice(None), Block.STONE)
        assert floor.allows(f"place {name}") == bool(bits & ON_FLOOR)
        wall = Scene(inventory={name: 1})
        wall.build({(8, 65, 10): Block.STONE})
        assert wall.allows(f"place {name}") == bool(bits & ON_WALL)
        ceiling = Scene(inventory={name: 1}, pitch=-900)
        ceiling.build({(8, 69, 8): Block.STONE})
        assert not ceiling.allows(f"place {name}")


def test_small_things_drop_with_what_holds_them():
    for item in SMALL:
        name = ITEMS[item]
        scene = Scene(yaw=2700)
        block = Block(BLOCK_OF_ITEM[item])
        if rests_on(item) == ON_WALL:
            scene.build({(10, 65, 8): Block.DIRT, (11, 65, 8): block})
        else:
            scene.build({(10, 65, 8): Block.DIRT, (10, 66, 8): block})
        scene.play("channel")
        assert scene.held() == {"dirt": 1, name: 1}


def test_what_was_placed_is_dug_up_in_the_games_time():
    for item in PLACE_ITEMS:
        name, block = ITEMS[item], Block(BLOCK_OF_ITEM[item])
        scene = Scene(hand="diamond_pickaxe")
        scene.build({(8, 65, 10): block, (9, 65, 10): Block.STONE, (8, 64, 10): Block.DIRT})
        ticks = dig_ticks(block, "diamond_pickaxe")
        assert 0 < ticks <= 100
        assert scene.play("channel") == max(ticks, 4)
        given = {"stone": "cobblestone", "gravel": {"gravel", "flint"}}.get(name, name)
        held = set(scene.held()) - {"diamond_pickaxe"}
        assert held
        assert held <= (given if isinstance(given, set) else {given})


def test_nobody_bumps_into_small_things():
    scene = Scene()
    scene.build({(8, 64, 10): Block.RAIL, (8, 64, 11): Block.SIGN, (8, 64, 12): Block.LEVER})
    scene.play("forward", times=6)
    assert scene.z > 12.5


def ladder_scene(**state) -> Scene:
    """A wall four blocks high ahead, with ladders on it; the player stands at its foot."""
    scene = Scene(position=(8.5, GROUND, 9.5), **state)
    scene.fill(slice(7, 10), slice(64, 68), slice(10, 16), Block.STONE)
    scene.build({(8, y, 9): Block.LADDER for y in range(64, 68)})
    return scene


@pytest.mark.parametrize("key", ["forward", "jump"])
def test_ladders_are_climbed_at_the_games_speed(key):
    # 0.2 a tick, of which gravity leaves (0.2 - 0.08) * 0.98 = 0.1176.
    scene = ladder_scene()
    scene.play(key, times=3)
    low = scene.y
    scene.play(key, times=2)
    assert scene.y - low == pytest.approx(8 * 0.1176, abs=1e-3)


def test_a_ladder_leads_onto_the_wall():
    scene = ladder_scene()
    scene.play("forward", times=11)
    assert (scene.y, scene.get("on_ground")) == (68.0, 1)
    assert scene.z > 10


def test_who_lets_go_slides_down_unharmed():
    scene = ladder_scene()
    scene.set(position=(8.5, 67.5, 9.5), on_ground=0, velocity=(0.0, -1.0, 0.0))
    scene.play()
    assert scene.y == pytest.approx(67.5 - 4 * 0.15, abs=1e-3)
    scene.play(times=10)
    assert (scene.y, scene.get("health")) == (64.0, 20_000)


def test_sneaking_holds_on():
    scene = ladder_scene()
    scene.set(position=(8.5, 66.5, 9.5), on_ground=0)
    scene.play("sneak", times=5)
    assert scene.y == 66.5


def test_a_ladder_breaks_a_fall():
    # Twenty blocks would cost 17 points.
    scene = ladder_scene()
    scene.set(position=(8.5, 67.5, 9.5), on_ground=0, fall_from=84.0)
    scene.play(times=8)
    assert (scene.y, scene.get("health")) == (64.0, 20_000)


def test_an_anvil_falls():
    scene = Scene(inventory={"anvil": 1})
    scene.build({(8, 65, 11): Block.STONE})
    scene.play("place anvil")
    assert (scene.at(8, 64, 10), scene.at(8, 65, 10)) == (Block.ANVIL, Block.AIR)


def test_saplings_grow_on_soil_only():
    scene = Scene(pitch=450, inventory={"sapling": 1})
    for block in (Block.DIRT, Block.GRASS, Block.FARMLAND):
        scene.build({(8, 63, 10): block})
        assert scene.allows("place sapling")
    scene.build({(8, 63, 10): Block.SAND})
    assert not scene.allows("place sapling")
    assert ITEM["sapling"] in PLACE_ITEMS

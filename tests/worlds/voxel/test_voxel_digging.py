"""Dig times, tiers, drops, wear and channel attack."""

import dataclasses

import numpy as np
import pytest

from lapis.minecraft import digging
from lapis.minecraft.blocks import DROP_CHANCE, DROP_ITEM, EXPERIENCE_MAX, HARDNESS, Block
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.tools import DURABILITY, TOOLS, WEAR_PER_BLOCK
from tests.worlds.techtree.scenes import assert_share
from tests.worlds.voxel.play_scenes import GROUND, SMALL, Scene

LONG = dataclasses.replace(SMALL, channel_ticks=6000)
TARGETS = [b for b in Block if b not in (Block.AIR, Block.WATER, Block.LAVA)]
DIGGABLE = [b for b in TARGETS if b != Block.BEDROCK]
IN_HAND = [None, *TOOLS]
PAIRS = [(block, tool) for block in DIGGABLE for tool in IN_HAND]


def row_of(block: Block, length: int = 4) -> dict[tuple[int, int, int], Block]:
    """Blocks one behind the other in the line of sight."""
    return {(8, 65, 9 + place): block for place in range(length)}


def table_ticks(block: Block, tool: str | None) -> int:
    return int(digging.DIG_TICKS[block, 0 if tool is None else ITEM[tool] + 1])


@pytest.fixture(scope="module")
def all_pairs() -> Scene:
    """A world for every block and tool: four such blocks in the line of sight."""
    scene = Scene(world_count=len(PAIRS), config=LONG)
    state = scene.world.state
    for world, (block, tool) in enumerate(PAIRS):
        state.blocks[world, 8, 9:13, 65] = int(block)
        if tool is not None:
            state.hand[world] = ITEM[tool]
            state.inventory[world, ITEM[tool]] = 1
    scene.refresh()
    return scene


def test_four_ticks_do_the_work_of_four_ticks_for_every_block_and_tool(all_pairs):
    start = all_pairs.world.state_dict()
    all_pairs.play("attack")
    left = (all_pairs.all("blocks")[:, 8, 9:13, 65] != Block.AIR).sum(axis=1)
    dug = all_pairs.all("dug")
    all_pairs.world.load_state_dict(start)
    for world, (block, tool) in enumerate(PAIRS):
        ticks = table_ticks(block, tool)
        work = (4 - left[world]) * ticks + dug[world] * ticks
        assert work == pytest.approx(4, abs=1e-3), (block.name, tool)


def test_every_block_breaks_after_the_ticks_of_the_table(all_pairs):
    start = all_pairs.world.state_dict()
    all_pairs.play("channel")
    ticks, left = all_pairs.all("ticks"), all_pairs.all("blocks")[:, 8, 9:13, 65] != Block.AIR
    all_pairs.world.load_state_dict(start)
    for world, (block, tool) in enumerate(PAIRS):
        assert ticks[world] == max(4, table_ticks(block, tool)), (block.name, tool)
        assert left[world].tolist() == [False, True, True, True], (block.name, tool)


def test_every_block_gives_its_drop_to_the_right_tool_alone(all_pairs):
    start = all_pairs.world.state_dict()
    all_pairs.play("channel")
    after, before = all_pairs.all("inventory"), start["inventory"].numpy()
    experience = all_pairs.all("experience")
    all_pairs.world.load_state_dict(start)
    for world, (block, tool) in enumerate(PAIRS):
        gained = {ITEMS[i] for i in np.flatnonzero(after[world] > before[world])}
        drops = {ITEMS[i] for i in DROP_ITEM[block] if i >= 0}
        sure = DROP_CHANCE[block].sum() > 0.999
        if not digging.HARVESTS[block, 0 if tool is None else ITEM[tool] + 1]:
            assert not gained, (block.name, tool)
            assert experience[world] == 0
        else:
            assert gained <= drops, (block.name, tool)
            assert gained or not sure, (block.name, tool)
            assert experience[world] <= EXPERIENCE_MAX[block]


def test_every_tool_wears_by_its_kind(all_pairs):
    start = all_pairs.world.state_dict()
    all_pairs.play("channel")
    wear = all_pairs.all("wear")
    all_pairs.world.load_state_dict(start)
    for world, (block, tool) in enumerate(PAIRS):
        uses = 0 if tool is None or HARDNESS[block] == 0 else WEAR_PER_BLOCK[ITEM[tool]]
        assert wear[world].sum() == uses, (block.name, tool)


# From the table of facts: log 60 ticks by hand, 30 with a wooden axe; stone 150 and 23.
@pytest.mark.parametrize(
    ("block", "hand", "ticks"),
    [
        (Block.OAK_LOG, None, 60),
        (Block.OAK_LOG, "wooden_axe", 30),
        (Block.STONE, None, 150),
        (Block.STONE, "wooden_pickaxe", 23),
        (Block.DIAMOND_ORE, "iron_pickaxe", 15),
        (Block.OBSIDIAN, "diamond_pickaxe", 188),
    ],
)
def test_known_dig_times(block, hand, ticks):
    scene = Scene(config=LONG, hand=hand)
    scene.build(row_of(block))
    assert scene.play("channel") == ticks


def test_attack_steps_add_up():
    scene = Scene()
    scene.build(row_of(Block.OAK_LOG))
    scene.play("attack", times=14)
    assert scene.get("dug") == pytest.approx(56 / 60)
    assert scene.get("target") == scene.place(8, 65, 9)
    scene.play("attack")
    assert scene.held() == {"log": 1}
    assert scene.get("exhaustion") == 5
    assert scene.get("looked_at") == scene.place(8, 65, 10)


@pytest.mark.parametrize("pause", ["release", "turn", "equip"])
def test_digging_begins_anew_after_a_pause(pause):
    scene = Scene(inventory={"wooden_axe": 1})
    scene.build(row_of(Block.OAK_LOG) | {(7, 65, 9): Block.OAK_LOG})
    scene.play("attack", times=5)
    if pause == "release":
        scene.play()
        assert (scene.get("dug"), scene.get("target")) == (0.0, -1)
    elif pause == "turn":
        scene.play("attack", yaw=450)
        assert scene.get("target") == scene.place(7, 65, 9)
        assert scene.get("dug") == pytest.approx(4 / 60)
    else:
        scene.play("attack", "equip wooden_axe")
        assert scene.get("dug") == 0.0, "attack rests"
        scene.play("attack")
        assert scene.get("dug") == pytest.approx(4 / 30)


def test_the_next_block_is_dug_in_the_same_step():
    scene = Scene(hand="diamond_shovel")
    scene.build(row_of(Block.DIRT))
    scene.play("attack")
    assert scene.held() == {"diamond_shovel": 1, "dirt": 2}


def test_water_makes_digging_five_times_as_long():
    wet = Scene(config=LONG)
    wet.fill(slice(None), slice(64, 70), slice(None), Block.WATER)
    wet.build(row_of(Block.DIRT))
    wet.set(air=300)
    assert wet.play("channel") == 5 * 15


def test_who_floats_digs_twenty_five_times_as_long_but_plants_break_at_once():
    scene = Scene()
    scene.fill(slice(None), slice(50, 70), slice(None), Block.WATER)
    scene.build({(8, y, 9): Block.DIRT for y in range(50, 70)})
    scene.set(position=(8.5, 60.0, 8.5), on_ground=0)
    scene.play("attack")
    assert scene.get("dug") == pytest.approx(4 / (25 * 15), abs=1e-6)
    flower = scene.get("looked_at") % scene.height
    scene.build({(8, flower, 9): Block.RED_FLOWER})
    scene.play("attack")
    assert scene.count("red_flower") == 1


def test_air_under_the_feet_makes_digging_five_times_as_long():
    scene = Scene(on_ground=0, position=(8.5, 70.0, 8.5))
    scene.build({(8, y, 9): Block.STONE for y in range(64, 76)})
    scene.play("attack")
    # The eye sinks from 71.62 to 71.15 in these four ticks: the block stays the same.
    assert scene.get("target") == scene.place(8, 71, 9)
    assert scene.get("dug") == pytest.approx(4 / (5 * 150), abs=1e-6)


def test_bedrock_is_never_dug():
    scene = Scene(hand="diamond_pickaxe")
    scene.build(row_of(Block.BEDROCK))
    scene.play("attack", times=50)
    assert scene.get("dug") == 0.0
    assert scene.play("channel") == 4


def test_a_worn_out_tool_is_gone_and_the_next_takes_its_place():
    durability = int(DURABILITY[ITEM["wooden_pickaxe"]])
    assert durability == 59
    scene = Scene(hand="wooden_pickaxe", inventory={"wooden_pickaxe": 2})
    scene.set(wear={"wooden_pickaxe": durability - 1})
    scene.build(row_of(Block.STONE))
    scene.play("channel")
    assert scene.held() == {"wooden_pickaxe": 1, "cobblestone": 1}
    assert scene.get("hand") == ITEM["wooden_pickaxe"]
    assert not scene.all("wear").any()
    scene.set(wear={"wooden_pickaxe": durability - 1})
    scene.play("channel")
    assert scene.held() == {"cobblestone": 2}
    assert scene.get("hand") == -1


def test_drops_have_their_chances():
    count = 1200
    scene = Scene(world_count=count, hand="diamond_shovel")
    scene.build(row_of(Block.GRAVEL, 1))
    scene.play("channel")
    flint = int((scene.all("inventory")[:, ITEM["flint"]] > 0).sum())
    assert_share(flint, count, 0.1)
    assert flint + int((scene.all("inventory")[:, ITEM["gravel"]] > 0).sum()) == count


def test_numbers_of_drops_and_experience_are_spread_evenly():
    count = 1200
    scene = Scene(world_count=count, hand="diamond_pickaxe")
    scene.build(row_of(Block.LAPIS_ORE, 1))
    scene.play("channel")
    given = scene.all("inventory")[:, ITEM["dye"]]
    assert sorted(set(given.tolist())) == [4, 5, 6, 7, 8]
    for number in range(4, 9):
        assert_share((given == number).sum(), count, 0.2)
    points = scene.all("experience")
    assert sorted(set(points.tolist())) == [2, 3, 4, 5]
    for number in range(2, 6):
        assert_share((points == number).sum(), count, 0.25)


def test_channel_attack_ends_with_the_block_and_not_before_four_ticks():
    scene = Scene()
    scene.build(row_of(Block.OAK_LEAVES))
    assert scene.play("channel") == 6
    assert scene.at(8, 65, 9) == Block.AIR
    assert scene.at(8, 65, 10) == Block.OAK_LEAVES
    scene = Scene()
    scene.build(row_of(Block.TALL_GRASS))
    assert scene.play("channel") == 4
    assert scene.at(8, 65, 10) == Block.TALL_GRASS, "the button is released after the block"
    assert scene.get("target") == -1


def test_channel_attack_takes_the_block_after_the_turn():
    scene = Scene()
    scene.build({(7, 65, 9): Block.DIRT, (8, 65, 9): Block.OAK_LOG})
    assert scene.play("channel", yaw=450) == 15
    assert scene.held() == {"dirt": 1}


def test_channel_attack_stops_at_its_longest_time_and_goes_on_in_the_next_step():
    scene = Scene()
    scene.build(row_of(Block.STONE))
    assert scene.play("channel") == 100
    assert scene.get("dug") == pytest.approx(100 / 150)
    assert scene.play("channel") == 50
    assert scene.at(8, 65, 9) == Block.AIR


def test_channel_attack_ends_when_the_player_is_hurt():
    scene = Scene(food=17, fire=10 + 20)
    scene.build(row_of(Block.STONE))
    # The fire hurts in the tick that begins with 20 of its ticks left: the 11th.
    assert scene.play("channel") == 11
    assert scene.get("health") == 19_000


def test_channel_attack_ends_when_there_is_nothing_to_dig():
    nothing = Scene()
    assert nothing.play("channel") == 4
    drifting = Scene(velocity=(0.3, 0.0, 0.0))
    drifting.build({(8, 65, 9): Block.STONE})
    assert drifting.play("channel") == 4, "its block is out of sight in the third tick"


def test_channel_attack_goes_on_with_the_block_that_comes_into_sight():
    scene = Scene(velocity=(0.3, 0.0, 0.0))
    scene.build({(8, 65, 9): Block.STONE, (9, 65, 9): Block.DIRT})
    # At 8.5 + 0.3 + 0.164 + 0.089 the crosshair is on the dirt, which takes 15 ticks from then on.
    assert scene.play("channel") == 3 + 15
    assert scene.held() == {"dirt": 1}


@pytest.mark.parametrize("key", ["forward", "back", "left", "right", "jump"])
def test_who_channels_neither_walks_nor_jumps(key: str):
    scene = Scene()
    scene.build(row_of(Block.OAK_LOG))
    assert scene.play("channel", key) == 60
    assert scene.held() == {"log": 1}
    assert (scene.x, scene.y, scene.z) == (8.5, GROUND, 8.5)


def test_who_has_nothing_to_channel_on_walks_as_ever():
    walker, channeler = Scene(), Scene()
    walker.play("forward")
    channeler.play("channel", "forward")
    assert channeler.z == walker.z > 8.5

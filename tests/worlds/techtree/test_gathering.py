"""Holding the attack button: dig times, progress, drops and wear."""

import numpy as np
import pytest

from lapis.minecraft.tools import DURABILITY
from lapis.worlds.techtree.actions import TOOL_ITEMS
from tests.worlds.techtree.scenes import TOOL, Scene, assert_share, quiet


def test_log_breaks_by_hand_in_the_fourth_action_of_sixteen_ticks(device):
    # 60 ticks of digging: 16 + 16 + 16 leave 12 for the fourth action.
    scene = Scene(reach={"log": 1}, device=device)
    assert [scene.play("gather log") for _ in range(4)] == [16, 16, 16, 12]
    assert scene.count("log") == 1
    assert scene.reach("log") == 0


def test_log_is_not_broken_after_three_actions_by_hand(device):
    scene = Scene(reach={"log": 1}, device=device)
    scene.play(*["gather log"] * 3)
    assert (scene.count("log"), scene.get("dug")) == (0, 48)


def test_another_action_in_between_loses_the_progress(device):
    scene = Scene(reach={"log": 1, "dirt": 1}, device=device)
    scene.play(*["gather log"] * 3)
    scene.play("gather dirt")
    scene.play(*["gather log"] * 3)
    assert scene.count("log") == 0
    scene.play("gather log")
    assert scene.count("log") == 1


def test_crafting_in_between_loses_the_progress_too(device):
    scene = Scene(reach={"log": 1}, inventory={"log": 1}, device=device)
    scene.play(*["gather log"] * 3, "craft planks", "gather log")
    assert scene.count("log") == 0
    assert scene.get("dug") == 16


def test_one_action_goes_on_with_the_next_block_of_its_kind(device):
    # An iron axe takes 10 ticks for a log: one in the first action, 6 ticks into the next.
    scene = Scene(reach={"log": 3}, inventory={"iron_axe": 1}, hand="iron_axe", device=device)
    assert scene.play("gather log") == 16
    assert (scene.count("log"), scene.get("dug")) == (1, 6)
    assert scene.play("gather log") == 14
    assert (scene.count("log"), scene.get("dug")) == (3, 0)


def test_the_action_ends_early_when_nothing_of_its_kind_is_left(device):
    scene = Scene(reach={"dirt": 1}, device=device)
    assert scene.play("gather dirt") == 15
    assert "gather dirt" not in scene.allowed()


@pytest.mark.parametrize(
    ("kind", "tool", "ticks"),
    [
        ("stone", "wooden_pickaxe", 23),
        ("stone", "stone_pickaxe", 12),
        ("stone", "iron_pickaxe", 8),
        ("stone", "diamond_pickaxe", 6),
        ("iron_ore", "stone_pickaxe", 23),
        ("diamond_ore", "iron_pickaxe", 15),
        ("log", "wooden_axe", 30),
        ("dirt", "diamond_shovel", 2),
        ("leaves", "shears", 1),
        ("leaves", "iron_sword", 4),
        ("crafting_table", None, 75),
        ("furnace", "wooden_pickaxe", 53),
    ],
)
def test_one_block_takes_its_ticks(kind, tool, ticks):
    # An action that is long enough for any block ends with the block.
    items = {} if tool is None else {tool: 1}
    scene = Scene(reach={kind: 1}, inventory=items, hand=tool, config=quiet(attack_ticks=400))
    assert scene.play(f"gather {kind}") == ticks


def test_stone_by_hand_takes_150_ticks_and_gives_nothing(device):
    scene = Scene(reach={"stone": 1}, config=quiet(attack_ticks=400), device=device)
    assert scene.play("gather stone") == 150
    assert scene.held() == {}
    assert scene.reach("stone") == 0


def test_iron_ore_with_a_wooden_pickaxe_gives_nothing(device):
    items = {"wooden_pickaxe": 1}
    scene = Scene(
        reach={"iron_ore": 1},
        inventory=items,
        hand="wooden_pickaxe",
        config=quiet(attack_ticks=400),
        device=device,
    )
    assert scene.play("gather iron_ore") == 150
    assert scene.held() == items


def test_diamond_ore_needs_an_iron_pickaxe():
    for tool, diamonds in (("stone_pickaxe", 0), ("iron_pickaxe", 1), ("golden_pickaxe", 0)):
        scene = Scene(
            reach={"diamond_ore": 1},
            inventory={tool: 1},
            hand=tool,
            config=quiet(attack_ticks=400),
        )
        scene.play("gather diamond_ore")
        assert scene.count("diamond") == diamonds, tool


def test_leaves_drop_saplings_and_apples_by_their_chances():
    worlds = 20_000
    scene = Scene(reach={"leaves": 8}, config=quiet(attack_ticks=48), world_count=worlds, seed=3)
    scene.play("gather leaves")  # 8 leaves of 6 ticks
    assert_share(scene.counts("sapling").sum(), 8 * worlds, 0.05)
    assert_share(scene.counts("apple").sum(), 8 * worlds, 0.005)


def test_gravel_drops_flint_in_one_of_ten():
    worlds = 20_000
    scene = Scene(reach={"gravel": 1}, config=quiet(attack_ticks=18), world_count=worlds)
    scene.play("gather gravel")
    assert_share(scene.counts("flint").sum(), worlds, 0.1)
    assert (scene.counts("flint") + scene.counts("gravel") == 1).all()


@pytest.mark.parametrize(
    ("kind", "item", "least", "most"),
    [("lapis_ore", "dye", 4, 8), ("redstone_ore", "redstone", 4, 5)],
)
def test_ores_that_drop_several_items_draw_every_number_equally_often(kind, item, least, most):
    worlds = 20_000
    scene = Scene(
        reach={kind: 1},
        inventory={"iron_pickaxe": 1},
        hand="iron_pickaxe",
        world_count=worlds,
    )
    scene.play(f"gather {kind}")
    numbers, times = np.unique(scene.counts(item), return_counts=True)
    assert numbers.tolist() == list(range(least, most + 1))
    for hits in times:
        assert_share(hits, worlds, 1 / len(numbers))


def test_blocks_broken_in_one_action_draw_their_drops_apart():
    # Were both gravel blocks to share a draw, one flint would never come without the other.
    scene = Scene(reach={"gravel": 2}, config=quiet(attack_ticks=36), world_count=20_000)
    scene.play("gather gravel")
    assert_share((scene.counts("flint") == 1).sum(), 20_000, 2 * 0.1 * 0.9)
    assert_share((scene.counts("flint") == 2).sum(), 20_000, 0.01)


def test_a_broken_block_wears_the_tool_by_one(device):
    scene = Scene(
        reach={"stone": 5}, inventory={"iron_pickaxe": 1}, hand="iron_pickaxe", device=device
    )
    scene.play("gather stone")  # two stones of 8 ticks
    assert int(scene.world.state.wear[0, TOOL["iron_pickaxe"]]) == 2


def test_a_sword_wears_twice_and_a_hoe_never():
    for tool, uses in (("wooden_sword", 2), ("wooden_hoe", 0)):
        scene = Scene(reach={"dirt": 1}, inventory={tool: 1}, hand=tool)
        scene.play("gather dirt")
        assert int(scene.world.state.wear[0, TOOL[tool]]) == uses, tool


@pytest.mark.parametrize("tool", ["wooden_pickaxe", "stone_pickaxe", "iron_pickaxe"])
def test_a_tool_breaks_with_its_last_use(tool):
    durability = int(DURABILITY[TOOL_ITEMS[TOOL[tool]]])
    scene = Scene(
        reach={"stone": 2},
        inventory={tool: 1},
        hand=tool,
        wear={tool: durability - 2},
        config=quiet(attack_ticks=23),
    )
    scene.set(reach={"stone": 1})
    scene.play("gather stone")
    assert scene.count(tool) == 1
    scene.set(reach={"stone": 1})
    scene.play("gather stone")
    assert scene.count(tool) == 0
    assert scene.get("hand") == -1
    assert scene.count("cobblestone") == 2  # the last use still harvests


def test_the_next_tool_of_the_kind_takes_the_place_of_a_broken_one(device):
    scene = Scene(
        reach={"stone": 1},
        inventory={"wooden_pickaxe": 2},
        hand="wooden_pickaxe",
        wear={"wooden_pickaxe": 58},
        config=quiet(attack_ticks=23),
        device=device,
    )
    scene.play("gather stone")
    assert scene.count("wooden_pickaxe") == 1
    assert scene.get("hand") == TOOL["wooden_pickaxe"]
    assert int(scene.world.state.wear[0, TOOL["wooden_pickaxe"]]) == 0


def test_a_block_after_the_tool_broke_is_dug_by_hand(device):
    # 8 ticks with the pickaxe, which breaks; the other 8 go into 150 by hand.
    scene = Scene(
        reach={"stone": 2},
        inventory={"iron_pickaxe": 1},
        hand="iron_pickaxe",
        wear={"iron_pickaxe": 249},
        device=device,
    )
    assert scene.play("gather stone") == 16
    assert (scene.count("cobblestone"), scene.get("dug"), scene.reach("stone")) == (1, 8, 1)


def test_each_broken_block_tires_by_five_thousandths(device):
    scene = Scene(
        reach={"stone": 5}, inventory={"iron_pickaxe": 1}, hand="iron_pickaxe", device=device
    )
    scene.play("gather stone")
    assert scene.get("exhaustion") == 2 * 5

"""What the worlds are read for: depth, hand, attacks and items."""

import numpy as np
import pytest
import torch

from lapis.inspect.reading import items_of, read_world
from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEM
from lapis.worlds.probes import PROBES
from lapis.worlds.techtree.actions import ACTION, TOOL_ITEMS
from lapis.worlds.voxel.actions import SPECIAL, Component
from tests.inspect.scenes import a_game


def a_reading(world: str, world_count: int = 3):
    game, _ = a_game(world, world_count)
    return read_world(game.world), game


def test_other_worlds_are_refused():
    with pytest.raises(ValueError, match="inspect cannot read"):
        read_world(next(iter(PROBES.values()))(1, seed=0, device="cpu"))


def test_choices_name_the_items_that_they_are_about():
    found = items_of(("none", "place torch", "craft stick", "smelt glass"), "craft", "smelt")
    assert found.tolist() == [-1, -1, ITEM["stick"], ITEM["glass"]]


def test_depth_in_the_tech_tree_is_counted_from_the_flat_ground():
    reading, game = a_reading("techtree")
    game.world.state.height.copy_(torch.tensor([64, 49, 4]))
    assert reading.depth().tolist() == [0.0, 15.0, 60.0]
    bands = [least for _, least in reading.bands]
    assert np.digitize([0.0, 15.0, 60.0], bands[1:]).tolist() == [0, 1, 4]
    assert [name for name, _ in reading.bands][4] == "60 blocks down"


def test_the_hand_is_an_item_in_both_worlds():
    reading, game = a_reading("techtree")
    game.world.state.hand.copy_(torch.tensor([-1, 0, 2]))
    assert reading.hand().tolist() == [-1, TOOL_ITEMS[0], TOOL_ITEMS[2]]
    reading, game = a_reading("voxel")
    game.world.state.hand.copy_(torch.tensor([-1, ITEM["stone_pickaxe"], -1]))
    assert reading.hand().tolist() == [-1, ITEM["stone_pickaxe"], -1]


@pytest.fixture
def land():
    """Land of stone up to y = 50; in one column a trunk on it, in another leaves, or water."""
    reading, game = a_reading("voxel", world_count=1)
    blocks = game.world.state.blocks
    blocks.zero_()
    blocks[:, :, :, :50] = Block.STONE
    blocks[:, 3, 4, 50:55] = Block.OAK_LOG
    blocks[:, 3, 5, 54] = Block.OAK_LEAVES
    blocks[:, 3, 6, 48:50] = Block.WATER
    reading.begin(torch.ones(1, dtype=torch.bool))
    return reading, game.world.state


@pytest.mark.parametrize(
    ("x", "y", "z", "depth"),
    [
        (8.5, 50.0, 8.5, 0.0),
        (8.5, 53.0, 8.5, -3.0),
        (8.5, 20.5, 8.5, 29.5),
        (3.5, 50.0, 4.5, 0.0),
        (3.5, 50.0, 5.5, 0.0),
        (3.5, 48.0, 6.5, 0.0),
    ],
)
def test_depth_is_measured_from_the_land_without_trees_and_water(land, x, y, z, depth):
    reading, state = land
    state.position.copy_(torch.tensor([[x, y, z]]))
    assert reading.depth().tolist() == [depth]


def test_an_open_shaft_is_as_deep_as_any_other(land):
    reading, state = land
    state.blocks[:, 8, 8, 30:] = Block.AIR
    state.position.copy_(torch.tensor([[8.5, 30.0, 8.5]]))
    reading.begin(torch.zeros(1, dtype=torch.bool))
    assert reading.depth().tolist() == [20.0]
    # In a new episode it would be part of the land.
    reading.begin(torch.ones(1, dtype=torch.bool))
    assert reading.depth().tolist() == [0.0]


def test_attacks_in_the_tech_tree_are_gatherings():
    reading, _ = a_reading("techtree")
    names = ("gather log", "dig down", "move on", "craft stick", "gather furnace")
    action = np.array([[[ACTION[name]] for name in names]])
    assert reading.attacks(action).tolist() == [[True, False, False, False, True]]


def test_attacks_in_the_voxel_world_do_nothing_besides():
    reading, game = a_reading("voxel")
    action = np.zeros((1, 5, len(game.action_sizes)), int)
    action[0, :4, Component.ATTACK] = [1, 2, 2, 2]
    action[0, 2, Component.SPECIAL] = SPECIAL["place torch"]
    action[0, 3, Component.USE] = 1
    assert reading.attacks(action).tolist() == [[True, True, False, False, False]]


@pytest.mark.parametrize("world", ["techtree", "voxel"])
def test_an_item_that_is_taken_away_leaves_the_hand(world):
    reading, game = a_reading(world, world_count=2)
    pickaxe, axe = ITEM["stone_pickaxe"], ITEM["stone_axe"]
    state = game.world.state_dict()
    hand = {"techtree": TOOL_ITEMS.index, "voxel": int}[world]
    state["inventory"][:, [pickaxe, axe]] = torch.tensor([[3, 1], [0, 1]], dtype=torch.int32)
    state["hand"].copy_(torch.tensor([hand(pickaxe), hand(axe)]))
    given, taken = dict(state), dict(state)
    reading.set_item(given, pickaxe, True)
    reading.set_item(taken, pickaxe, False)
    assert given["inventory"][:, pickaxe].tolist() == [3, 1]
    assert given["hand"].tolist() == [hand(pickaxe), hand(axe)]
    assert taken["inventory"][:, pickaxe].tolist() == [0, 0]
    assert taken["inventory"][:, axe].tolist() == [1, 1]
    assert taken["hand"].tolist() == [-1, hand(axe)]
    # What was given is left as it was.
    assert state["inventory"][:, pickaxe].tolist() == [3, 0]

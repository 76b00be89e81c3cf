"""What actions do in the game, with results that are computed by hand."""

import numpy as np
import pytest
import torch

from lapis.worlds.minetest.expert import ScriptedPlayer, View
from lapis.worlds.minetest.far import Vital
from lapis.worlds.minetest.sight import CELLS, CLASSES
from tests.worlds.minetest.test_contract_of_minetest import ACTIONS, TREE


class Player:
    """The first of two players, with what it is given; the other one waits."""

    def __init__(self, world, **given):
        self.world = world
        first = torch.zeros_like(world.inventory)
        for name, count in given.items():
            first[0, TREE.goals.index(f"default:{name}")] = count
        world.reset(torch.ones_like(world.died), first)

    def do(self, kind, name="", value=0):
        item = f"default:{name}" if name else ""
        (number,) = (
            n for n, a in enumerate(ACTIONS) if (a.kind, a.item, a.value) == (kind, item, value)
        )
        self.allowed = bool(self.world.action_mask[0, number])
        self.world.step(torch.tensor([[number], [0]], dtype=torch.int32))
        return int(self.world.ticks[0])

    def held(self):
        counts = self.world.inventory[0].tolist()
        pairs = zip(TREE.goals, counts, strict=True)
        return {name.removeprefix("default:"): count for name, count in pairs if count}

    def feels(self, vital):
        return float(self.world.observation["vitals"][0, vital])

    def cell(self, *place):
        return CLASSES[int(self.world.observation["fan_class"][0, CELLS[place]])]


@pytest.fixture
def player(make_world):
    world = make_world(2)
    return lambda **given: Player(world, **given)


def test_all_that_is_given_is_held_however_many_slots_it_takes(make_world):
    """Nine tools take nine slots, and nine of all things many more than a usual pack has."""
    world = make_world(2)
    given = torch.full_like(world.inventory, 9)
    given[1, :] = torch.arange(given.shape[1], dtype=torch.int32) % 100
    world.reset(torch.ones_like(world.died), given)
    assert torch.equal(world.inventory, given)


def test_soil_is_dug_by_hand_in_the_games_time(player):
    one = player()
    one.do("look", value=-90)
    height = one.feels(Vital.HEIGHT)
    # 0.7 s are 14 ticks, 3 of pause, and a fall of a node takes sqrt(2 / 9.81) s, 10 ticks.
    assert one.do("dig") == 14 + 3 + 10
    assert one.held() == {"dirt": 1}
    assert one.feels(Vital.HEIGHT) == pytest.approx(height - 1 / 640)


def test_shovel_digs_faster_than_the_hand(player):
    one = player(shovel_wood=1)
    assert one.do("equip", "shovel_wood") == 4
    one.do("look", value=-90)
    # crumbly = 3: 0.6 s with a wooden shovel, by its definition in the game.
    assert one.do("dig") == 12 + 3 + 10


def test_craft_takes_and_gives_what_the_recipe_says(player):
    one = player(tree=2)
    one.do("craft", "wood")
    assert one.held() == {"tree": 1, "wood": 4}
    one.do("craft", "stick")
    assert one.held() == {"tree": 1, "wood": 3, "stick": 4}
    one.do("craft", "pick_wood")
    assert one.held() == {"tree": 1, "stick": 2, "pick_wood": 1}


def test_what_cannot_be_paid_has_no_effect(player):
    one = player(wood=2, stick=2)
    one.do("craft", "pick_wood")
    assert not one.allowed
    assert one.held() == {"wood": 2, "stick": 2}


def test_furnace_smelts_with_its_own_clock_and_fuel(player):
    one = player(furnace=1, iron_lump=3, coal_lump=1)
    assert one.feels(Vital.FURNACE) == 0
    one.do("look", value=-60)
    one.do("place", "furnace")
    assert one.allowed
    assert one.feels(Vital.FURNACE) == 1
    # The game's cooking time of steel is 3 s; a lump of coal burns for 40 s.
    assert [one.do("smelt", "steel_ingot") for _ in range(3)] == [60, 60, 60]
    assert one.held() == {"steel_ingot": 3}
    assert one.do("smelt", "steel_ingot") > 0
    assert not one.allowed


def test_fire_that_nobody_uses_burns_down(player):
    one = player(furnace=1, iron_lump=2, coal_lump=1)
    one.do("look", value=-60)
    one.do("place", "furnace")
    one.do("smelt", "steel_ingot")
    for _ in range(38):  # A second each: of 40 s of fire, too little is left.
        one.do("wait")
    one.do("smelt", "steel_ingot")
    assert not one.allowed
    assert one.held() == {"steel_ingot": 1, "iron_lump": 1}


def test_cobble_is_placed_under_the_own_feet(player):
    one = player(cobble=2)
    height = one.feels(Vital.HEIGHT)
    one.do("look", value=-90)
    one.do("place", "cobble")
    assert one.feels(Vital.HEIGHT) == pytest.approx(height + 1 / 640)
    assert one.cell(0, 0, -1) == "cobble"
    assert one.held() == {"cobble": 1}


def test_stone_needs_a_pick(player):
    one = player(cobble=1)
    one.do("look", value=-90)
    one.do("place", "cobble")
    one.do("dig")
    assert not one.allowed
    assert one.held() == {}


def test_a_wooden_pick_breaks_when_its_uses_are_up(player):
    one = player(pick_wood=1, cobble=1)
    one.do("equip", "pick_wood")
    one.do("look", value=-90)
    # uses = 10 and maxlevel = 1 by its definition: 10 * 3 of what is a level lower.
    for use in range(30):
        assert one.held() == {"pick_wood": 1, "cobble": 1}, f"after {use} uses"
        assert one.feels(Vital.TOOL_LEFT) == pytest.approx(1 - use / 30, abs=0.01)
        one.do("place", "cobble")
        one.do("dig")
    assert one.held() == {"cobble": 1}
    assert one.feels(Vital.TOOL_LEFT) == 0


def test_scripted_player_makes_steel_from_empty_hands(make_world):
    world = make_world(2)
    world.reset(torch.ones_like(world.died))
    players = [ScriptedPlayer(TREE, seed=row) for row in range(2)]
    had = np.zeros(world.inventory.shape, bool)
    for _ in range(2500):
        actions = [each.act(view(world, row)) for row, each in enumerate(players)]
        world.step(torch.tensor(actions, dtype=torch.int32)[:, None])
        had |= world.inventory.numpy() > 0
        if had.sum(axis=1).max() >= 45:
            break
    best = had[had.sum(axis=1).argmax()]
    assert best.sum() >= 30
    assert best[TREE.goals.index("default:wood")]
    assert best[TREE.goals.index("default:steel_ingot")]


def view(world, row):
    seen = {name: tensor[row].numpy() for name, tensor in world.observation.items()}
    return View(world.inventory[row].numpy(), world.action_mask[row].numpy(), seen)

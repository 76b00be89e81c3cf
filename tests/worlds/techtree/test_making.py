"""Crafting, smelting, placing, equipping and eating."""

import numpy as np
import pytest
import torch

from lapis.minecraft.goals import IMPOSSIBLE
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.planner import obtainable
from lapis.minecraft.recipes import RECIPES, Station
from lapis.minecraft.smelting import FUEL_ITEM, FUEL_TICKS, SMELTS
from lapis.worlds.techtree import ACTION, TechTreeWorld
from lapis.worlds.techtree.actions import Reach
from tests.worlds.techtree.scenes import TOOL, Scene, quiet


def recipe_batch(*, short_by: int, with_table: bool = True) -> TechTreeWorld:
    """World i holds the ingredients of recipe i, `short_by` of the first, beside a table."""
    world = TechTreeWorld(len(RECIPES), config=quiet(handling_ticks=7))
    given = torch.zeros_like(world.inventory)
    for row, recipe in enumerate(RECIPES):
        for item, count in recipe.ingredients.items():
            given[row, ITEM[item]] = count
        given[row, ITEM[next(iter(recipe.ingredients))]] -= short_by
    world.reset(torch.ones_like(world.died), given)
    world.state.reach.zero_()
    world.state.reach[:, Reach.CRAFTING_TABLE] = int(with_table)
    world.load_state_dict(world.state_dict())
    return world


CRAFTS = torch.tensor([[ACTION[f"craft {recipe.output}"]] for recipe in RECIPES]).int()


def test_every_recipe_takes_its_ingredients_and_gives_its_output():
    world = recipe_batch(short_by=0)
    assert world.action_mask.gather(1, CRAFTS.long()).all()
    world.step(CRAFTS)
    world.check()
    assert (world.ticks == 7).all()
    for row, recipe in enumerate(RECIPES):
        held = {ITEMS[i]: int(n) for i, n in enumerate(world.inventory[row]) if n}
        assert held == {recipe.output: recipe.count}, recipe.output


def test_no_recipe_can_be_paid_with_one_ingredient_less():
    world = recipe_batch(short_by=1)
    assert not world.action_mask.gather(1, CRAFTS.long()).any()


def test_recipes_of_the_table_need_one_in_reach():
    world = recipe_batch(short_by=0, with_table=False)
    allowed = world.action_mask.gather(1, CRAFTS.long())[:, 0].tolist()
    assert allowed == [recipe.station == Station.NONE for recipe in RECIPES]


def test_the_first_alternative_that_can_be_paid_is_taken(device):
    scene = Scene(inventory={"coal": 1, "charcoal": 1, "stick": 2}, device=device)
    scene.play("craft torch")
    assert scene.held() == {"charcoal": 1, "stick": 1, "torch": 4}
    scene.play("craft torch")
    assert scene.held() == {"torch": 8}


def test_slabs_take_stone_before_cobblestone_before_bricks_before_sandstone():
    kinds = ("stone", "cobblestone", "stonebrick", "sandstone")
    scene = Scene(inventory=dict.fromkeys(kinds, 3), reach={"crafting_table": 1})
    for place in range(4):
        scene.play("craft stone_slab")
        assert [scene.count(kind) for kind in kinds] == [0] * (place + 1) + [3] * (3 - place)
    assert scene.count("stone_slab") == 24


def test_impossible_goals_are_never_allowed_even_with_all_that_can_be_had():
    everything = dict.fromkeys(obtainable(), 64)
    scene = Scene(inventory=everything, reach={"crafting_table": 1, "furnace": 1}, food=10)
    for goal in IMPOSSIBLE:
        assert not scene.allows(f"craft {goal}")
    assert scene.allows("craft diamond_block")


def test_smelting_takes_200_ticks_of_fire_and_leaves_the_rest(device):
    scene = Scene(inventory={"iron_ore": 9, "coal": 2}, reach={"furnace": 1}, device=device)
    assert scene.play("smelt iron_ingot") == 4
    assert scene.held() == {"iron_ore": 8, "iron_ingot": 1, "coal": 1}
    assert scene.get("burn") == 1600 - 200
    scene.play(*["smelt iron_ingot"] * 7)
    assert (scene.count("coal"), scene.get("burn")) == (1, 0)
    scene.play("smelt iron_ingot")
    assert scene.count("coal") == 0


@pytest.mark.parametrize("smelt", SMELTS, ids=lambda smelt: smelt.output)
def test_every_smelt_makes_one_item_of_one(smelt):
    scene = Scene(inventory={smelt.input: 1}, reach={"furnace": 1}, burn=200)
    scene.play(f"smelt {smelt.output}")
    assert scene.held() == {smelt.output: 1}
    assert scene.get("burn") == 0


def test_fuels_burn_in_their_order():
    """Beside ore and one of each fuel, smelting spends fuels in the order of the table."""
    names = [ITEMS[item] for item in FUEL_ITEM]
    scene = Scene(inventory={"sand": 64, **dict.fromkeys(names, 1)}, reach={"furnace": 1})
    left = list(zip(names, FUEL_TICKS.tolist(), strict=True))
    fire = 0
    while left:
        while fire < 200 and left:
            fire += left.pop(0)[1]
        if fire < 200:
            break
        fire -= 200
        scene.play("smelt glass")
        assert scene.get("burn") == fire
        assert {name for name in names if scene.count(name)} == {name for name, _ in left}
        scene.set(inventory={"sand": 64})


def test_two_weak_fuels_make_one_fire(device):
    scene = Scene(inventory={"iron_ore": 1, "stick": 2}, reach={"furnace": 1}, device=device)
    scene.play("smelt iron_ingot")
    assert scene.held() == {"iron_ingot": 1}


def test_one_weak_fuel_is_not_enough():
    scene = Scene(inventory={"iron_ore": 1, "stick": 1}, reach={"furnace": 1})
    assert not scene.allows("smelt iron_ingot")
    scene.set(burn=100)
    assert scene.allows("smelt iron_ingot")


def test_what_is_smelted_is_not_its_own_fuel(device):
    scene = Scene(inventory={"log": 1}, reach={"furnace": 1}, device=device)
    assert not scene.allows("smelt charcoal")
    scene.set(inventory={"log": 2})
    scene.play("smelt charcoal")
    assert scene.held() == {"charcoal": 1}
    assert scene.get("burn") == 100


def test_smelting_needs_a_furnace_in_reach():
    assert not Scene(inventory={"iron_ore": 1, "coal": 1}).allows("smelt iron_ingot")


def test_a_hoard_of_fuel_does_not_overflow():
    scene = Scene(inventory={"sand": 1, "coal_block": 2**30}, reach={"furnace": 1})
    scene.play("smelt glass")
    assert scene.count("coal_block") == 2**30 - 1


def test_the_fire_may_take_the_tool_in_hand_and_the_next_one_is_new(device):
    items = {"iron_ore": 1, "wooden_pickaxe": 1, "planks": 0}
    scene = Scene(
        inventory=items,
        hand="wooden_pickaxe",
        wear={"wooden_pickaxe": 30},
        reach={"furnace": 1},
        device=device,
    )
    scene.play("smelt iron_ingot")
    assert scene.held() == {"iron_ingot": 1}
    assert scene.get("hand") == -1
    assert int(scene.world.state.wear[0, TOOL["wooden_pickaxe"]]) == 0


def test_the_fire_stays_behind_with_the_furnace(device):
    scene = Scene(reach={"furnace": 1}, burn=1400, device=device)
    scene.play("move on")
    assert scene.get("burn") == 0


def test_breaking_the_furnace_puts_its_fire_out(device):
    items = {"wooden_pickaxe": 1}
    scene = Scene(
        reach={"furnace": 1}, inventory=items, hand="wooden_pickaxe", burn=900, device=device
    )
    assert scene.play(*["gather furnace"] * 3) == 48
    assert scene.get("burn") == 900
    assert scene.play("gather furnace") == 5
    assert (scene.count("furnace"), scene.get("burn")) == (1, 0)


def test_the_fire_of_a_second_furnace_burns_on():
    items = {"diamond_pickaxe": 1}
    scene = Scene(reach={"furnace": 2}, inventory=items, hand="diamond_pickaxe", burn=900)
    scene.play("gather furnace")
    assert (scene.reach("furnace"), scene.get("burn")) == (1, 900)


def test_placing_puts_a_station_into_reach(device):
    scene = Scene(inventory={"crafting_table": 1, "furnace": 1}, device=device)
    assert scene.play("place crafting_table") == 4
    assert scene.play("place furnace") == 4
    assert scene.held() == {}
    assert (scene.reach("crafting_table"), scene.reach("furnace")) == (1, 1)


def test_stations_stay_behind_when_the_player_moves_on():
    scene = Scene(inventory={"planks": 10, "stick": 9}, reach={"crafting_table": 1, "furnace": 1})
    assert scene.allows("craft wooden_pickaxe")
    scene.play("move on")
    assert (scene.reach("crafting_table"), scene.reach("furnace")) == (0, 0)
    assert not scene.allows("craft wooden_pickaxe")


def test_a_table_can_be_picked_up_again(device):
    scene = Scene(inventory={"crafting_table": 1}, device=device)
    scene.play("place crafting_table")
    assert scene.play(*["gather crafting_table"] * 5) == 75
    assert scene.held() == {"crafting_table": 1}
    assert scene.reach("crafting_table") == 0


def test_a_furnace_broken_by_hand_is_lost(device):
    scene = Scene(reach={"furnace": 1}, device=device)
    assert scene.play(*["gather furnace"] * 22) == 350
    assert scene.held() == {}


def test_equipping_takes_a_tool_in_hand(device):
    scene = Scene(inventory={"stone_axe": 1, "wooden_axe": 1}, device=device)
    assert scene.play("equip stone_axe") == 4
    assert scene.get("hand") == TOOL["stone_axe"]
    assert {name for name in scene.allowed() if name.startswith("equip")} == {"equip wooden_axe"}


@pytest.mark.parametrize("ticks", [1, 20])
def test_crafting_smelting_placing_and_equipping_take_the_time_of_handling(ticks, device):
    items = {"log": 1, "crafting_table": 1, "furnace": 1, "stone_axe": 1, "sand": 1, "coal": 1}
    scene = Scene(inventory=items, config=quiet(handling_ticks=ticks), device=device)
    actions = ("craft planks", "place crafting_table", "place furnace", "smelt glass")
    assert [scene.play(action) for action in (*actions, "equip stone_axe")] == [ticks] * 5


def test_eating_and_gathering_do_not_take_the_time_of_handling():
    items = {"apple": 1}
    config = quiet(handling_ticks=77)
    scene = Scene(inventory=items, reach={"dirt": 1}, food=10, config=config)
    assert [scene.play(action) for action in ("eat apple", "gather dirt")] == [32, 15]


def test_an_apple_restores_four_points_and_saturation(device):
    scene = Scene(inventory={"apple": 2}, food=10, saturation=0, device=device)
    assert scene.play("eat apple") == 32
    assert (scene.get("food"), scene.get("saturation"), scene.count("apple")) == (14, 2400, 1)


def test_food_and_saturation_have_their_limits(device):
    scene = Scene(inventory={"apple": 1}, food=19, saturation=18_500, device=device)
    scene.play("eat apple")
    assert (scene.get("food"), scene.get("saturation")) == (20, 20_000)


def test_saturation_never_exceeds_food():
    scene = Scene(inventory={"apple": 1}, food=0, saturation=3000, health=1000)
    scene.play("eat apple")
    assert (scene.get("food"), scene.get("saturation")) == (4, 4000)


def test_nobody_eats_when_full():
    scene = Scene(inventory={"apple": 1})
    assert not scene.allows("eat apple")
    scene.set(food=19)
    assert scene.allows("eat apple")


def test_the_mask_lists_exactly_what_can_be_done():
    scene = Scene(inventory={"log": 1, "stick": 1, "cobblestone": 1}, reach={"dirt": 2})
    assert scene.allowed() == {
        "move on",
        "dig down",
        "gather dirt",
        "craft planks",
        "craft lever",
    }


def test_all_actions_have_names_of_their_own():
    assert len(ACTION) == np.unique(list(ACTION)).size == TechTreeWorld.action_sizes[0]


def test_one_action_smelts_a_batch_in_the_time_of_one(device):
    scene = Scene(
        reach={"furnace": 1},
        inventory={"iron_ore": 6, "coal": 1},
        config=quiet(smelt_batch=4),
        device=device,
    )
    assert scene.play("smelt iron_ingot") == 4
    assert (scene.count("iron_ingot"), scene.count("iron_ore")) == (4, 2)
    assert (scene.count("coal"), scene.get("burn")) == (0, 800)
    assert scene.play("smelt iron_ingot") == 4  # no more ore


def test_a_batch_ends_where_coal_and_wood_end_and_furniture_would_burn(device):
    # One plank burns 300 ticks: one item, and 100 ticks are left for the next.
    scene = Scene(
        reach={"furnace": 1},
        inventory={"iron_ore": 3, "planks": 1, "chest": 1},
        config=quiet(smelt_batch=4),
        device=device,
    )
    assert scene.play("smelt iron_ingot") == 4
    assert (scene.count("chest"), scene.get("burn")) == (1, 100)
    # Asked for again, the chest goes: the mask allows what any fuel allows.
    assert scene.play("smelt iron_ingot") == 4
    assert (scene.count("chest"), scene.get("burn")) == (0, 0)

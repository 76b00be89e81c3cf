import dataclasses
from collections import Counter

import pytest

from lapis.minecraft.blocks import DROP_ITEM, HARDNESS, NATURAL, Block
from lapis.minecraft.digging import harvests
from lapis.minecraft.goals import GOALS, IMPOSSIBLE
from lapis.minecraft.items import ITEM
from lapis.minecraft.planner import Action, Step, least_ticks, obtainable, plan, source_blocks
from lapis.minecraft.recipes import Station, recipes_for
from lapis.minecraft.smelting import SMELTS
from lapis.minecraft.tools import TOOLS


class Lacking(Exception):
    """The player does not hold what a step takes."""


class Player:
    """Carries a plan out by the game's rules, with a bag, stations and wear of its own."""

    def __init__(self):
        self.held = Counter()
        self.placed = set()
        self.wear = Counter()

    def take(self, item, count):
        if self.held[item] < count:
            raise Lacking(f"{count} {item} wanted, {self.held[item]} held")
        self.held[item] -= count

    def do(self, step):
        getattr(self, step.action.name.lower())(step)

    def gather(self, step):
        assert step.using is None or self.held[step.using] > 0
        sources = [b for b in Block if NATURAL[b] and ITEM[step.item] in DROP_ITEM[b]]
        assert any(harvests(block, step.using) for block in sources)
        if step.using is not None:
            self.wear[step.using] += step.count
            assert self.wear[step.using] <= TOOLS[step.using].durability
        self.held[step.item] += step.count

    def craft(self, step):
        recipe = recipes_for(step.item)[0]
        if recipe.station == Station.TABLE:
            assert "crafting_table" in self.placed
        for ingredient, count in recipe.ingredients.items():
            self.take(ingredient, count * step.count)
        self.held[step.item] += recipe.count * step.count

    def place(self, step):
        self.take(step.item, step.count)
        self.placed.add(step.item)

    def smelt(self, step):
        assert "furnace" in self.placed
        burning = 0
        source = next(smelt.input for smelt in SMELTS if smelt.output == step.item)
        for _ in range(step.count):
            while burning < 200:
                self.take("planks", 1)
                burning += 300
            burning -= 200
            self.take(source, 1)
            self.held[step.item] += 1


def carry_out(steps, goal):
    player = Player()
    for step in steps:
        player.do(step)
    player.take(goal, 1)


def test_every_goal_can_be_obtained_from_nothing_and_no_impossible_one():
    found = obtainable()
    assert set(GOALS) <= found
    assert found.isdisjoint(IMPOSSIBLE)
    assert found.isdisjoint({"quartz", "glowstone"})


def test_a_plan_carried_out_gives_the_goal_with_its_last_step():
    for goal in GOALS:
        steps = plan(goal)
        player = Player()
        for step in steps:
            assert player.held[goal] == 0
            player.do(step)
        assert player.held[goal] >= 1


def test_a_plan_gathers_no_more_than_it_needs():
    for goal in GOALS:
        steps = plan(goal)
        for position, step in enumerate(steps):
            if step.action == Action.GATHER:
                one_less = dataclasses.replace(step, count=step.count - 1)
                with pytest.raises(Lacking):
                    carry_out((*steps[:position], one_less, *steps[position + 1 :]), goal)


def test_the_plan_of_a_stone_pickaxe_by_hand():
    # Planks: 4 table + 3 pickaxe + 2 for four sticks = 9, from 3 logs.
    assert [str(step) for step in plan("stone_pickaxe")] == [
        "gather log x3",
        "craft planks x3",
        "craft stick x1",
        "craft crafting_table x1",
        "place crafting_table x1",
        "craft wooden_pickaxe x1 (crafting_table)",
        "gather cobblestone x3 (wooden_pickaxe)",
        "craft stone_pickaxe x1 (crafting_table)",
    ]


def test_least_ticks_by_hand():
    # Three logs by hand at 60 ticks, three stones with a wooden pickaxe at 22.5, rounded up to 23.
    assert least_ticks(plan("stone_pickaxe")) == 3 * 60 + 3 * 23
    # One leaf block in twenty gives a sapling, six ticks each.
    assert least_ticks(plan("sapling")) == 120
    # 4.5 redstone an ore, 15 ticks with an iron pickaxe.
    assert least_ticks((Step(Action.GATHER, "redstone", 9, "iron_pickaxe"),)) == 30
    assert least_ticks((Step(Action.SMELT, "stone", 7, "furnace"),)) == 1400


def test_what_is_no_obtainable_goal_has_no_plan():
    for goal in [*IMPOSSIBLE, "apple", "emerald"]:
        with pytest.raises(ValueError, match=f"goal='{goal}' cannot be planned"):
            plan(goal)


def test_source_blocks():
    assert source_blocks("dirt") == (Block.GRASS, Block.DIRT)
    assert source_blocks("dye") == (Block.LAPIS_ORE,)
    assert source_blocks("quartz") == ()
    with pytest.raises(ValueError, match="'emerald' is not an item"):
        source_blocks("emerald")


def test_natural_blocks_that_give_something_can_be_dug():
    for block in Block:
        if NATURAL[block] and (DROP_ITEM[block] >= 0).any():
            assert HARDNESS[block] >= 0

"""What an action may do to an inventory, checked for a whole batch at once.

A second account of the rules, from the tables of `lapis.minecraft` and the states before and
after a step: whatever an inventory gains or loses must be explained by the action.
"""

# W = worlds, I = items, R = recipes

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapis.minecraft import blocks, digging
from lapis.minecraft.biomes import BIOME_SURFACE
from lapis.minecraft.blocks import Block
from lapis.minecraft.foods import FOOD_ITEM
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.recipes import CRAFT_ITEM, RECIPES
from lapis.minecraft.smelting import FUEL_ITEM, FUEL_TICKS, SMELT_INPUT, SMELT_ITEM
from lapis.minecraft.tools import DURABILITY, WEAR_PER_BLOCK
from lapis.worlds.techtree import ACTIONS, TechTreeConfig, TechTreeWorld
from lapis.worlds.techtree.actions import REACH_BLOCK, STATION_ITEMS, TOOL_ITEMS, Kind, Reach

KIND = np.array([action.kind for action in ACTIONS])
ARGUMENT = np.array([action.argument for action in ACTIONS])
TOOL_ITEM = np.array(TOOL_ITEMS)
REACH_BLOCKS = np.array(REACH_BLOCK)
NEEDS = np.array([[r.ingredients.get(item, 0) for item in ITEMS] for r in RECIPES])
GIVES = np.array([[r.count * (item == r.output) for item in ITEMS] for r in RECIPES])
RECIPE_ITEM = np.array([ITEM[r.output] for r in RECIPES])

State = dict[str, np.ndarray]


def read(world: TechTreeWorld) -> State:
    return {name: tensor.cpu().numpy().copy() for name, tensor in world.state.tensors().items()}


def assert_accounted(before: State, after: State, action_W: np.ndarray) -> None:
    """Raises where an inventory changed otherwise than the actions' rules allow."""
    assert (after["inventory"] >= 0).all()
    assert not after["fault"].any()
    alive = ~before["died"]
    change = after["inventory"].astype(np.int64) - before["inventory"]
    assert not change[~alive].any(), "the dead gained or lost something"
    kind = KIND[action_W]
    argument = ARGUMENT[action_W]
    checks = {
        (Kind.MOVE, Kind.DIG_DOWN, Kind.CLIMB): _travel,
        (Kind.GATHER,): _gather,
        (Kind.EAT,): _eat,
        (Kind.PLACE,): _place,
        (Kind.SMELT,): _smelt,
        (Kind.CRAFT,): _craft,
        (Kind.EQUIP,): _equip,
    }
    for kinds, check in checks.items():
        rows = np.flatnonzero(alive & np.isin(kind, kinds))
        if rows.size:
            old = {name: value[rows] for name, value in before.items()}
            new = {name: value[rows] for name, value in after.items()}
            check(old, new, change[rows], kind[rows], argument[rows])


def _travel(old: State, new: State, change: np.ndarray, kind: np.ndarray, _: np.ndarray) -> None:
    """On the way the ground is dug, unless a move goes over land or through a cave."""
    moving, down, up = (kind == k for k in (Kind.MOVE, Kind.DIG_DOWN, Kind.CLIMB))
    walking = moving & ((old["height"] == 64) | (old["in_cave"] > 0))
    _assert_height(old, new, moving, down, up)
    # 15 layers, of which the uppermost 4 below the surface are soil; a stair clears 2 a layer.
    first_level = (down & (old["height"] == 64)) | (up & (old["height"] == 49))
    width = np.select([down, up], [1, 2], 0)
    soil_count = np.where(first_level, 4 * width, 0)
    stone_count = np.where(moving & ~walking, 8, 15 * width - soil_count)
    soil = np.where(BIOME_SURFACE[old["biome"]] == Block.SAND, Block.SAND, Block.DIRT)
    stone = np.full_like(soil, Block.STONE)
    _dug(old, change, [(soil, soil_count), (stone, np.where(walking, 0, stone_count))])


def _assert_height(
    old: State, new: State, moving: np.ndarray, down: np.ndarray, up: np.ndarray
) -> None:
    """Shafts lead a level down or two, stairs one up, caves at most one either way."""
    assert np.isin(new["height"], [64, 49, 34, 19, 4]).all()
    rise = new["height"] - old["height"]
    assert np.isin(rise[down], [-15, -30]).all()
    assert (rise[up] == 15).all()
    in_cave = old["in_cave"] > 0
    assert not rise[moving & ~in_cave].any()
    assert np.isin(rise[moving & in_cave], [-15, 0, 15]).all()
    assert (new["height"][moving & in_cave] < 64).all(), "a cave led out onto the surface"


def _gather(
    old: State, new: State, change: np.ndarray, _: np.ndarray, argument: np.ndarray
) -> None:
    """What left the reach was broken, and nothing else left it."""
    rows = np.arange(len(argument))
    lost = old["reach"].astype(np.int64) - new["reach"]
    broken = lost[rows, argument].copy()
    assert (broken >= 0).all()
    lost[rows, argument] = 0
    assert not lost.any(), "gathering changed what else is in reach"
    _dug(old, change, [(REACH_BLOCKS[argument], broken)])


def _dug(old: State, change: np.ndarray, parts: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
    """Drops of blocks came in, worn tools went, and nothing else changed.

    Each of `parts` is a kind of block and a count for every row; no two drop the same item.
    """
    change = change.copy()
    rows = np.arange(len(change))
    hand = old["hand"]
    held = np.where(hand >= 0, TOOL_ITEM[hand], -1)
    broken = _worn_out(old, held, np.sum([count for _, count in parts], axis=0))
    change[rows, held] += broken
    used_up = (hand >= 0) & (broken == old["inventory"][rows, held])
    for block, count in parts:
        harvests = digging.HARVESTS[block, held + 1]
        drops, least, most = _drops(change, block)
        assert (drops <= most * count).all()
        assert (drops >= least * count)[harvests & ~used_up].all()
        assert not drops[~harvests & ~used_up].any(), "the wrong tool harvested"
    assert not change.any(), "something came that the blocks do not drop, or a worn-out tool stayed"


def _worn_out(old: State, held: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Tools that breaking `count` blocks wears out: the first has its wear, the next are new."""
    rows = np.arange(len(held))
    armed = (held >= 0) & (WEAR_PER_BLOCK[held] > 0)
    per_block = np.where(armed, WEAR_PER_BLOCK[held], 1)
    durability = np.where(armed, DURABILITY[held], 1)
    left = durability - np.where(armed, old["wear"][rows, old["hand"]], 0)
    first, each = -(-left // per_block), -(-durability // per_block)
    broken = np.where(count >= first, 1 + (count - first) // each, 0)
    return np.where(armed, np.minimum(broken, old["inventory"][rows, held]), 0)


def _drops(change: np.ndarray, block: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Takes a kind of block's drops out of `change`; with the least and most that one gives."""
    rows = np.arange(len(block))
    drops, least, most = np.zeros((3, len(block)), np.int64)
    for line in range(blocks.DROP_ITEM.shape[1]):
        item = blocks.DROP_ITEM[block, line]
        real = item >= 0
        drops[real] += change[rows[real], item[real]]
        change[rows[real], item[real]] = 0
        sure = blocks.DROP_CHANCE[block, line] == 1.0
        least = np.where(sure, blocks.DROP_MIN[block, line], least)
        most = np.maximum(most, blocks.DROP_MAX[block, line])
    return drops, least, most


def _eat(old: State, new: State, change: np.ndarray, _: np.ndarray, argument: np.ndarray) -> None:
    _assert_one_less(change, FOOD_ITEM[argument])


def _place(old: State, new: State, change: np.ndarray, _: np.ndarray, argument: np.ndarray) -> None:
    _assert_one_less(change, np.array(STATION_ITEMS)[argument])
    placed = new["reach"].astype(np.int64) - old["reach"]
    rows = np.arange(len(argument))
    assert (placed[rows, Reach.CRAFTING_TABLE + argument] == 1).all()
    assert (np.abs(placed).sum(axis=1) == 1).all()
    _assert_handled(new)


def _smelt(old: State, new: State, change: np.ndarray, _: np.ndarray, argument: np.ndarray) -> None:
    """Items became others, and the fuel spent is the fire used, 200 ticks an item."""
    _assert_handled(new)
    rows = np.arange(len(argument))
    explained = np.zeros(len(argument), bool)
    # Logs and charcoal can be fuel as well, so that no single column tells how many were smelted.
    for count in range(1, TechTreeConfig().smelt_batch + 1):
        rest = change.copy()
        rest[rows, SMELT_INPUT[argument]] += count
        rest[rows, SMELT_ITEM[argument]] -= count
        burnt = -rest[:, FUEL_ITEM]
        rest[:, FUEL_ITEM] = 0
        fire = old["burn"] + (burnt * FUEL_TICKS).sum(axis=1) - 200 * count
        explained |= ~rest.any(axis=1) & (burnt >= 0).all(axis=1) & (fire == new["burn"])
    assert explained.all(), "no number of smelted items explains what came and went"
    assert (new["burn"] >= 0).all()


def _craft(old: State, new: State, change: np.ndarray, _: np.ndarray, argument: np.ndarray) -> None:
    """The first recipe that could be paid was paid, exactly."""
    _assert_handled(new)
    made = CRAFT_ITEM[argument]
    for item in np.unique(made):
        rows = made == item
        recipes = np.flatnonzero(item == RECIPE_ITEM)
        payable = (old["inventory"][rows][:, None] >= NEEDS[recipes]).all(axis=2)
        assert payable.any(axis=1).all(), f"{ITEMS[item]} was crafted from nothing"
        first = recipes[payable.argmax(axis=1)]
        assert (change[rows] == GIVES[first] - NEEDS[first]).all(), ITEMS[item]


def _equip(old: State, new: State, change: np.ndarray, _: np.ndarray, argument: np.ndarray) -> None:
    assert not change.any()
    assert (new["hand"] == argument).all()
    _assert_handled(new)


def _assert_handled(new: State) -> None:
    assert (new["ticks"] == TechTreeConfig().handling_ticks).all()


def _assert_one_less(change: np.ndarray, item: np.ndarray) -> None:
    expected = np.zeros_like(change)
    expected[np.arange(len(change)), item] = -1
    assert (change == expected).all()

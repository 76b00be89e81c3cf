"""What may be true of a voxel world, and what a step may do to an inventory, for a whole batch.

A second account of the rules, from the tables of `lapis.minecraft` and the states before and after
a step.
"""

# W = worlds, I = items, B = kinds of blocks

from __future__ import annotations

import numpy as np

from lapis.minecraft.blocks import BLOCK_OF_ITEM, DROP_ITEM, DROP_MAX, SOLID, Block
from lapis.minecraft.foods import EAT_TICKS, FOOD_ITEM
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.recipes import RECIPES
from lapis.minecraft.smelting import FUEL_ITEM, FUEL_TICKS, SMELT_INPUT, SMELT_ITEM
from lapis.minecraft.tools import DURABILITY
from lapis.worlds.voxel.actions import (
    EQUIP_ITEMS,
    PLACE_ITEMS,
    SPECIALS,
    TOOL_ITEMS,
    Component,
    Special,
)
from lapis.worlds.voxel.world import VoxelWorld
from tests.worlds.voxel.play_scenes import summaries

State = dict[str, np.ndarray]
HALF, TALL = 4915 / 16384, 29491 / 16384
NEEDS = np.array([[r.ingredients.get(item, 0) for item in ITEMS] for r in RECIPES])
GIVES = np.array([[r.count * (item == r.output) for item in ITEMS] for r in RECIPES])
OUTPUT = np.array([ITEM[r.output] for r in RECIPES])
DROPS_BI = np.zeros((len(Block), len(ITEMS)), np.int64)
"""Most of each item that a block can drop."""
for _block in Block:
    for _item, _most in zip(DROP_ITEM[_block], DROP_MAX[_block], strict=True):
        if _item >= 0:
            DROPS_BI[_block, _item] = _most


def read(world: VoxelWorld) -> State:
    return {name: tensor.cpu().numpy().copy() for name, tensor in world.state.tensors().items()}


def assert_sound(world: VoxelWorld) -> None:
    """What is true of every world at any time; cheap enough for every step."""
    state = world.state
    position = state.position.numpy()
    size, height = world.config.size, world.config.height
    assert not state.fault.any()
    assert (state.inventory >= 0).all()
    assert ((position[:, [0, 2]] >= 0) & (position[:, [0, 2]] < size)).all()
    assert (position[:, 1] >= 0).all()
    assert np.isfinite(state.velocity.numpy()).all()
    low, high = body_cells(position)
    blocks = state.blocks.numpy()
    rows = np.arange(len(position))
    for dx in (0, 1):
        for dz in (0, 1):
            for dy in (0, 1, 2):
                x = np.minimum(low[:, 0] + dx, high[:, 0]) % size
                y = np.minimum(low[:, 1] + dy, high[:, 1])
                z = np.minimum(low[:, 2] + dz, high[:, 2]) % size
                met = np.where(y < height, blocks[rows, x, z, np.minimum(y, height - 1)], 0)
                assert not SOLID[met].any(), "a player is inside of a block"
    health, hand, off_hand = state.health.numpy(), state.hand.numpy(), state.off_hand.numpy()
    assert ((health > 0) == ~state.died.numpy()).all()
    assert ((health <= 20_000) & (state.food.numpy() <= 20)).all()
    assert (state.inventory.numpy()[rows, hand][hand >= 0] > 0).all(), "a hand holds what is gone"
    assert (state.inventory.numpy()[rows, off_hand][off_hand >= 0] > 0).all(), "the off hand too"
    assert (state.wear.numpy() < np.maximum(DURABILITY[list(TOOL_ITEMS)], 1)).all()


def body_cells(position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest cells of bodies."""
    low = np.floor(position - np.array([HALF, 0, HALF])).astype(int)
    high = np.ceil(position + np.array([HALF, TALL, HALF])).astype(int) - 1
    return low, high


def assert_summed_up(world: VoxelWorld) -> None:
    """Whatever follows from the blocks fits them; slow."""
    blocks = world.state.blocks.numpy()
    assert blocks.max() < len(Block)
    wanted = summaries(blocks)
    assert np.array_equal(world.state.top.numpy(), wanted["top"])
    assert (world.state.bricks.numpy() >= wanted["bricks"]).all()
    assert (world.state.ceiling.numpy() >= wanted["ceiling"]).all()
    for row, cells in enumerate(blocks.reshape(len(blocks), -1)):
        standing = np.flatnonzero(np.isin(cells, (Block.CRAFTING_TABLE, Block.FURNACE)))
        count = int(world.state.station_count[row])
        assert sorted(world.state.station[row, :count].tolist()) == standing.tolist()
        lights = world.state.torch[row].numpy()
        assert (cells[lights[lights >= 0]] == Block.TORCH).all()


def assert_explained(before: State, after: State, action: np.ndarray) -> None:
    """Raises where an inventory changed otherwise than the rules allow."""
    rest_WI = after["inventory"].astype(np.int64) - before["inventory"]
    assert not rest_WI[before["died"]].any(), "the dead gained or lost something"
    placed = np.full(len(rest_WI), -1)
    for row in np.flatnonzero(~before["died"]):
        special = SPECIALS[action[row, Component.SPECIAL]]
        rest_WI[row] -= special_change(special, before, after, row)
        if special.kind == Special.PLACE:
            placed[row] = BLOCK_OF_ITEM[PLACE_ITEMS[special.argument]]
    uses = (action[:, Component.USE] > 0) & (action[:, Component.SPECIAL] == 0)
    eaten = uses & (after["ticks"] == EAT_TICKS) & ~before["died"] & ~after["died"]
    rest_WI[eaten, FOOD_ITEM[0]] += 1
    lost_WB = block_counts(before["blocks"]) - block_counts(after["blocks"])
    rows = np.flatnonzero(placed >= 0)
    lost_WB[rows, placed[rows]] += 1
    most_WI = np.maximum(lost_WB[:, 1:], 0) @ DROPS_BI[1:]
    assert (rest_WI <= most_WI).all(), "something came that no broken block drops"
    # What is left to lose is a tool, worn out by the block that it broke.
    for row, item in np.argwhere(rest_WI < 0):
        assert rest_WI[row, item] == -1, ITEMS[item]
        assert item in (before["hand"][row], after["hand"][row], *equipped(action[row])), ITEMS[
            item
        ]
        assert lost_WB[row, 1:].max() > 0


def equipped(action: np.ndarray) -> tuple[int, ...]:
    special = SPECIALS[action[Component.SPECIAL]]
    return (EQUIP_ITEMS[special.argument],) if special.kind == Special.EQUIP else ()


def block_counts(blocks: np.ndarray) -> np.ndarray:
    """How many blocks of each kind each world holds."""
    count = len(blocks)
    flat = blocks.reshape(count, -1).astype(np.int32) + np.arange(count)[:, None] * 256
    return np.bincount(flat.ravel(), minlength=256 * count).reshape(count, 256)[:, : len(Block)]


def special_change(special, before: State, after: State, row: int) -> np.ndarray:
    """What a special action does to the inventory."""
    change = np.zeros(len(ITEMS), np.int64)
    held = before["inventory"][row]
    if special.kind == Special.PLACE:
        change[PLACE_ITEMS[special.argument]] = -1
    elif special.kind == Special.CRAFT:
        recipes = np.flatnonzero(ITEM[special.name.removeprefix("craft ")] == OUTPUT)
        payable = recipes[(held >= NEEDS[recipes]).all(axis=1)]
        assert payable.size, f"{special.name} was not paid for"
        change = GIVES[payable[0]] - NEEDS[payable[0]]
    elif special.kind == Special.SMELT:
        change[SMELT_INPUT[special.argument]] -= 1
        burn = int(before["burn"][row])
        for fuel, ticks in zip(FUEL_ITEM, FUEL_TICKS, strict=True):
            while burn < 200 and held[fuel] + change[fuel] > 0:
                change[fuel] -= 1
                burn += ticks
        assert burn >= 200, f"{special.name} without a fire"
        assert int(after["burn"][row]) in (burn - 200, 0)
        change[SMELT_ITEM[special.argument]] += 1
    return change

"""Minecraft's tables and the world's settings in the form that kernels read."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import warp as wp

from lapis.minecraft import blocks, foods, recipes, smelting, tools
from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEM, ITEMS
from lapis.worlds.launching import filled
from lapis.worlds.making import Making, count_features, digging_tables, make_making
from lapis.worlds.rng import chances
from lapis.worlds.voxel.actions import (
    ACTION_SIZES,
    CAMERA_ANGLES,
    EQUIP_ITEMS,
    FIRST_CHOICE,
    OFF_HAND_ITEMS,
    PITCH_LEVELS,
    PLACE_ITEMS,
    TOOL_ITEMS,
)
from lapis.worlds.voxel.config import VoxelConfig

TURN = 3600
"""A full turn [1/10 degree]."""
MOST_EXPERIENCE = 1395
"""Points beyond this look alike: level 30."""

FALLING = (Block.SAND, Block.GRAVEL, Block.ANVIL)
"""Blocks that fall when nothing is below them."""

OPENED: dict[Block, Block] = {
    Block.WOODEN_DOOR: Block.OPEN_WOODEN_DOOR,
    Block.TRAPDOOR: Block.OPEN_TRAPDOOR,
    Block.FENCE_GATE: Block.OPEN_FENCE_GATE,
}
"""Blocks that hands open and close, and what they are when open; iron needs redstone."""

ON_FLOOR, ON_WALL, ON_SOIL = 1, 2, 4
"""Bits: what a thing can rest on: a block below it, a block beside it, soil below it."""

SOIL = (Block.DIRT, Block.GRASS, Block.FARMLAND)

# DEVIATION: nothing hangs from a ceiling.
RESTS_ON: dict[Block, int] = {
    **{block: ON_SOIL for block in Block if block.name.endswith("_SAPLING")},
    **{block: ON_FLOOR for block in Block if block.name.endswith(("_PLATE", "RAIL", "_FLOWER"))},
    Block.TALL_GRASS: ON_FLOOR,
    Block.CACTUS: ON_FLOOR,
    Block.REDSTONE_WIRE: ON_FLOOR,
    Block.REPEATER: ON_FLOOR,
    Block.TORCH: ON_FLOOR | ON_WALL,
    Block.REDSTONE_TORCH: ON_FLOOR | ON_WALL,
    Block.LEVER: ON_FLOOR | ON_WALL,
    Block.WOODEN_BUTTON: ON_FLOOR | ON_WALL,
    Block.STONE_BUTTON: ON_FLOOR | ON_WALL,
    Block.SIGN: ON_FLOOR | ON_WALL,
    Block.LADDER: ON_WALL,
    Block.TRIPWIRE_HOOK: ON_WALL,
}
"""Blocks that need something to rest on, and break without it."""


class Purpose(IntEnum):
    """What a number is drawn for while a world is played."""

    NONE = 0
    DROP = 1
    DROP_COUNT = 2
    EXPERIENCE = 3
    SMELTING_EXPERIENCE = 4


@wp.struct
class Rules:
    """Constant tables. Chances are whole numbers, see `chances`."""

    seed: int
    first_world: int
    masked_waits: int
    channel_ticks: int
    day_cycle: int
    # Angles, by tenths of degrees of a full turn
    sine: wp.array[float]
    cosine: wp.array[float]
    camera_turn: wp.array[int]  # by choice of the camera's components
    pitch_level: wp.array[int]  # by choice of pitch after these turns
    # Actions, by component
    action_size: wp.array[int]
    first_choice: wp.array[int]
    # Blocks
    solid: wp.array[int]
    replaceable: wp.array[int]
    falling: wp.array[int]
    rests_on: wp.array[int]  # bits of what holds it, 0: nothing needs to
    bears: wp.array[int]  # other things can rest on it
    soil: wp.array[int]
    used: wp.array[int]  # what it becomes when a hand uses it, 0: nothing happens
    instant: wp.array[int]  # breaks at once whatever the player does
    # Digging, by block and tool + 1 (0: bare hand)
    dig_ticks: wp.array2d[int]
    harvests: wp.array2d[int]
    # Drops, by block and place in the list; chances are running totals
    drop_item: wp.array2d[int]
    drop_least: wp.array2d[int]
    drop_spread: wp.array2d[int]
    drop_chance: wp.array2d[int]
    experience_least: wp.array[int]
    experience_spread: wp.array[int]
    # Tools, by tool; and the tool that an item is, -1: none
    tool_item: wp.array[int]
    tool_durability: wp.array[int]
    tool_wear: wp.array[int]
    tool_of_item: wp.array[int]
    tills: wp.array[int]  # 1: a hoe
    # Equipping, by place in EQUIP_ITEMS; the first ones are tools
    equip_item: wp.array[int]
    off_hand_item: wp.array[int]
    # Placing, by place in PLACE_ITEMS
    place_item: wp.array[int]
    place_block: wp.array[int]
    making: Making
    smelt_experience: wp.array[int]  # whole points
    smelt_experience_chance: wp.array[int]  # of one point more
    # The apple
    food_item: int
    food_points: int
    food_saturation: int  # [1/1000 points]
    eat_ticks: int
    # Observation
    count_feature: wp.array[float]
    experience_feature: wp.array[float]


def make_rules(config: VoxelConfig, device: str, **identity: int) -> Any:
    """The `Rules` for one device; `identity` is what makes this batch differ from others."""
    tables: dict[str, Any] = {
        **identity,
        "making": make_making(device),
        "channel_ticks": config.channel_ticks,
        "day_cycle": int(config.day_cycle),
        **_angles(),
        **_blocks(),
        **digging_tables(list(Block), TOOL_ITEMS),
        **_things(),
    }
    return filled(Rules, tables, device)


def angle_tables() -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of every tenth of a degree, float32, exact at right angles."""
    radians = np.arange(TURN) * (2.0 * np.pi / TURN)
    sine = np.sin(radians)
    sine[[0, TURN // 2]] = 0.0
    return sine.astype(np.float32), np.roll(sine, -TURN // 4).astype(np.float32)


def _angles() -> dict[str, np.ndarray]:
    sine, cosine = angle_tables()
    return {
        "sine": sine,
        "cosine": cosine,
        "camera_turn": np.array(CAMERA_ANGLES, np.int32),
        "pitch_level": np.array(PITCH_LEVELS, np.int32),
        "action_size": np.array(ACTION_SIZES, np.int32),
        "first_choice": np.array(FIRST_CHOICE, np.int32),
    }


def _blocks() -> dict[str, np.ndarray]:
    rests_on, used = np.zeros((2, len(Block)), np.int32)
    for block, bits in RESTS_ON.items():
        rests_on[block] = bits
    for closed, opened in OPENED.items():
        used[closed], used[opened] = opened, closed
    return {
        "solid": blocks.SOLID.astype(np.int32),
        "replaceable": blocks.REPLACEABLE.astype(np.int32),
        "falling": _marked(FALLING),
        "rests_on": rests_on,
        # Nothing rests on what may be opened.
        "bears": (blocks.SOLID & (used == 0)).astype(np.int32),
        "soil": _marked(SOIL),
        "used": used,
        "instant": (blocks.HARDNESS == 0.0).astype(np.int32),
        "experience_least": blocks.EXPERIENCE_MIN,
        "experience_spread": blocks.EXPERIENCE_MAX - blocks.EXPERIENCE_MIN + 1,
    }


def _marked(chosen: tuple[Block, ...]) -> np.ndarray:
    return np.isin(np.arange(len(Block)), chosen).astype(np.int32)


def _things() -> dict[str, int | np.ndarray]:
    whole = np.floor(smelting.SMELT_EXPERIENCE.astype(np.float64))
    tool_of_item = np.full(len(ITEMS), -1, np.int32)
    tool_of_item[list(TOOL_ITEMS)] = np.arange(len(TOOL_ITEMS))
    experience = np.log2(1.0 + np.arange(MOST_EXPERIENCE + 1)) / np.log2(1.0 + MOST_EXPERIENCE)
    (apple,) = foods.FOOD_ITEM
    assert apple == ITEM["apple"]
    # Whoever eats and crafts in one step still has the apple; no craft takes the tool in hand.
    assert not np.isin(recipes.CRAFT_INGREDIENT_ITEM, [apple, *EQUIP_ITEMS]).any()
    assert not np.isin([apple, *OFF_HAND_ITEMS], smelting.FUEL_ITEM).any()
    return {
        "tool_of_item": tool_of_item,
        "tills": (tools.TOOL_KIND[list(TOOL_ITEMS)] == tools.ToolKind.HOE).astype(np.int32),
        "equip_item": np.array(EQUIP_ITEMS, np.int32),
        "off_hand_item": np.array(OFF_HAND_ITEMS, np.int32),
        "place_item": np.array(PLACE_ITEMS, np.int32),
        "place_block": blocks.BLOCK_OF_ITEM[list(PLACE_ITEMS)],
        "smelt_experience": whole.astype(np.int32),
        "smelt_experience_chance": chances(smelting.SMELT_EXPERIENCE - whole),
        "food_item": int(apple),
        "food_points": int(foods.FOOD_POINTS[apple]),
        "food_saturation": round(float(foods.FOOD_SATURATION[apple]) * 1000),
        "eat_ticks": foods.EAT_TICKS,
        "count_feature": count_features(),
        "experience_feature": experience.astype(np.float32),
    }

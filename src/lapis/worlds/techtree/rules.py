"""Minecraft's tables and the world's scale in the form that kernels read."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

import numpy as np
import warp as wp

from lapis.minecraft import biomes, foods, ores
from lapis.minecraft.blocks import Block
from lapis.minecraft.caves import CAVE_STARTS
from lapis.minecraft.items import ITEM
from lapis.worlds.launching import filled
from lapis.worlds.making import Making, count_features, digging_tables, make_making
from lapis.worlds.rng import chances
from lapis.worlds.techtree.actions import REACH_BLOCK, STATION_ITEMS, TOOL_ITEMS, Reach
from lapis.worlds.techtree.config import LEVEL_BLOCKS, LEVEL_COUNT, LOWEST, TechTreeConfig

FIRST_ORE = Reach.COAL_ORE
ORE_COUNT = Reach.DIAMOND_ORE - Reach.COAL_ORE + 1

WALK_TICKS_PER_BLOCK = 20 / 4.317
"""Walking 4.317 m/s at 20 ticks a second."""
SPRINT_TICKS_PER_BLOCK = 20 / 5.612


class Purpose(IntEnum):
    """What a number is drawn for."""

    NONE = 0
    BIOME_CHANGE = 1
    BIOME = 2
    TREE = 3
    TREE_SIZE = 4
    SAND = 5
    GRAVEL = 6
    OUTCROP = 7
    CAVE = 8
    FALL = 9
    SLOPE = 10
    LAVA = 11
    MONSTER = 12
    DIRT = 13
    VEIN = 20  # ... + ore
    VEIN_SIZE = 30  # ... + ore
    DROP = 40  # ... + 2 * block broken in this step
    DROP_COUNT = 41


@wp.struct
class Rules:
    """Constant tables. Chances are whole numbers, see `chances`."""

    seed: int
    first_world: int
    masked_waits: int
    attack_ticks: int
    handling_ticks: int
    tunnel_blocks: int
    walk_blocks: int
    walk_ticks: int
    sprint_ticks: int
    tunnel_walk_ticks: int
    biome_change: int
    sand_chance: int
    gravel_chance: int
    cave_stay: int
    cave_slope: int
    fall: int
    lava: int
    monster: int
    # Digging, by kind of reach and tool + 1 (0: bare hand)
    dig_ticks: wp.array2d[int]
    harvests: wp.array2d[int]
    # Drops, by kind of reach and place in the list; chances are running totals
    drop_item: wp.array2d[int]
    drop_least: wp.array2d[int]
    drop_spread: wp.array2d[int]
    drop_chance: wp.array2d[int]
    # Tools, by tool
    tool_item: wp.array[int]
    tool_durability: wp.array[int]
    tool_wear: wp.array[int]
    # Land, by biome
    spawn_chance: wp.array[int]  # running totals
    area_chance: wp.array[int]  # running totals
    soil: wp.array[int]
    tree_chance: wp.array[int]
    outcrop_chance: wp.array[int]
    # Veins, by ore and level; for tunnels and caves
    vein_chance: wp.array3d[int]
    vein_spread: wp.array[int]
    cave_entry: wp.array[int]
    making: Making
    smelt_batch: int
    # Food and stations
    food_item: wp.array[int]
    food_points: wp.array[int]
    food_saturation: wp.array[int]  # [1/1000 points]
    eat_ticks: int
    station_item: wp.array[int]
    # Observation
    count_feature: wp.array[float]


def make_rules(config: TechTreeConfig, device: str, **identity: int) -> Any:
    """The `Rules` for one device; `identity` is what makes this batch differ from others."""
    tables: dict[str, Any] = {
        **identity,
        "making": make_making(device),
        **_scale(config),
        **digging_tables(list(REACH_BLOCK), TOOL_ITEMS),
        **_land(config),
        **_things(),
    }
    return filled(Rules, tables, device)


def _scale(config: TechTreeConfig) -> dict:
    same = ("attack_ticks", "handling_ticks", "smelt_batch", "walk_blocks", "tunnel_blocks")
    drawn = ("biome_change", "cave_stay", "cave_slope", "fall", "lava", "monster")
    return {
        **{name: getattr(config, name) for name in same},
        **{name: int(chances(getattr(config, name))) for name in drawn},
        "walk_ticks": math.ceil(config.walk_blocks * WALK_TICKS_PER_BLOCK),
        "sprint_ticks": math.ceil(config.walk_blocks * SPRINT_TICKS_PER_BLOCK),
        "tunnel_walk_ticks": math.ceil(config.tunnel_blocks * WALK_TICKS_PER_BLOCK),
        # Shores and pits are rare; the values only make both blocks known, no goal needs them.
        "sand_chance": int(chances(0.1)),
        "gravel_chance": int(chances(0.05)),
    }


def _land(config: TechTreeConfig) -> dict:
    trees = biomes.BIOME_TREES.astype(np.float64) * config.spot_share_of_chunk
    outcrop = np.full(len(biomes.Biome), config.outcrop)
    outcrop[biomes.Biome.EXTREME_HILLS] = max(0.5, config.outcrop)
    chance, spread = _veins(config)
    sandy = biomes.BIOME_SURFACE == Block.SAND
    return {
        "spawn_chance": chances(np.cumsum(biomes.BIOME_SPAWN.astype(np.float64))),
        "area_chance": chances(np.cumsum(biomes.BIOME_AREA.astype(np.float64))),
        "soil": np.where(sandy, int(Reach.SAND), int(Reach.DIRT)).astype(np.int32),
        "tree_chance": chances(1.0 - np.exp(-trees)),
        "outcrop_chance": chances(outcrop),
        "vein_chance": chance,
        "vein_spread": spread,
        "cave_entry": _cave_entry(config),
    }


def _veins(config: TechTreeConfig) -> tuple[np.ndarray, np.ndarray]:
    """The chance of a vein at a new spot, by ore, level and (tunnel, cave); and vein sizes.

    Of the blocks that come into view, density(y) are ore on average. They come as veins of 1 to
    `spread` blocks, whose mean is the vein's, so density * seen / mean of a vein is the chance.
    """
    seen = np.array([config.tunnel_blocks_seen, config.cave_blocks_seen], np.float64)
    chance = np.zeros((ORE_COUNT, LEVEL_COUNT, 2), np.int32)
    spread = np.zeros(ORE_COUNT, np.int32)
    for ore in range(ORE_COUNT):
        block = REACH_BLOCK[FIRST_ORE + ore]
        spread[ore] = round(2.0 * ores.VEINS[block].blocks_per_vein - 1.0)
        mean = (1.0 + spread[ore]) / 2.0
        for level in range(LEVEL_COUNT):
            heights = range(LOWEST + LEVEL_BLOCKS * level, LOWEST + LEVEL_BLOCKS * (level + 1))
            density = np.mean([ores.expected_density(block, y) for y in heights])
            veins = density * seen / mean
            if veins.max() > 1.0:
                raise ValueError(
                    f"tunnel_blocks_seen and cave_blocks_seen must show at most one vein of an ore "
                    f"at a spot, but {seen.max():.0f} blocks hold {veins.max():.2f} of {block.name}"
                )
            chance[ore, level] = chances(veins)
    return chance, spread


def _cave_entry(config: TechTreeConfig) -> np.ndarray:
    """The chance that a new spot opens into a cave, by level; the surface has none."""
    levels = CAVE_STARTS[LOWEST : LOWEST + LEVEL_BLOCKS * (LEVEL_COUNT - 1)]
    share = levels.reshape(-1, LEVEL_BLOCKS).mean(axis=1)
    frequency = 1.0 + config.caves_by_depth * (share / share.mean() - 1.0)
    return chances(np.minimum(np.append(config.cave_entry * frequency, 0.0), 1.0))


def _things() -> dict:
    assert (ITEM["crafting_table"], ITEM["furnace"]) == STATION_ITEMS  # the order of Reach
    return {
        "food_item": foods.FOOD_ITEM,
        "food_points": foods.FOOD_POINTS[foods.FOOD_ITEM],
        "food_saturation": np.rint(foods.FOOD_SATURATION[foods.FOOD_ITEM] * 1000).astype(np.int32),
        "eat_ticks": foods.EAT_TICKS,
        "station_item": np.array(STATION_ITEMS, np.int32),
        "count_feature": count_features(),
    }

"""Scripted players of the voxel world that reach its rare rules quickly, for tests of parity.

A policy sees the state and observations of one batch and returns an allowed action of every world,
int32 of shape (world, component), on the CPU. It needs the view "fan".
"""

# W = worlds, C = components, R = rows of the fan, K = its columns

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.ores import LAVA_LEVEL
from lapis.minecraft.planner import obtainable
from lapis.worlds.voxel import VoxelWorld
from lapis.worlds.voxel.actions import CAMERA_ANGLES, FIRST_CHOICE, PLACE_ITEMS, Component
from lapis.worlds.voxel.view import FAN_COLUMNS, FAN_ROWS, FanClass
from tests.contract import allowed_action

Policy = Callable[[VoxelWorld, int, np.random.Generator], Tensor]

FORWARD, SPRINT, CHANNEL = 1, 2, 2
ANGLES = np.array(CAMERA_ANGLES)
AIM = 2.5
"""A thing is ahead when it is at most so many columns from the middle of the fan."""


def walker(world: VoxelWorld, _: int, rng: np.random.Generator) -> Tensor:
    """Runs and jumps over the land, and turns now and then."""
    action = nothing(world)
    count = len(action)
    action[:, Component.WALK] = FORWARD
    action[:, Component.GAIT] = SPRINT * (rng.random(count) < 0.8)
    action[:, Component.JUMP] = rng.random(count) < 0.5
    action[:, Component.YAW] = rng.integers(0, len(ANGLES), count) * (rng.random(count) < 0.3)
    return allowed(world, action)


def miner(world: VoxelWorld, step: int, rng: np.random.Generator) -> Tensor:
    """Digs stairs and tunnels, and uses or places what it holds now and then."""
    action = nothing(world)
    count = len(action)
    heights = np.array([0, 350, 500, 850])[(np.arange(count) + step // 25) % 4]
    action[:, Component.PITCH] = turn_to(heights - world.state.pitch.cpu().numpy())
    action[:, Component.YAW] = rng.integers(0, len(ANGLES), count) * (rng.random(count) < 0.05)
    action[:, Component.ATTACK] = CHANNEL
    action[:, Component.WALK] = FORWARD * (rng.random(count) < 0.5)
    action[:, Component.JUMP] = rng.random(count) < 0.3
    handle(world, action, rng, chance=0.15)
    return allowed(world, action)


def crafter(world: VoxelWorld, step: int, rng: np.random.Generator) -> Tensor:
    """Goes to the nearest tree and fells it, and makes and places whatever can be made."""
    action = nothing(world)
    near = go_for(world, action, (FanClass.LOG,), rng)
    action[:, Component.ATTACK] = CHANNEL * (near | (rng.random(len(action)) < 0.1))
    handle(world, action, rng, chance=0.5)
    return allowed(world, action)


def reckless(world: VoxelWorld, step: int, rng: np.random.Generator) -> Tensor:
    """Digs straight down to where the lava is, runs on through rock, water and lava."""
    action = nothing(world)
    go_for(world, action, (FanClass.LAVA, FanClass.WATER), rng)
    chance = rng.random(len(action))
    action[:, Component.GAIT] = SPRINT
    action[:, Component.ATTACK] = CHANNEL * (chance < 0.6)
    action[:, Component.USE] = chance > 0.99
    # Bedrock begins below: who is that deep only goes on ahead.
    deep = world.state.position[:, 1].cpu().numpy() < LAVA_LEVEL - 2
    digs = ((np.arange(len(action)) + step // 100) % 2 == 0) & ~deep
    down = turn_to(900 - world.state.pitch.cpu().numpy())
    action[digs] = 0
    action[digs, Component.PITCH] = down[digs]
    action[digs, Component.ATTACK] = CHANNEL
    handle(world, action, rng, chance=0.05)
    return allowed(world, action)


def builder(world: VoxelWorld, step: int, rng: np.random.Generator) -> Tensor:
    """Places whatever can be placed, opens, closes, tills and climbs it, and digs it up again."""
    action = nothing(world)
    count = len(action)
    heights = np.array([0, 300, 450, 600])[(np.arange(count) + step // 10) % 4]
    action[:, Component.PITCH] = turn_to(heights - world.state.pitch.cpu().numpy())
    action[:, Component.YAW] = rng.integers(0, len(ANGLES), count) * (rng.random(count) < 0.1)
    action[:, Component.WALK] = FORWARD * (rng.random(count) < 0.5)
    action[:, Component.JUMP] = rng.random(count) < 0.2
    action[:, Component.USE] = rng.random(count) < 0.3
    action[:, Component.ATTACK] = CHANNEL * (rng.random(count) < 0.2)
    handle(world, action, rng, chance=0.4)
    # The ladders that it stands before lead up.
    ladder = np.isin(looked_at(world), (Block.LADDER, Block.OPEN_TRAPDOOR))
    action[ladder, Component.SPECIAL] = 0
    action[ladder, Component.WALK] = FORWARD
    return allowed(world, action)


def random(world: VoxelWorld, _: int, rng: np.random.Generator) -> Tensor:
    """Draws every component from what the mask allows."""
    return allowed_action(world, rng).cpu()


POLICIES: tuple[Policy, ...] = (walker, miner, crafter, builder, reckless, random)


def first_items(policy: Policy, world_count: int) -> Tensor:
    """What each world of a policy begins with, int32, shape (world, item)."""
    held = np.zeros((world_count, len(ITEMS)), np.int32)
    if policy in (miner, reckless):
        held[:, ITEM["diamond_pickaxe"]] = 2
        held[::2, ITEM["iron_pickaxe"]] = 3
        for name, count in {"torch": 8, "iron_shovel": 1, "dirt": 4, "apple": 3}.items():
            held[:, ITEM[name]] = count
    if policy is builder:
        held[:, list(PLACE_ITEMS)] = 3
        held[:, [ITEM["ladder"], ITEM["wooden_door"], ITEM["trapdoor"]]] = 20
        held[:, [ITEM["stone_hoe"], ITEM["shield"]]] = 1
    if policy is crafter:
        rng = np.random.default_rng(5)
        rich = rng.integers(0, 12, held.shape) * (rng.random(held.shape) < 0.4)
        held[1::2] = (rich * np.isin(ITEMS, list(obtainable())))[1::2]
    return torch.from_numpy(held)


def nothing(world: VoxelWorld) -> np.ndarray:
    """Choice 0 of everything, shape (world, component)."""
    return np.zeros((world.world_count, len(Component)), np.int64)


def allowed(world: VoxelWorld, action_WC: np.ndarray) -> Tensor:
    """The action, with choice 0 wherever the mask does not allow another."""
    mask = world.action_mask.cpu().numpy()
    may_WC = np.take_along_axis(mask, action_WC + np.array(FIRST_CHOICE), axis=1)
    return torch.from_numpy((action_WC * may_WC).astype(np.int32))


def looked_at(world: VoxelWorld) -> np.ndarray:
    """The block under the crosshair, air where there is none."""
    place = world.state.looked_at.cpu().long()
    cells = world.state.blocks.cpu().flatten(1)
    block = cells.gather(1, place.clamp(min=0)[:, None])[:, 0].numpy()
    return np.where(place.numpy() < 0, Block.AIR, block)


def turn_to(angle_W: np.ndarray) -> np.ndarray:
    """The choice that comes nearest to a turn by so many tenths of a degree."""
    return np.abs(ANGLES - angle_W[:, None]).argmin(axis=1)


def handle(world: VoxelWorld, action: np.ndarray, rng: np.random.Generator, chance: float) -> None:
    """Chooses a special action that is allowed now, in some of the worlds."""
    special = allowed_action(world, rng).cpu().numpy()[:, Component.SPECIAL]
    action[:, Component.SPECIAL] = special * (rng.random(len(action)) < chance)


def go_for(
    world: VoxelWorld, action: np.ndarray, classes: tuple[int, ...], rng: np.random.Generator
) -> np.ndarray:
    """Turns to the nearest thing of these classes and runs there; returns whether it is ahead."""
    shown = world.observation["fan_class"].cpu().numpy()
    distance = world.observation["fan_distance"].cpu().numpy()
    distance = np.where(np.isin(shown, classes), distance, np.inf)
    nearest = distance.argmin(axis=1)
    sees = np.isfinite(distance.min(axis=1))
    right = nearest % FAN_COLUMNS - (FAN_COLUMNS - 1) / 2
    below = nearest // FAN_COLUMNS - (FAN_ROWS - 1) / 2
    level = turn_to(-world.state.pitch.cpu().numpy())
    wander = rng.integers(0, len(ANGLES), len(action)) * (rng.random(len(action)) < 0.3)
    action[:, Component.YAW] = np.where(sees, turn_to(60 * right), wander)
    action[:, Component.PITCH] = np.where(sees, turn_to(70 * below), level)
    action[:, Component.WALK] = FORWARD
    action[:, Component.JUMP] = rng.random(len(action)) < 0.4
    near = distance.min(axis=1) * world.config.fan_view_distance < 5
    return sees & (np.abs(right) <= AIM) & near

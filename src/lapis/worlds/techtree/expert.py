"""A scripted player that knows the tech tree: it shows that goals can be reached, and how fast.

It plays through the actions alone and reads the state that a player sees. It gathers wood for the
whole plan first, then digs down to where the next ore lies, and makes what it needs on the way.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
import torch

from lapis.minecraft.items import ITEM, ITEMS, item_index
from lapis.minecraft.planner import Action
from lapis.minecraft.smelting import BURN_TICKS, SMELT_TICKS, SMELTS
from lapis.worlds.planning import (
    PICKAXES,
    Holdings,
    PlayStyle,
    bill_of,
    least_pickaxe,
    next_task,
)
from lapis.worlds.techtree.actions import ACTION, TOOL_ITEMS, Reach
from lapis.worlds.techtree.config import SURFACE, TechTreeConfig
from lapis.worlds.techtree.world import TechTreeWorld

_PLAY_STYLE = PlayStyle(fuels=("planks", "coal", "log"), stokes_ahead=False, spares_pickaxe=False)
_SOURCES: dict[str, tuple[Reach, int]] = {
    # item: what to gather, and the highest level where it lies dense. Lapis is
    # 2.15 times as dense from 4 on as from 19 on; gold only a sixth denser, and there is lava.
    "dirt": (Reach.DIRT, SURFACE),
    "sapling": (Reach.LEAVES, SURFACE),
    "log": (Reach.LOG, SURFACE),
    "cobblestone": (Reach.STONE, 49),
    "coal": (Reach.COAL_ORE, 49),
    "iron_ore": (Reach.IRON_ORE, 49),
    "dye": (Reach.LAPIS_ORE, 4),
    "redstone": (Reach.REDSTONE_ORE, 4),
    "gold_ore": (Reach.GOLD_ORE, 19),
    "diamond": (Reach.DIAMOND_ORE, 4),
}
_SHALLOW_TABLES = 4
"""Logs for crafting tables that a plan leaves behind between the surface and the first iron."""
_DEEP_TABLES = 10
"""The same where an iron pickaxe leads further down: the way back for more wood is long."""


class Senses:
    """What the expert sees of one world, which lives on the CPU."""

    def __init__(self, world: TechTreeWorld, row: int) -> None:
        state = world.state
        self.inventory: np.ndarray = state.inventory[row].numpy()
        self.reach: np.ndarray = state.reach[row].numpy()
        self.height, self.hand, self.burn = (
            int(tensor[row]) for tensor in (state.height, state.hand, state.burn)
        )

    def count(self, item: str) -> int:
        """Items held."""
        return int(self.inventory[ITEM[item]])

    def holdings(self) -> Holdings:
        """What a plan starts from."""
        stations = ("crafting_table", "furnace")
        near = frozenset(name for name in stations if self.reach[Reach[name.upper()]] > 0)
        return Holdings(inventory=self.inventory, stations=near, burn=self.burn)


def attempt(
    goals: Sequence[str],
    *,
    seed: int = 0,
    limit_ticks: int = 6000,
    config: TechTreeConfig | None = None,
) -> np.ndarray:
    """Plays one world for each of `goals`, from an empty inventory, with one try.

    Returns:
        Game ticks until the goal was held, -1 where the player died or the time ran out, int64 of
        shape (goal,).
    """
    world = TechTreeWorld(len(goals), seed=seed, config=config)
    columns = np.array([item_index(goal) for goal in goals])
    clock = np.zeros(len(goals), np.int64)
    finished = np.full(len(goals), -1, np.int64)
    playing = np.ones(len(goals), bool)
    while playing.any():
        action = np.zeros((len(goals), 1), np.int32)
        for row in np.flatnonzero(playing).tolist():
            action[row] = next_action(Senses(world, row), goals[row])
        # Who is done goes on walking; nobody looks.
        world.step(torch.from_numpy(action))
        clock += world.ticks.numpy()
        held = world.inventory.numpy()[np.arange(len(goals)), columns] > 0
        won = playing & held & (clock <= limit_ticks)
        finished[won] = clock[won]
        playing &= ~held & ~world.died.numpy() & (clock < limit_ticks)
    world.check()
    return finished


def next_action(senses: Senses, goal: str) -> int:
    """The action that brings `goal` nearer, as the number of an action that is allowed now."""
    logs = log_budget(goal) - _wood_in_hand(senses)
    if logs > 0 and senses.height == SURFACE and goal not in ("dirt", "sapling"):
        return _mine(senses, "log")
    task = next_task(goal, senses.holdings(), _PLAY_STYLE)
    if task.action == Action.GATHER:
        return _mine(senses, task.item)
    return ACTION[f"{task.action.name.lower()} {task.item}"]


@functools.cache
def log_budget(goal: str) -> int:
    """Logs to gather before going underground."""
    bill = bill_of(goal)
    underground = any(item in bill for item in _SOURCES if item not in ("dirt", "sapling", "log"))
    smelted = sum(bill.get(smelt.output, 0) for smelt in SMELTS)
    fuel_planks = math.ceil(smelted * SMELT_TICKS / BURN_TICKS[ITEM["planks"]])
    tables = 0
    if "crafting_table" in bill:
        tables = 1
        if underground:
            tables = _DEEP_TABLES if "iron_pickaxe" in bill else _SHALLOW_TABLES
    return math.ceil(bill.get("log", 0) + fuel_planks / 4) + tables


def _wood_in_hand(senses: Senses) -> int:
    """Logs' worth of wood that is held or has gone into tools."""
    spent = sum(1.5 for tool in PICKAXES if senses.count(tool)) + senses.count("crafting_table")
    wood = senses.count("log") + senses.count("planks") / 4 + senses.count("stick") / 8
    return int(wood + spent)


def _mine(senses: Senses, item: str) -> int:
    """The next action towards an item that lies somewhere; a good enough pickaxe is held."""
    held = [name for name in PICKAXES if senses.count(name) > 0]
    in_hand = ITEMS[TOOL_ITEMS[senses.hand]] if senses.hand >= 0 else None
    if least_pickaxe(item) is not None and in_hand != held[-1]:
        return ACTION[f"equip {held[-1]}"]
    kind, height = _SOURCES[item]
    if senses.reach[kind] > 0:
        return ACTION[f"gather {kind.name.lower()}"]
    if senses.height > height:
        return ACTION["dig down"]
    if senses.height < height and height == SURFACE:
        return ACTION["climb up"]
    return ACTION["move on"]

"""The scripted player: it does one task of the plan after the other."""

from __future__ import annotations

import functools
import math

import numpy as np

from lapis.minecraft.blocks import Block
from lapis.minecraft.digging import harvests
from lapis.minecraft.planner import Action, source_blocks
from lapis.worlds.planning import PICKAXES, PlayStyle, Task, bill_of, next_task
from lapis.worlds.voxel.expert.geometry import EYE_HEIGHT
from lapis.worlds.voxel.expert.hands import (
    DangerError,
    Hands,
    LackError,
    Skill,
    StuckError,
    aim_point,
    middle,
)
from lapis.worlds.voxel.expert.legs import SCAFFOLD, follow
from lapis.worlds.voxel.expert.path import Move, Terrain, find_path, sinking
from lapis.worlds.voxel.expert.rescue import rescue, wriggle
from lapis.worlds.voxel.expert.senses import Senses

PLAY_STYLE = PlayStyle(fuels=("coal",), stokes_ahead=True, spares_pickaxe=True)
"""The furnace is carried along, and its fire does not survive that."""
MOST_NODES = 12_000
"""Nodes of a search before a block counts as out of reach."""
CANDIDATES = 6
"""Blocks that are tried before the player moves on by chance."""
PATIENCE = 8
"""Failures after which the player changes its mind."""
ARRIVED_REACH = 4.0
"""How near a block must be where a way ends, as nobody stands exactly in the middle [blocks]."""
_SURFACE = 58
"""Above this height ways lead through air."""
_SCAFFOLD_KEPT = 6
_TIDY_DISTANCE = 7.0
"""Stations within this distance are taken along [blocks]."""
_LOG_RESERVE: dict[str, int] = {"wooden_pickaxe": 1, "stone_pickaxe": 2, "iron_pickaxe": 5}
"""Logs beyond the bill where it has this pickaxe: the deeper, the longer the way back."""
_ARM_LENGTH = 5


class Script:
    """Plays one world of a batch towards one goal."""

    def __init__(self, senses: Senses, goal: str, chance: np.random.Generator) -> None:
        self.senses = senses
        self.hands = Hands(senses)
        self.goal = goal
        self.chance = chance
        self.logs_wanted = log_budget(goal, self._best_pickaxe())
        self._avoided: set[int] = set()
        self._failures = 0

    def play(self) -> Skill:
        """Plays until the goal is held, or cannot be had in this world."""
        while self.senses.count(self.goal) == 0:
            try:
                yield from self._try()
            except DangerError:
                yield from rescue(self.hands)
            except LackError:
                if self.logs_wanted == 0:
                    return
                self.logs_wanted = 0

    def _try(self) -> Skill:
        """Does what comes next, or moves a little by chance if that does not work."""
        try:
            yield from self.hands.eat_if_hungry()
            yield from self._do(self._next_task())
        except StuckError:
            self._failures += 1
            if self._failures % PATIENCE == 0:
                # What was out of reach may not be so by now; the last trees may stay so.
                self._avoided.clear()
                self.logs_wanted = 0
            yield from wriggle(self.hands, self.chance)

    def _next_task(self) -> Task:
        if self.senses.count("log") >= self.logs_wanted:
            # Wood is gathered once; what is needed beyond it the plan will ask for.
            self.logs_wanted = 0
        if self.logs_wanted > 0:
            return Task(Action.GATHER, "log")
        return next_task(self.goal, self.senses.holdings(), PLAY_STYLE)

    def _do(self, task: Task) -> Skill:
        if task.action == Action.GATHER:
            yield from self._gather(task.item)
        elif task.action == Action.PLACE:
            yield from self.hands.place(task.item)
        else:
            before = self.senses.count(task.item)
            yield from self.hands.act(f"{task.action.name.lower()} {task.item}")
            if self.senses.count(task.item) <= before:
                raise StuckError

    def _gather(self, item: str) -> Skill:
        """Digs one block that gives an item, or comes nearer to one."""
        tidy = self._station_to_take()
        if tidy is not None:
            yield from self._fetch([tidy])
            return
        blocks = sources(item, self._best_pickaxe())
        near = self._near(blocks)
        for place in near:
            if self._can_dig_here(place):
                yield from self._dig(place)
                return
        if not near:
            places = self.senses.places_of(blocks)
            if places.size == 0:
                raise LackError
            near = self._by_distance(places)
        yield from self._fetch(near)

    def _best_pickaxe(self) -> str | None:
        held = [name for name in PICKAXES if self.senses.count(name) > 0]
        return held[-1] if held else None

    def _station_to_take(self) -> int | None:
        """A table or furnace nearby that would be left behind."""
        torus, eye = self.senses.torus, self.senses.eye
        for place in self.senses.stations():
            if place in self._avoided:
                continue
            if math.hypot(*torus.way(eye, middle(torus, place))) > _TIDY_DISTANCE:
                continue
            if harvests(Block(self.senses.cells[place]), self._best_pickaxe()):
                return place
        return None

    def _near(self, blocks: tuple[Block, ...]) -> list[int]:
        """Blocks of these kinds within the length of an arm, the nearest first."""
        torus, cells = self.senses.torus, self.senses.cells
        x, y, z = torus.cell(self.senses.feet)
        span = range(-_ARM_LENGTH, _ARM_LENGTH + 1)
        found = [
            place
            for dx in span
            for dz in span
            for place in self._column(torus.place(x + dx, 0, z + dz), y)
            if cells[place] in blocks and place not in self._avoided
        ]
        eye = self.senses.eye
        return sorted(found, key=lambda p: math.hypot(*torus.way(eye, middle(torus, p))))

    def _column(self, bottom: int, y: int) -> range:
        low, high = max(y - 3, 0), min(y + _ARM_LENGTH + 2, self.senses.torus.height)
        return range(bottom + low, bottom + high)

    def _by_distance(self, places: np.ndarray) -> list[int]:
        """The blocks that are the quickest to get to, by rule of thumb."""
        torus = self.senses.torus
        places = places[~np.isin(places, list(self._avoided))]
        x, y, z = torus.cell(self.senses.feet)
        half = torus.size // 2
        column, height = np.divmod(places, torus.height)
        dx = np.abs((column // torus.size - x + half) % torus.size - half)
        dz = np.abs((column % torus.size - z + half) % torus.size - half)
        above = height - y
        cost = dx + dz + np.maximum(-above, 0) + 2.0 * np.maximum(above - 3, 0)
        order = np.argsort(cost, kind="stable")[:CANDIDATES]
        return places[order].tolist()

    def _fetch(self, places: list[int]) -> Skill:
        """Goes to the first of these blocks that can be reached, and digs it."""
        for place in places[:CANDIDATES]:
            moves = self._way_to(place)
            if moves is None:
                self._avoided.add(place)
                continue
            block = self.senses.cells[place]
            yield from follow(self.hands, moves)
            # The way may have led through it.
            if self.senses.cells[place] == block:
                yield from self._dig(place)
            return
        raise StuckError

    def _dig(self, place: int) -> Skill:
        try:
            yield from self.hands.dig(place)
        except StuckError:
            self._avoided.add(place)
            raise

    def _can_dig_here(self, place: int) -> bool:
        senses = self.senses
        if place == senses.feet - 1 and not sinking(senses.torus, senses.cells, senses.feet):
            return False
        return aim_point(senses.torus, senses.cells, senses.eye, place) is not None

    def _way_to(self, place: int) -> list[Move] | None:
        """A way to a node from which a block can be dug."""
        senses, torus = self.senses, self.senses.torus
        cells = bytes(senses.cells)
        can_build = sum(senses.count(name) for name in SCAFFOLD) >= _SCAFFOLD_KEPT
        terrain = Terrain(torus, cells, senses.dig_ticks(), can_build=can_build)
        goal_x, goal_y, goal_z = torus.cell(place)
        deep = min(goal_y, senses.position[1]) < _SURFACE
        level, upright = (16.0, 14.0) if deep else (7.0, 9.0)

        def estimate(node: int) -> float:
            x, y, z = torus.cell(node)
            way = abs(torus.shorter(goal_x - x)) + abs(torus.shorter(goal_z - z))
            return level * way + upright * abs(goal_y - y)

        def arrived(node: int) -> bool:
            x, y, z = torus.cell(node)
            eye = (x + 0.5, y + EYE_HEIGHT, z + 0.5)
            if place == node - 1 and not sinking(torus, cells, node):
                return False
            if cells[node + 1] == Block.WATER:
                return False
            return aim_point(torus, cells, eye, place, ARRIVED_REACH) is not None

        return find_path(terrain, senses.stand, arrived, estimate, MOST_NODES)


@functools.cache
def sources(item: str, tool: str | None) -> tuple[Block, ...]:
    """Natural blocks that give an item to who holds a tool or less."""
    return tuple(block for block in source_blocks(item) if harvests(block, tool))


@functools.cache
def log_budget(goal: str, pickaxe: str | None = None) -> int:
    """Logs to gather first: those of the bill, of a table that is carried along, and a reserve.

    `pickaxe` is the best one that is held already.

    Raises:
        ValueError: `goal` is no item, or nothing gives it.
    """
    bill = bill_of(goal, pickaxe)
    if "log" not in bill:
        return 0
    reserve = max((logs for tool, logs in _LOG_RESERVE.items() if bill.get(tool, 0) > 0), default=0)
    return math.ceil(bill["log"]) + ("crafting_table" in bill) + reserve

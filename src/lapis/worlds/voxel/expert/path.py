"""Ways through the world: walking, climbing, dropping, digging, swimming, building up.

A node is the cell of the feet of a player who stands in its middle, or swims. A search knows all
blocks and minds the time that digging takes, so it finds caves and avoids stone by itself. It never
leads into lava, and never down more than a safe fall.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.expert.geometry import SIDES, Torus
from lapis.worlds.voxel.expert.senses import IS_SOLID

WALK_TICKS = 6.0
CLIMB_TICKS = 12.0
SWIM_TICKS = 14.0
DROP_TICKS = 4.0
PILLAR_TICKS = 24.0
AIM_TICKS = 8.0
"""To turn to a block before digging it."""
LAVA_FEAR = 150.0
"""Detour that a lava block beside the way is worth [ticks]."""
SAFE_DROP = 3
DEEP_WATER_DROP = 12
SWIMMING_SLOWS = 5.0
"""Digging while one swims takes as many times as long."""
_LAVA_TOP = 14
"""There is no lava at this height, one below, or above."""
_AIR, _WATER, _LAVA, _CACTUS = Block.AIR, Block.WATER, Block.LAVA, Block.CACTUS


class Kind(IntEnum):
    """Kinds of moves."""

    WALK = 0
    CLIMB = 1
    """Up onto the next block."""
    DROP = 2
    """Off an edge."""
    SINK = 3
    """Down where one stands, by digging the floor."""
    PILLAR = 4
    """Up where one stands, by putting a block under oneself."""
    SWIM = 5


@dataclass(frozen=True)
class Move:
    """From the middle of one cell to that of another."""

    kind: Kind
    start: int
    end: int
    clear: tuple[int, ...]
    """Places that must be free, in the order of digging."""


class Terrain:
    """The blocks of a moment by place, and what it takes to get through them.

    `dig_ticks` are infinite for blocks that cannot be dug. Who `can_build` holds blocks to put
    under oneself.
    """

    def __init__(
        self, torus: Torus, cells: bytes, dig_ticks: Sequence[float], *, can_build: bool
    ) -> None:
        self.torus = torus
        self.cells = cells
        self.can_build = can_build
        self._clear = [
            (dig_ticks[block] + AIM_TICKS) if IS_SOLID[block] else 0.0 for block in Block
        ]
        self._clear[_LAVA] = math.inf
        self._lava = _lava_around(torus, cells)

    def moves(self, node: int) -> Iterator[tuple[int, float, Kind]]:
        """Where one gets from a node: end, cost [ticks], kind."""
        height, cells, clear = self.torus.height, self.cells, self._clear
        y = node % height
        if y < 1 or y + 4 > height:
            return
        swims = cells[node] == _WATER
        submerged = swims and cells[node + 1] == _WATER
        slow = SWIMMING_SLOWS if swims else 1.0
        overhead = clear[cells[node + 2]] * slow
        column = node // height
        x, z = divmod(column, self.torus.size)
        size, wrap = self.torus.size, self.torus.size - 1
        for dx, dz in SIDES:
            beside = (((x + dx) & wrap) * size + ((z + dz) & wrap)) * height + y
            at_feet, below = cells[beside], cells[beside - 1]
            head = clear[cells[beside + 1]] * slow
            cost = clear[at_feet] * slow + head
            if cost < math.inf:
                yield from self._level(beside, at_feet, below, cost)
            cost = head + clear[cells[beside + 2]] * slow + overhead
            if IS_SOLID[at_feet] and at_feet != _CACTUS and not submerged and cost < math.inf:
                yield beside + 1, cost + CLIMB_TICKS + self._fear(beside + 1), Kind.CLIMB
        yield from self._upright(node, swims, submerged, overhead)

    def _level(
        self, beside: int, at_feet: int, below: int, cost: float
    ) -> Iterator[tuple[int, float, Kind]]:
        """Moves to the next column, at the same height or down."""
        if at_feet == _WATER:
            dive = 3.0 if self.cells[beside + 1] == _WATER else 1.0
            yield beside, cost + SWIM_TICKS * dive, Kind.SWIM
        elif IS_SOLID[below] and below != _CACTUS:
            yield beside, cost + WALK_TICKS + self._fear(beside), Kind.WALK
        elif not IS_SOLID[below]:
            depth = drop(self.torus, self.cells, beside)
            if depth > 0:
                end = beside - depth
                yield end, cost + WALK_TICKS + DROP_TICKS * depth + self._fear(end), Kind.DROP

    def _upright(
        self, node: int, swims: bool, submerged: bool, overhead: float
    ) -> Iterator[tuple[int, float, Kind]]:
        if submerged and overhead < math.inf:
            yield node + 1, overhead + SWIM_TICKS, Kind.SWIM
        if swims:
            return
        floor = self._clear[self.cells[node - 1]]
        depth = sinking(self.torus, self.cells, node)
        if floor < math.inf and depth > 0:
            end = node - depth
            yield end, floor + DROP_TICKS * depth + self._fear(end), Kind.SINK
        if self.can_build and overhead < math.inf and self.cells[node] == _AIR:
            yield node + 1, overhead + PILLAR_TICKS, Kind.PILLAR

    def _fear(self, node: int) -> float:
        """What the lava around a node counts for."""
        column, y = divmod(node, self.torus.height)
        return LAVA_FEAR * self._lava[column * _LAVA_TOP + y] if y < _LAVA_TOP else 0.0

    def cleared(self, start: int, end: int, kind: Kind) -> tuple[int, ...]:
        """The places that a move needs free, from the top down."""
        if kind == Kind.CLIMB:
            return start + 2, end + 1, end
        height = self.torus.height
        if kind == Kind.SINK:
            return (start - 1,)
        if start // height == end // height:
            return (start + 2,)
        beside = end // height * height + start % height
        return beside + 1, beside


def drop(torus: Torus, cells: bytes | memoryview, place: int) -> int:
    """How far one falls from a free cell until one stands or swims; 0: not at all, or too far."""
    for depth in range(1, min(DEEP_WATER_DROP, place % torus.height) + 1):
        block = cells[place - depth]
        if block == _WATER:
            return depth
        if block == _LAVA:
            return 0
        if IS_SOLID[block]:
            return depth - 1 if depth - 1 <= SAFE_DROP and block != _CACTUS else 0
    return 0


def sinking(torus: Torus, cells: bytes | memoryview, feet: int) -> int:
    """How far one falls when the floor is dug away; 0: too far, or into harm."""
    if feet % torus.height < 2:
        return 0
    under = cells[feet - 2]
    if IS_SOLID[under]:
        return int(under != _CACTUS)
    fall = drop(torus, cells, feet - 1)
    return fall + 1 if 0 < fall < SAFE_DROP or under == _WATER else 0


def find_path(
    terrain: Terrain,
    start: int,
    arrived: Callable[[int], bool],
    estimate: Callable[[int], float],
    most_nodes: int,
) -> list[Move] | None:
    """A good way from `start` to a node where `arrived` is true, None: none was found.

    `estimate` says about how many ticks are left from a node; more than the truth makes the search
    faster and the way longer. The search gives up after `most_nodes` nodes.
    """
    best = {start: 0.0}
    came: dict[int, tuple[int, Kind]] = {}
    queue = [(estimate(start), start)]
    closed: set[int] = set()
    while queue and len(closed) < most_nodes:
        _, node = heapq.heappop(queue)
        if node in closed:
            continue
        if arrived(node):
            return _traced(terrain, start, node, came)
        closed.add(node)
        cost = best[node]
        for end, ticks, kind in terrain.moves(node):
            total = cost + ticks
            if end not in closed and total < best.get(end, math.inf):
                best[end] = total
                came[end] = (node, kind)
                heapq.heappush(queue, (total + estimate(end), end))
    return None


def _lava_around(torus: Torus, cells: bytes) -> bytes:
    """Lava blocks among the 18 around and below the feet, by column and height."""
    blocks = np.frombuffer(cells, np.uint8).reshape(torus.size, torus.size, torus.height)
    lava = (blocks[:, :, :_LAVA_TOP] == _LAVA).astype(np.uint8)
    lava[:, :, 1:] += lava[:, :, :-1].copy()
    for axis in (0, 1):
        lava = lava + np.roll(lava, 1, axis) + np.roll(lava, -1, axis)
    return lava.tobytes()


def _traced(
    terrain: Terrain, start: int, end: int, came: dict[int, tuple[int, Kind]]
) -> list[Move]:
    moves = []
    while end != start:
        node, kind = came[end]
        moves.append(Move(kind, node, end, terrain.cleared(node, end, kind)))
        end = node
    return moves[::-1]

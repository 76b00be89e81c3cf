"""Players of one Minetest server as a batch of worlds in NumPy, for the far side of a pipe.

The state of a world is what has been done in its episode: all chance is a function of seed, number
of the world, episode and step, so that a saved world is played again up to where it was.
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

from lapis.worlds.minetest import actions as acting
from lapis.worlds.minetest.server import Server
from lapis.worlds.minetest.sight import CELL_PLACES, CLASSES, RAYS, REACH, told_sight
from lapis.worlds.minetest.tree import game_tree

__all__ = ["BIOME", "MOST_PLAYERS", "MinetestWorlds", "Vital"]

BIOME = "deciduous_forest"
MOST_PLAYERS = 32
"""Of one server: the map is divided into as many strips of land."""
MOST_COUNTED = 63
"""Counts of items beyond this look alike."""
_CANDIDATES = 600
"""Cells of the map to look at for an episode's land; one in twenty is in the biome."""
_EDGE = 190
"""The last cell of the map in each direction."""
_STEP, _START = 1, 2


class Fact:
    """Numbers at the head of a row, in the order of `mod/lapis/game.lua`."""

    HEALTH, BREATH, FACING, PITCH, X, Y, Z, HAND = range(8)
    CLASS, DIG_SECONDS, DISTANCE, FURNACE, TICKS, IN_WATER, UNDER_WATER, TOOL_LEFT = range(8, 16)
    COUNT = 16


class Vital:
    """Columns of the observation `vitals`."""

    HEALTH, BREATH, NORTH, WEST, PITCH, HEIGHT, DIG, DIG_SECONDS = range(8)
    DISTANCE, FURNACE, IN_WATER, UNDER_WATER, TOOL_LEFT = range(8, 13)
    COUNT = 13


class MinetestWorlds:
    """A batch of worlds, each the land of one player on a server of its own."""

    def __init__(
        self,
        world_count: int,
        *,
        seed: int = 0,
        first_world: int = 0,
        lowest: int = -352,
        frame_size: int = 0,
    ) -> None:
        """Starts the server; nobody plays yet.

        Args:
            world_count: Players, 32 at most.
            seed: Decides the map and all chance.
            first_world: Number of the first row's world.
            lowest: Height of the deepest nodes that are generated.
            frame_size: Pixels along each side of the frames; 0 for none.
        """
        if not 1 <= world_count <= MOST_PLAYERS:
            raise ValueError(
                f"a server takes 1 to {MOST_PLAYERS} players, not {world_count}; use more ends"
            )
        tree = game_tree(lowest)
        self.actions = acting.actions_of(tree)
        self.items = tree.goals
        self.action_sizes = (len(self.actions),)
        self._seed, self._first_world = seed, first_world
        self.server = Server(seed)
        setup = {
            "players": world_count,
            "lowest": lowest,
            "biome": BIOME,
            "items": self.items,
            "actions": [acting.told(each, tree) for each in self.actions],
            "fuels": acting.fuels_of(tree),
            "sight": told_sight(frame_size),
        }
        self._row = _row_type(len(self.items), len(self.actions), frame_size)
        (size,) = np.frombuffer(self.server.ask(json.dumps(setup).encode()), np.uint32)
        assert size == self._row.itemsize, "the server has another layout of rows"
        self._tools = tuple(each.item for each in self.actions if each.kind == "equip")
        self._allocate(world_count, frame_size)

    def _allocate(self, count: int, frame_size: int) -> None:
        self.inventory = np.zeros((count, len(self.items)), np.int32)
        self.died, self.lost = np.zeros(count, bool), np.zeros(count, bool)
        self.ticks = np.zeros(count, np.int32)
        self.action_mask = np.zeros((count, len(self.actions)), bool)
        self.action_mask[:, 0] = True
        self.place = np.zeros((count, 3), np.int32)
        """Where the players stand, for people and scripts; policies do not see it."""
        self.observation: dict[str, np.ndarray] = {
            "inventory": np.zeros((count, len(self.items)), np.float32),
            "vitals": np.zeros((count, Vital.COUNT), np.float32),
            "hand": np.zeros((count, 1 + len(self._tools)), np.float32),
            "looked_at": np.zeros((count, 1 + len(CLASSES)), np.float32),
            "fan_class": np.zeros((count, len(CELL_PLACES) + RAYS), np.uint8),
            "fan_distance": np.zeros((count, RAYS), np.float32),
        }
        if frame_size:
            self.observation["frame"] = np.zeros((count, frame_size, frame_size, 3), np.uint8)
        self._episode = np.full(count, -1, np.int64)
        self._first_items = np.zeros((count, len(self.items)), np.int32)
        self._done: list[list[int]] = [[] for _ in range(count)]
        self._log_feature = np.log2(1.0 + np.arange(MOST_COUNTED + 1, dtype=np.float32)) / 6.0

    def reset(self, which: np.ndarray, inventory: np.ndarray, episode: np.ndarray) -> None:
        """Starts episode number `episode[row]` in the rows `which`, with these items."""
        rows = np.flatnonzero(which)
        parts = []
        for row in rows.tolist():
            self._episode[row] = episode[row]
            self._first_items[row] = inventory[row]
            self._done[row] = []
            parts.append(self._beginning(row))
        self._take(rows, self.server.ask(_head(_START, len(rows)) + b"".join(parts)))

    def step(self, which: np.ndarray, action: np.ndarray) -> None:
        """Plays an action in the rows `which` alone; the dead do nothing."""
        rows = np.flatnonzero(which)
        chosen = action[rows, 0]
        for row, each in zip(rows.tolist(), chosen.tolist(), strict=True):
            self._done[row].append(each)
        pairs = np.stack([rows, chosen], axis=1).astype(np.uint16)
        self._take(rows, self.server.ask(_head(_STEP, len(rows)) + pairs.tobytes()))

    def close(self) -> None:
        """Ends the server."""
        self.server.close()

    def state_dict(self) -> dict[str, np.ndarray]:
        """How each episode began, and what has been done in it."""
        return {
            "episode": self._episode.copy(),
            "first_items": self._first_items.copy(),
            "done": np.array([each for done in self._done for each in done], np.int32),
            "done_count": np.array([len(done) for done in self._done], np.int64),
        }

    def load_state_dict(self, arrays: dict[str, np.ndarray]) -> None:
        """Plays the episodes of the state again, up to where they were."""
        ends = np.cumsum(arrays["done_count"])
        done = [part.tolist() for part in np.split(arrays["done"], ends[:-1])]
        begun = arrays["episode"] >= 0
        self.reset(begun, arrays["first_items"], arrays["episode"])
        for step in range(max(map(len, done), default=0)):
            still = np.array([step < len(each) for each in done])
            action = np.array([[each[step] if step < len(each) else 0] for each in done], np.int32)
            self.step(still, action)

    def _beginning(self, row: int) -> bytes:
        """Where an episode begins and with what, as the server reads it."""
        number = (self._seed, self._first_world + row, int(self._episode[row]))
        rng = np.random.default_rng(number)
        # Players of one server have strips of land of their own, so that they never meet.
        strip = np.arange(-_EDGE + (self._first_world + row) % MOST_PLAYERS, _EDGE, MOST_PLAYERS)
        x, z = rng.choice(strip, _CANDIDATES), rng.integers(-_EDGE, _EDGE + 1, _CANDIDATES)
        cells = np.stack([x, z], axis=1).astype(np.int16)
        held = np.flatnonzero(self._first_items[row])
        gifts = np.stack([held, self._first_items[row][held]], axis=1).astype(np.int32)
        start = struct.pack("<4I", row, int(rng.integers(2**30)), len(cells), len(gifts))
        return start + cells.tobytes() + gifts.tobytes()

    def _take(self, rows: np.ndarray, answer: bytes) -> None:
        """Shows the rows of an answer."""
        shown: Any = np.frombuffer(answer, self._row)
        facts, seen = shown["facts"], self.observation
        self.inventory[rows] = shown["items"]
        self.died[rows] = facts[:, Fact.HEALTH] <= 0
        self.ticks[rows] = facts[:, Fact.TICKS]
        self.action_mask[rows] = shown["mask"]
        self.place[rows] = facts[:, Fact.X : Fact.Z + 1]
        seen["inventory"][rows] = self._log_feature[np.minimum(shown["items"], MOST_COUNTED)]
        seen["vitals"][rows] = _vitals(facts)
        hands = [self.items[int(each) - 1] if each else "" for each in facts[:, Fact.HAND]]
        tools = np.array(
            [1 + self._tools.index(hand) if hand in self._tools else 0 for hand in hands]
        )
        seen["hand"][rows] = np.arange(1 + len(self._tools)) == tools[:, None]
        looked = facts[:, Fact.CLASS].astype(np.int64)
        seen["looked_at"][rows] = np.arange(-1, len(CLASSES)) == looked[:, None]
        seen["fan_class"][rows] = shown["classes"]
        if "frame" in seen:
            seen["frame"][rows] = shown["frame"]
        seen["fan_distance"][rows] = shown["distances"] / np.float32(10 * REACH)


def _vitals(facts: np.ndarray) -> np.ndarray:
    """What the player feels, each column between 0 and 1."""
    vitals = np.zeros((len(facts), Vital.COUNT), np.float32)
    angle = facts[:, Fact.FACING] * np.float32(np.pi / 2)
    vitals[:, Vital.HEALTH] = facts[:, Fact.HEALTH] / 20
    vitals[:, Vital.BREATH] = facts[:, Fact.BREATH] / 10
    vitals[:, Vital.NORTH] = (1 + np.cos(angle).round()) / 2
    vitals[:, Vital.WEST] = (1 + np.sin(angle).round()) / 2
    vitals[:, Vital.PITCH] = (1 + facts[:, Fact.PITCH] / 90) / 2
    vitals[:, Vital.HEIGHT] = (facts[:, Fact.Y] + 512) / 640
    vitals[:, Vital.DIG] = facts[:, Fact.DIG_SECONDS] >= 0
    vitals[:, Vital.DIG_SECONDS] = facts[:, Fact.DIG_SECONDS] / 4
    vitals[:, Vital.DISTANCE] = facts[:, Fact.DISTANCE] / 5
    vitals[:, Vital.FURNACE :] = facts[:, [Fact.FURNACE, *range(Fact.IN_WATER, Fact.COUNT)]]
    return vitals.clip(0, 1)


def _row_type(item_count: int, action_count: int, frame_size: int) -> np.dtype:
    """What the server says of one player."""
    seen = len(CELL_PLACES) + RAYS
    parts: list[Any] = [
        ("facts", "<f4", (Fact.COUNT,)),
        ("items", "<i4", (item_count,)),
        ("classes", "u1", (seen,)),
        ("distances", "u1", (RAYS,)),
        ("mask", "u1", (action_count,)),
        ("frame", "u1", (frame_size, frame_size, 3)),
    ]
    rest = -np.dtype(parts).itemsize % 4
    return np.dtype([*parts, ("rest", "u1", (rest,))])


def _head(kind: int, count: int) -> bytes:
    return struct.pack("<HH", kind, count)

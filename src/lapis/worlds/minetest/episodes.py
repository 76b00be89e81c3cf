"""Players of one Minetest server as a batch of worlds in NumPy, for the far side of a pipe.

The state of a world is what has been done in its episode: all chance is a function of seed, number
of the world, episode and step, so that a saved world is played again up to where it was.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from lapis.worlds.minetest.server import Server

__all__ = ["BIOME", "MOST_COUNTED", "MOST_PLAYERS", "ServerWorlds"]

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


class ServerWorlds:
    """A batch of worlds, each the land of one player on a server of its own.

    Subclasses say what players can do and what they see: they fill `observation`, and `_take` shows
    what the server answers.
    """

    observation: dict[str, np.ndarray]

    def __init__(
        self,
        world_count: int,
        *,
        seed: int,
        first_world: int,
        items: tuple[str, ...],
        action_sizes: tuple[int, ...],
        row: np.dtype,
        setup: Mapping[str, Any],
    ) -> None:
        """Starts the server; nobody plays yet.

        Args:
            world_count: Players, 32 at most.
            seed: Decides the map and all chance.
            first_world: Number of the first row's world.
            items: Columns of the inventory.
            action_sizes: Choices of each component of an action.
            row: What the server says of one player.
            setup: What the layout tells the server.
        """
        if not 1 <= world_count <= MOST_PLAYERS:
            raise ValueError(
                f"a server takes 1 to {MOST_PLAYERS} players, not {world_count}; use more ends"
            )
        self.items, self.action_sizes = items, action_sizes
        self._seed, self._first_world, self._row = seed, first_world, row
        self.server = Server(seed)
        shared = {"players": world_count, "biome": BIOME, "components": len(action_sizes)}
        told = json.dumps({**shared, **setup}).encode()
        (size,) = np.frombuffer(self.server.ask(told), np.uint32)
        assert size == row.itemsize, "the server has another layout of rows"
        self.inventory = np.zeros((world_count, len(items)), np.int32)
        self.died, self.lost = np.zeros(world_count, bool), np.zeros(world_count, bool)
        self.ticks = np.zeros(world_count, np.int32)
        self.action_mask = np.zeros((world_count, sum(action_sizes)), bool)
        self.action_mask[:, np.cumsum((0, *action_sizes[:-1]))] = True
        self._episode = np.full(world_count, -1, np.int64)
        self._first_items = np.zeros((world_count, len(items)), np.int32)
        self._done: list[list[np.ndarray]] = [[] for _ in range(world_count)]

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
        chosen = self._allowed(rows, action[rows])
        for row, each in zip(rows.tolist(), chosen, strict=True):
            self._done[row].append(each)
        told = np.concatenate([rows[:, None], chosen], axis=1).astype(np.uint16)
        self._take(rows, self.server.ask(_head(_STEP, len(rows)) + told.tobytes()))

    def close(self) -> None:
        """Ends the server."""
        self.server.close()

    def state_dict(self) -> dict[str, np.ndarray]:
        """How each episode began, and what has been done in it."""
        done = [each for steps in self._done for each in steps]
        return {
            "episode": self._episode.copy(),
            "first_items": self._first_items.copy(),
            "done": np.concatenate([np.zeros(0, np.int32), *done]).astype(np.int32),
            "done_count": np.array([len(steps) for steps in self._done], np.int64),
        }

    def load_state_dict(self, arrays: dict[str, np.ndarray]) -> None:
        """Plays the episodes of the state again, up to where they were."""
        ends = np.cumsum(arrays["done_count"])
        width = len(self.action_sizes)
        done = np.split(arrays["done"].reshape(-1, width), ends[:-1])
        begun = arrays["episode"] >= 0
        self.reset(begun, arrays["first_items"], arrays["episode"])
        for step in range(max(map(len, done), default=0)):
            still = np.array([step < len(each) for each in done])
            rest = np.zeros(width, np.int32)
            action = np.stack([each[step] if step < len(each) else rest for each in done])
            self.step(still, action)

    def _allowed(self, rows: np.ndarray, action: np.ndarray) -> np.ndarray:
        """The choices that the server is told of."""
        return action

    def _given(self, row: int) -> np.ndarray:
        """How many of each of the server's items an episode begins with."""
        return self._first_items[row]

    def _take(self, rows: np.ndarray, answer: bytes) -> None:
        """Shows the rows of an answer."""
        raise NotImplementedError

    def _beginning(self, row: int) -> bytes:
        """Where an episode begins and with what, as the server reads it."""
        number = (self._seed, self._first_world + row, int(self._episode[row]))
        rng = np.random.default_rng(number)
        # Players of one server have strips of land of their own, so that they never meet.
        strip = np.arange(-_EDGE + (self._first_world + row) % MOST_PLAYERS, _EDGE, MOST_PLAYERS)
        x, z = rng.choice(strip, _CANDIDATES), rng.integers(-_EDGE, _EDGE + 1, _CANDIDATES)
        cells = np.stack([x, z], axis=1).astype(np.int16)
        given = self._given(row)
        held = np.flatnonzero(given)
        gifts = np.stack([held, given[held]], axis=1).astype(np.int32)
        start = struct.pack("<4I", row, int(rng.integers(2**30)), len(cells), len(gifts))
        return start + cells.tobytes() + gifts.tobytes()


def _head(kind: int, count: int) -> bytes:
    return struct.pack("<HH", kind, count)

"""Minetest's worlds in the layout of their own: what players do and see, in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapis.worlds.minetest import actions as acting
from lapis.worlds.minetest.episodes import MOST_COUNTED, ServerWorlds
from lapis.worlds.minetest.sight import CELL_PLACES, CLASSES, RAYS, REACH, told_sight
from lapis.worlds.minetest.tree import game_tree

__all__ = ["MinetestWorlds", "Vital"]


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


class MinetestWorlds(ServerWorlds):
    """A batch of worlds; actions and what is seen are those of `actions` and `sight`."""

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
        tree = game_tree(lowest)
        self.actions = acting.actions_of(tree)
        super().__init__(
            world_count,
            seed=seed,
            first_world=first_world,
            items=tree.goals,
            action_sizes=(len(self.actions),),
            row=_row_type(len(tree.goals), len(self.actions), frame_size),
            setup={
                "layout": "nodes",
                "lowest": lowest,
                "items": tree.goals,
                "actions": [acting.told(each, tree) for each in self.actions],
                "fuels": acting.fuels_of(tree),
                "sight": told_sight(frame_size),
            },
        )
        self._tools = tuple(each.item for each in self.actions if each.kind == "equip")
        self._allocate(world_count, frame_size)

    def _allocate(self, count: int, frame_size: int) -> None:
        self.place = np.zeros((count, 3), np.int32)
        """Where the players stand, for people and scripts; policies do not see it."""
        self.observation = {
            "inventory": np.zeros((count, len(self.items)), np.float32),
            "vitals": np.zeros((count, Vital.COUNT), np.float32),
            "hand": np.zeros((count, 1 + len(self._tools)), np.float32),
            "looked_at": np.zeros((count, 1 + len(CLASSES)), np.float32),
            "fan_class": np.zeros((count, len(CELL_PLACES) + RAYS), np.uint8),
            "fan_distance": np.zeros((count, RAYS), np.float32),
        }
        if frame_size:
            self.observation["frame"] = np.zeros((count, frame_size, frame_size, 3), np.uint8)
        self._log_feature = np.log2(1.0 + np.arange(MOST_COUNTED + 1, dtype=np.float32)) / 6.0

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

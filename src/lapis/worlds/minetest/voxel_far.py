"""Minetest's worlds in the layout of the voxel world: what players do and see, in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapis.minecraft.items import ITEM, ITEMS
from lapis.worlds.making import MOST_COUNTED, count_features
from lapis.worlds.minetest.counterparts import (
    COUNTERPARTS,
    KIND_ITEM,
    KINDS,
    told_fuels,
    told_nodes,
    told_special,
)
from lapis.worlds.minetest.episodes import ServerWorlds
from lapis.worlds.minetest.voxel_view import LAND, WINDOW, View
from lapis.worlds.voxel.actions import (
    ACTION_SIZES,
    CAMERA_ANGLES,
    FIRST_CHOICE,
    OFF_HAND_ITEMS,
    PITCH_LEVELS,
    SPECIALS,
    TOOL_ITEMS,
    Component,
)
from lapis.worlds.voxel.observe import Vital

__all__ = ["MinetestVoxelWorlds"]


class Fact:
    """Numbers at the head of a row, in the order of `mod/lapis/keys.lua`."""

    HEALTH, BREATH, YAW, PITCH, X, Y, Z, HAND, ON_GROUND = range(9)
    UNDER_WATER, BURNING, DUG, TOOL_LEFT = range(9, 13)
    LOOKED_AT, TARGET = slice(13, 16), slice(16, 19)
    TICKS, CAN_EAT, BASE = range(19, 22)
    COUNT = 22


_SATURATION = 0.25
"""What a player of Minecraft begins with; there is no hunger here."""
_SPRINT_CHOICE = FIRST_CHOICE[Component.GAIT] + 2
_USE_CHOICE = FIRST_CHOICE[Component.USE] + 1
_PITCH_CHOICES = slice(FIRST_CHOICE[Component.PITCH], FIRST_CHOICE[Component.YAW])
_SPECIAL_CHOICES = slice(FIRST_CHOICE[Component.SPECIAL], None)


class MinetestVoxelWorlds(ServerWorlds):
    """A batch of worlds in which a policy of the voxel world can play.

    Items, actions and what is seen are Minecraft's, as `VoxelWorld` has them; `counterparts` says
    what they are in this game. What it lacks is masked.
    """

    def __init__(
        self,
        world_count: int,
        *,
        seed: int = 0,
        first_world: int = 0,
        lowest: int = -352,
        frame_size: int = 64,
        channel_ticks: int = 80,
    ) -> None:
        """Starts the server; nobody plays yet.

        Args:
            world_count: Players, 32 at most.
            seed: Decides the map and all chance.
            first_world: Number of the first row's world.
            lowest: Height of the deepest nodes that are generated.
            frame_size: Pixels along each side of a frame.
            channel_ticks: Longest channel attack.
        """
        super().__init__(
            world_count,
            seed=seed,
            first_world=first_world,
            items=ITEMS,
            action_sizes=ACTION_SIZES,
            row=_row_type(),
            setup={
                "layout": "keys",
                "lowest": lowest,
                "items": KINDS,
                "actions": [told_special(each) for each in SPECIALS],
                "fuels": told_fuels(),
                "foods": COUNTERPARTS["apple"],
                "camera_angles": CAMERA_ANGLES,
                "pitch_levels": PITCH_LEVELS,
                "channel_ticks": channel_ticks,
                "window": WINDOW,
                "sight": told_nodes(),
            },
        )
        self._view = View(world_count, frame_size)
        self._count_features = count_features()
        self.place = np.zeros((world_count, 3), np.float32)
        """Where the feet are, in nodes of the land, for tests; policies do not see it."""
        self.window_base = np.zeros(world_count, np.int32)
        """Height of the lowest nodes that are shown."""
        self._lacking = np.ones(len(ITEMS), bool)
        self._lacking[list(KIND_ITEM)] = False
        self.observation = {
            "inventory": np.zeros((world_count, len(ITEMS)), np.float32),
            "vitals": np.zeros((world_count, len(Vital)), np.float32),
            "hand": np.zeros((world_count, 1 + len(TOOL_ITEMS)), np.float32),
            "off_hand": np.zeros((world_count, 1 + len(OFF_HAND_ITEMS)), np.float32),
            "frame": self._view.frame,
        }
        self.observation["off_hand"][:, 0] = 1.0

    def _allowed(self, rows: np.ndarray, action: np.ndarray) -> np.ndarray:
        """A choice that the mask does not allow counts as choice 0."""
        places = action + np.array(FIRST_CHOICE)
        return np.where(np.take_along_axis(self.action_mask[rows], places, 1), action, 0)

    def _given(self, row: int) -> np.ndarray:
        given = np.zeros(len(KINDS), np.int32)
        for name, kinds in COUNTERPARTS.items():
            given[KINDS.index(kinds[0])] = self._first_items[row, ITEM[name]]
        return given

    def _take(self, rows: np.ndarray, answer: bytes) -> None:
        size = self._row.itemsize * len(rows)
        shown: Any = np.frombuffer(answer[:size], self._row)
        self._take_land(answer[size:])
        facts, seen = shown["facts"], self.observation
        # What this game lacks is kept, and nothing comes of it.
        self.inventory[rows] = np.where(self._lacking, self._first_items[rows], 0)
        for kind, item in enumerate(KIND_ITEM):
            self.inventory[rows, item] += shown["items"][:, kind]
        self.died[rows] = facts[:, Fact.HEALTH] <= 0
        self.ticks[rows] = facts[:, Fact.TICKS]
        self.place[rows] = facts[:, Fact.X : Fact.Z + 1]
        self.window_base[rows] = facts[:, Fact.BASE]
        self.action_mask[rows] = _mask(facts, shown["mask"])
        seen["inventory"][rows] = self._count_features[
            np.minimum(self.inventory[rows], MOST_COUNTED)
        ]
        seen["vitals"][rows] = _vitals(facts)
        hand = np.array([KIND_ITEM[int(each) - 1] if each else -1 for each in facts[:, Fact.HAND]])
        seen["hand"][rows] = np.array([-1, *TOOL_ITEMS]) == hand[:, None]
        self._draw(rows, facts, hand)

    def _take_land(self, told: bytes) -> None:
        """What comes after the rows: land that has changed, each with the number of its player."""
        layer = LAND * LAND * WINDOW["height"]
        part = np.dtype([("row", "<u4"), ("blocks", "u1", (layer,))])
        changed: Any = np.frombuffer(told, part)
        for each in changed:
            blocks = each["blocks"].reshape(WINDOW["height"], LAND, LAND)
            self._view.take_land(int(each["row"]), blocks)

    def _draw(self, rows: np.ndarray, facts: np.ndarray, hand: np.ndarray) -> None:
        base = np.zeros((len(rows), 3), np.float32)
        base[:, 1] = facts[:, Fact.BASE]
        self._view.draw(
            rows,
            feet=facts[:, Fact.X : Fact.Z + 1] - base,
            yaw=facts[:, Fact.YAW],
            pitch=facts[:, Fact.PITCH],
            hand=hand,
            looked_at=facts[:, Fact.LOOKED_AT] - base,
            target=facts[:, Fact.TARGET] - base,
            dug=facts[:, Fact.DUG],
        )


def _vitals(facts: np.ndarray) -> np.ndarray:
    """What the player feels, each column between 0 and 1; hunger and experience do not change."""
    vitals = np.zeros((len(facts), len(Vital)), np.float32)
    vitals[:, Vital.HEALTH] = facts[:, Fact.HEALTH] / 20
    vitals[:, Vital.FOOD] = 1.0
    vitals[:, Vital.SATURATION] = _SATURATION
    vitals[:, Vital.AIR] = facts[:, Fact.BREATH] / 10
    vitals[:, Vital.ON_GROUND] = facts[:, Fact.ON_GROUND]
    vitals[:, Vital.UNDER_WATER] = facts[:, Fact.UNDER_WATER]
    vitals[:, Vital.BURNING] = facts[:, Fact.BURNING]
    vitals[:, Vital.DUG] = facts[:, Fact.DUG]
    vitals[:, Vital.TOOL_LEFT] = facts[:, Fact.TOOL_LEFT]
    return vitals.clip(0, 1)


def _mask(facts: np.ndarray, specials: np.ndarray) -> np.ndarray:
    """What can be done now, bool of shape (row, choice); the dead can only do nothing."""
    mask = np.ones((len(facts), sum(ACTION_SIZES)), bool)
    mask[:, _SPRINT_CHOICE] = False  # Players of this game walk.
    mask[:, _USE_CHOICE] = facts[:, Fact.CAN_EAT]
    mask[:, _SPECIAL_CHOICES] = specials
    pitch = facts[:, Fact.PITCH, None]
    turned = pitch + np.array(CAMERA_ANGLES)
    levels = np.broadcast_to(PITCH_LEVELS, (len(facts), len(PITCH_LEVELS)))
    after = np.concatenate([turned, levels], axis=1).clip(-900, 900)
    mask[:, _PITCH_CHOICES] = after != pitch
    mask[facts[:, Fact.HEALTH] <= 0] = False
    mask[:, list(FIRST_CHOICE)] = True
    return mask


def _row_type() -> np.dtype:
    """What the server says of one player."""
    parts: list[Any] = [
        ("facts", "<f4", (Fact.COUNT,)),
        ("items", "<i4", (len(KINDS),)),
        ("mask", "u1", (len(SPECIALS),)),
    ]
    rest = -np.dtype(parts).itemsize % 4
    return np.dtype([*parts, ("rest", "u1", (rest,))])

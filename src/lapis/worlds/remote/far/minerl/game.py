"""One player in one game: steps of the policy as ticks of the game."""

from __future__ import annotations

from typing import List, Optional, Sequence, Tuple

import numpy as np

from lapis.worlds.remote.far.minerl import features, stations
from lapis.worlds.remote.far.minerl.env import Env, Seen, Stack
from lapis.worlds.remote.far.minerl.keys import CHANNEL, KEYS, TICKS, Told, masked, told_in_ticks
from lapis.worlds.remote.far.minerl.mask import action_mask, idle_mask
from lapis.worlds.remote.far.minerl.pack import fire_after, held, in_bag, item_counts, slots_for
from lapis.worlds.remote.far.minerl.stations import Stations
from lapis.worlds.remote.far.minerl.tables import Component, Special, Tables

SETTLE_TICKS = 20
"""Time for the things with which an episode begins to show up [ticks]."""
_STILL = 1e-3
"""Who rises or falls by less in a tick stands [blocks]."""


class Player:
    """Plays one episode after another.

    Attributes:
        seen: What was seen last.
        items: Counts of our items, int32.
        died: Whether the player is dead.
        ticks: Game ticks of the last step.
    """

    def __init__(self, env: Env, tables: Tables, *, channel_ticks: int) -> None:
        self.env = env
        self.ticks = 0
        self._tables = tables
        self._channel_ticks = channel_ticks

    def begin(self, seed: int, items: Sequence[int]) -> None:
        """Starts an episode in a new world with these items.

        Raises:
            LostGame: The game is gone.
            RuntimeError: It does not give what it was told.
        """
        self._stations, self._fire = Stations(), 0
        self.died, self._on_ground = False, True
        slots = slots_for(items, self._tables)
        stacks = [
            Stack(each["type"], each["metadata"], each["quantity"], slot)
            for slot, each in slots.items()
        ]
        given = item_counts(held(stacks), self._tables)
        self._look(self.env.reset(seed, slots))
        for _ in range(SETTLE_TICKS):
            if (self.items >= given).all():  # More may lie where the player begins.
                self.ticks = 0
                return
            self._tick(dict.fromkeys(KEYS, 0))
        wrong = int(np.flatnonzero(self.items < given)[0])
        raise RuntimeError(
            f"an episode should begin with {given[wrong]} of {self._tables.items[wrong]}, "
            f"but the game shows {self.items[wrong]}"
        )

    def play(self, choices: Sequence[int]) -> None:
        """Plays a step: 4 ticks, or as many as a channel attack takes.

        Raises:
            LostGame: The game is gone; nothing that was to be seen is known.
        """
        choices = masked(choices, self.mask(), self._tables)
        before, items = self.seen, self.items
        told = told_in_ticks(choices, before, self._tables)
        self.ticks = 0
        if told[0]["attack"] and choices[Component.ATTACK] == CHANNEL:
            self._channel(told)
        else:
            for tick in told:
                self._tick(tick)
                if self.died:
                    break
        special = self._tables.specials[choices[Component.SPECIAL]]
        if special.command:
            self._remember(special, before, items)

    def mask(self) -> np.ndarray:
        """What can be done now."""
        if self.died:
            return idle_mask(self._tables)
        counts = held(in_bag(self.seen.stacks))
        return action_mask(self.seen, counts, self._fire, self._stations, self._tables)

    def observation(self) -> dict:
        """What the policy sees."""
        return features.features(self.seen, self.items, self._on_ground, self._tables)

    def _channel(self, told: List[Told]) -> None:
        """Attacks until the block breaks, but not longer than may be (paper P18)."""
        self._tick(told[0])
        target = self._target()
        attacks, health = target is not None, self.seen.health
        while not self.died and (self.ticks < TICKS or attacks):
            tick = dict(told[1])
            tick["attack"] = int(attacks)
            self._tick(tick)
            is_hurt = self.seen.health < health
            if self._target() != target or is_hurt or self.ticks >= self._channel_ticks:
                attacks = False

    def _target(self) -> Optional[Tuple[stations.Cell, str]]:
        """Place and type of the block in reach under the crosshair."""
        sight = self.seen.sight
        if sight is None or sight.hit != "block" or not sight.in_reach:
            return None
        return stations.cell_of(self.seen, sight), sight.type

    def _remember(self, special: Special, before: Seen, items: np.ndarray) -> None:
        """Learns from a special action where stations are, and what is left of a fire."""
        is_done = not np.array_equal(items, self.items)
        if special.command == "place" and special.item in stations.TYPES and is_done:
            self._stations.placed(special.item, before, self.seen)
        elif special.command == "nearbyCraft" and not is_done:
            self._stations.failed("crafting_table", before)
        elif special.command == "nearbySmelt" and not is_done:
            self._stations.failed("furnace", before)
        elif special.command == "nearbySmelt":
            counts = held(before.stacks), held(self.seen.stacks)
            self._fire = fire_after(special, *counts, self._fire, self._tables)

    def _tick(self, told: Told) -> None:
        height = self.seen.position[1]
        seen, self.died = self.env.step(told)
        self.ticks += 1
        self._look(seen)
        self._stations.looked(seen)
        self._on_ground = abs(seen.position[1] - height) < _STILL

    def _look(self, seen: Seen) -> None:
        self.seen = seen
        self.items = item_counts(held(seen.stacks), self._tables)

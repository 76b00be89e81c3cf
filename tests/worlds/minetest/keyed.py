"""A player of Minetest with the keys of the voxel world, for tests."""

import numpy as np

from lapis.minecraft.items import ITEM, ITEMS
from lapis.worlds.minetest.voxel_view import LAND
from lapis.worlds.voxel.actions import ACTION_SIZES, PITCH_LEVELS, SPECIAL, Component
from lapis.worlds.voxel.observe import Vital

SOUTH, WEST, NORTH, EAST = range(4)
AHEAD = {SOUTH: (0, -1), WEST: (-1, 0), NORTH: (0, 1), EAST: (1, 0)}
"""Steps along x and z of the land."""
STEPS_TO_TURN = 2
"""A quarter turn is twice 45 degrees."""
_DOWN = 9 + PITCH_LEVELS.index(900)
_LEVEL = 9 + PITCH_LEVELS.index(0)
_RIGHT = 8


class Keyed:
    """The first player of some worlds, with what it is given."""

    def __init__(self, worlds, *, episode=0, **given):
        self.worlds = worlds
        first = np.zeros_like(worlds.inventory)
        for name, count in given.items():
            first[0, ITEM[name]] = count
        self.which = np.zeros(len(first), bool)
        self.which[0] = True
        worlds.reset(self.which, first, np.full(len(first), episode))

    def do(self, special=None, **keys):
        """Plays a step: keys by the names of components, or a special action; returns its ticks."""
        action = np.zeros((len(self.which), len(ACTION_SIZES)), np.int32)
        for name, choice in keys.items():
            action[0, Component[name.upper()]] = choice
        if special:
            action[0, Component.SPECIAL] = SPECIAL[special]
        self.worlds.step(self.which, action)
        return int(self.worlds.ticks[0])

    def can(self, special):
        return bool(self.worlds.action_mask[0, sum(ACTION_SIZES[:-1]) + SPECIAL[special]])

    def look_down(self):
        if self.worlds.action_mask[0, sum(ACTION_SIZES[: Component.PITCH]) + _DOWN]:
            self.do(pitch=_DOWN)

    def look_level(self):
        if self.worlds.action_mask[0, sum(ACTION_SIZES[: Component.PITCH]) + _LEVEL]:
            self.do(pitch=_LEVEL)

    def look_ahead(self, facing=SOUTH):
        self.look_level()
        for _ in range(STEPS_TO_TURN * facing):
            self.do(yaw=_RIGHT)

    def held(self):
        return {ITEMS[item]: int(n) for item, n in enumerate(self.worlds.inventory[0]) if n}

    def feels(self, vital):
        return float(self.worlds.observation["vitals"][0, Vital[vital.upper()]])

    @property
    def place(self):
        return self.worlds.place[0].astype(float)

    def dig_down(self, count):
        """Digs itself in by hand: soil."""
        self.look_down()
        for _ in range(count):
            height = self.place[1]
            for _ in range(4):  # Grass may be in the way.
                self.do(attack=2)
                for _ in range(3):  # It falls for 0.32 s.
                    self.do()
                if self.place[1] < height - 0.9:
                    break

    def block(self, dx, dy, dz):
        """As which block the node is shown that lies so far from the one with the feet in it."""
        x, y, z = np.floor(self.place + 0.5).astype(int) + np.array((dx, dy, dz))
        base = self.worlds.window_base[0]
        return int(self.worlds._view._state.blocks[0, x, LAND - 1 - z, y - base])

"""The toy world of `tests/worlds/toy.py` in NumPy, for the far side; also ones that go wrong."""

import os
import time

import numpy as np

UNITS_PER_ITEM, CARRY_LIMIT, FULL_HEALTH = 2, 64, 10
REST, FAST = 0, 1


class FarToy:
    def __init__(self, world_count, *, seed, first_world, item_count=4):
        if item_count < 1:
            raise ValueError(f"item_count must be at least 1, not {item_count}")
        self.items = tuple(f"item_{index}" for index in range(item_count))
        self.action_sizes = (1 + item_count, 2)
        self.seed, self.first_world = seed, first_world
        self.inventory = np.zeros((world_count, item_count), np.int32)
        self.died, self.lost = np.zeros(world_count, bool), np.zeros(world_count, bool)
        self.ticks, self.health = np.zeros(world_count, np.int32), np.zeros(world_count, np.int32)
        self.action_mask = np.ones((world_count, 3 + item_count), bool)
        self.observation = {
            "inventory": self.inventory,
            "vitals": np.zeros((world_count, 1), np.float32),
            "weather": np.zeros((world_count, 1), np.float32),
        }
        print("a game that talks")  # It must not get between the messages.

    def reset(self, which, inventory, episode):
        self.inventory[which] = inventory[which]
        self.health[which], self.died[which], self.ticks[which] = FULL_HEALTH, False, 0
        for row in np.flatnonzero(which):
            number = (self.seed, self.first_world + row, episode[row])
            self.observation["weather"][row] = np.random.default_rng(number).random()
        self._show()

    def step(self, which, action):
        for row in np.flatnonzero(which):
            self._play(row, *action[row])
        self._show()

    def _play(self, row, choice, pace):
        allowed = self.action_mask[row, choice] and self.action_mask[row, pace - 2]
        self.ticks[row] = 4 if allowed and pace == FAST else 8
        if not allowed:
            return
        if choice == REST and not self.died[row]:
            self.health[row] += 1
        if choice > 0:
            self.inventory[row, choice - 1] += 1
        if choice > 1:
            self.inventory[row, choice - 2] -= UNITS_PER_ITEM
        self.health[row] = min(self.health[row] - (pace == FAST), FULL_HEALTH)
        self.died[row] = self.health[row] <= 0

    def _show(self):
        living = ~self.died[:, None]
        self.action_mask[:, -1:] = living
        self.action_mask[:, 1:-2] = (self.inventory < CARRY_LIMIT) & living
        self.action_mask[:, 2:-2] &= self.inventory[:, :-1] >= UNITS_PER_ITEM
        self.observation["vitals"][:, 0] = self.health / np.float32(FULL_HEALTH)

    def close(self):
        pass

    def state_dict(self):
        return {name: np.array(each) for name, each in self._state().items()}

    def load_state_dict(self, arrays):
        for name, each in self._state().items():
            each[:] = arrays[name]
        self._show()

    def _state(self):
        names = ("inventory", "died", "ticks", "health")
        return {
            "weather": self.observation["weather"],
            **{name: getattr(self, name) for name in names},
        }


class Unsaved(FarToy):
    """A game that cannot be saved."""

    def __getattribute__(self, name):
        if name == "state_dict":
            raise AttributeError(name)
        return super().__getattribute__(name)


class Fails(FarToy):
    """World `row` fails in step `step` of each process: it hangs, or the process ends."""

    def __init__(self, world_count, *, seed, first_world, row, step, hang=False):
        super().__init__(world_count, seed=seed, first_world=first_world)
        self.row = row - first_world if first_world <= row < first_world + world_count else -1
        self.left, self.hang = step, hang

    def step(self, which, action):
        self.left -= 1
        if self.row >= 0 and self.left == 0:
            if self.hang:
                time.sleep(1000)
            os._exit(3)
        super().step(which, action)


class WrongShape(FarToy):
    def step(self, which, action):
        super().step(which, action)
        self.ticks = self.ticks.astype(np.int64)


class Breaks(FarToy):
    def step(self, which, action):
        raise RuntimeError("the sky has fallen")

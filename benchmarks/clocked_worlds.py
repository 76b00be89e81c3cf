"""Far worlds that take a fixed time for a step, like games with a clock of their own."""

import time

import numpy as np

ITEMS = ("first", "second", "third")


class ClockedWorlds:
    """Choice k + 1 of the only component makes item k; a process sleeps once for all its rows."""

    def __init__(self, world_count, *, seed, first_world, milliseconds):
        """A step of all rows together takes so many milliseconds."""
        self.seconds = milliseconds / 1e3
        self.items, self.action_sizes = ITEMS, (1 + len(ITEMS),)
        self.inventory = np.zeros((world_count, len(ITEMS)), np.int32)
        self.died, self.lost = np.zeros(world_count, bool), np.zeros(world_count, bool)
        self.ticks = np.zeros(world_count, np.int32)
        self.action_mask = np.ones((world_count, 1 + len(ITEMS)), bool)
        self.observation = {"inventory": self.inventory}

    def reset(self, which, inventory, episode):
        """Begins an episode in these rows."""
        self.inventory[which] = inventory[which]
        self.ticks[which] = 0

    def step(self, which, action):
        """Plays one action in these rows."""
        time.sleep(self.seconds)
        making = action[:, :1] == np.arange(1, 1 + len(ITEMS))
        self.inventory[which] = np.minimum(self.inventory + making, 1000)[which]
        self.ticks[which] = 4

    def close(self):
        """Has nothing to end."""

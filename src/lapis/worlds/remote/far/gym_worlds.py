"""Any Gymnasium environments as worlds, one environment per row."""

from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, Sequence

import numpy as np

TICKS_PER_STEP = 4
"""Game ticks [50 ms] of a step, where the game has none of its own: those of the paper's."""

ReadItems = Callable[[Any], Mapping[str, int]]
ReadMask = Callable[[Any], Sequence[bool]]
GiveItems = Callable[[Any, Dict[str, int]], Any]
Show = Callable[[Any], Dict[str, np.ndarray]]


def shown_as(observation: Any) -> Dict[str, np.ndarray]:
    """What players see: pixels as `frame`, other numbers as `vector`, a dict as it is."""
    if isinstance(observation, dict):
        return {name: np.asarray(each) for name, each in observation.items()}
    array = np.asarray(observation)
    return {"frame": array} if array.ndim == 3 else {"vector": array.reshape(-1)}


class GymWorlds:
    """A batch of environments that follows `FarWorlds`.

    An episode ends with the environment's `terminated`, which counts as death, or with its
    `truncated`; then the unfinished task does not count. Its rewards are ignored.
    """

    def __init__(
        self,
        make: Callable[[], Any],
        world_count: int,
        *,
        items: Sequence[str],
        read_items: ReadItems,
        action_sizes: Sequence[int],
        read_mask: ReadMask | None = None,
        give_items: GiveItems | None = None,
        show: Show = shown_as,
        seed: int = 0,
        first_world: int = 0,
        ticks: int = TICKS_PER_STEP,
    ) -> None:
        """Makes the environments, and plays none of them yet.

        Args:
            make: Returns an environment.
            world_count: How many.
            items: Names of what `read_items` counts.
            read_items: How many of each item the player of an environment has; missing ones are 0.
            action_sizes: The number of choices of each component of an action. With one component
                the environment gets a whole number, with several an array.
            read_mask: Which choices an environment allows now, as long as the sum of the sizes;
                None: always all.
            give_items: Gives the player items at the start of an episode, and returns what is
                observed then; None: episodes begin with nothing.
            show: Turns an observation into what players see.
            seed: Decides all randomness, together with the number of each world and the episode.
            first_world: Number of the first row's world.
            ticks: Game ticks [50 ms] that a step takes.
        """
        self.items = tuple(items)
        self.action_sizes = tuple(int(size) for size in action_sizes)
        self.envs = [make() for _ in range(world_count)]
        self.inventory = np.zeros((world_count, len(self.items)), np.int32)
        self.died = np.zeros(world_count, bool)
        self.lost = np.zeros(world_count, bool)
        self.ticks = np.zeros(world_count, np.int32)
        self.action_mask = np.ones((world_count, sum(self.action_sizes)), bool)
        self._read_items, self._read_mask = read_items, read_mask
        self._give_items, self._show = give_items, show
        self._seed, self._first_world, self._step_ticks = seed, first_world, ticks
        # What an environment shows is known when it has begun.
        example = show(self.envs[0].reset(seed=0)[0])
        self.observation = {
            name: np.zeros((world_count, *each.shape), each.dtype) for name, each in example.items()
        }

    def reset(self, which: np.ndarray, inventory: np.ndarray, episode: np.ndarray) -> None:
        """Starts episode number `episode[row]` in the rows `which`, with these items."""
        for row in np.flatnonzero(which).tolist():
            number = (self._seed, self._first_world + row, int(episode[row]))
            words = np.random.SeedSequence(number).generate_state(1)
            observation, _ = self.envs[row].reset(seed=int(words[0] >> 1))
            if self._give_items is not None:
                given = {name: int(n) for name, n in zip(self.items, inventory[row]) if n}
                observation = self._give_items(self.envs[row], given)
            self.died[row] = self.lost[row] = False
            self.ticks[row] = 0
            self._look(row, observation)

    def step(self, which: np.ndarray, action: np.ndarray) -> None:
        """Plays an action only in the rows `which`; the dead do nothing."""
        for row in np.flatnonzero(which & ~self.died & ~self.lost).tolist():
            chosen = int(action[row, 0]) if len(self.action_sizes) == 1 else action[row]
            observation, _, terminated, truncated, _ = self.envs[row].step(chosen)
            self.died[row] = terminated
            self.lost[row] = truncated and not terminated
            self.ticks[row] = self._step_ticks
            self._look(row, observation)

    def close(self) -> None:
        """Closes the environments."""
        for env in self.envs:
            env.close()

    def _look(self, row: int, observation: Any) -> None:
        for name, each in self._show(observation).items():
            self.observation[name][row] = each
        held = self._read_items(self.envs[row])
        self.inventory[row] = [held.get(name, 0) for name in self.items]
        if self._read_mask is not None:
            self.action_mask[row] = self._read_mask(self.envs[row])
